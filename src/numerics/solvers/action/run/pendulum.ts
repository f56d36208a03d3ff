import { sin } from '#numerics/math.ts'
import type { Composition, Motion, Rk4 } from './motion.ts'

const compose = (pair: Float64Array, { steps, by: { kicks, drifts } }: Composition, squareFrequency: number): void => {
  const stages = drifts.length
  let [x, u] = [pair[0], pair[2]]
  let force = -squareFrequency * sin(x)
  for (let step = 0; step < steps; step++) {
    for (let i = 0; i < stages; i++) {
      u += kicks[i] * force
      x += drifts[i] * u
      force = -squareFrequency * sin(x)
    }
    u += kicks[stages] * force
  }
  pair[0] = x
  pair[2] = u
}

const rk4 = (pair: Float64Array, { steps, h }: Rk4, squareFrequency: number): void => {
  let [x, u] = [pair[4], pair[6]]
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
  pair[4] = x
  pair[6] = u
}

/** A plane pendulum of square frequency g/l: θ″ = −(g/l)·sin θ. */
export const pendulumMotion =
  (squareFrequency: number): Motion =>
  (pair, composition, beside) => {
    compose(pair, composition, squareFrequency)
    rk4(pair, beside, squareFrequency)
  }
