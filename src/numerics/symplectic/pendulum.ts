import { sin } from '#numerics/math.ts'
import type { Motion } from './motion.ts'

/** A plane pendulum of square frequency g/l: θ″ = −(g/l)·sin θ. */
export const pendulumMotion = (squareFrequency: number): Motion => ({
  compose: (state, steps, { kicks, drifts }) => {
    const stages = drifts.length
    let x = state[0]
    let u = state[2]
    let force = -squareFrequency * sin(x)
    for (let step = 0; step < steps; step++) {
      for (let i = 0; i < stages; i++) {
        u += kicks[i] * force
        x += drifts[i] * u
        force = -squareFrequency * sin(x)
      }
      u += kicks[stages] * force
    }
    state[0] = x
    state[2] = u
  },
  rk4: (state, steps, h) => {
    let x = state[0]
    let u = state[2]
    const half = h / 2
    for (let step = 0; step < steps; step++) {
      const a = -squareFrequency * sin(x)
      const bu = u + half * a
      const b = -squareFrequency * sin(x + half * u)
      const cu = u + half * b
      const c = -squareFrequency * sin(x + half * bu)
      const du = u + h * c
      const d = -squareFrequency * sin(x + h * cu)
      x += (h / 6) * (u + 2 * (bu + cu) + du)
      u += (h / 6) * (a + 2 * (b + c) + d)
    }
    state[0] = x
    state[2] = u
  },
})
