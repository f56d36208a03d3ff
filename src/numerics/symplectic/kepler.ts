import { sqrt } from '#numerics/math.ts'
import type { Motion } from './motion.ts'

/** A body about a fixed centre: x″ = −μx/r³. */
export const keplerMotion = (mu: number): Motion => ({
  compose: (state, steps, { kicks, drifts }) => {
    const stages = drifts.length
    let [x, y, u, v] = state as unknown as [number, number, number, number]
    let square = x * x + y * y
    let pull = -mu / (square * sqrt(square))
    for (let step = 0; step < steps; step++) {
      for (let i = 0; i < stages; i++) {
        const kick = kicks[i] * pull
        u += kick * x
        v += kick * y
        x += drifts[i] * u
        y += drifts[i] * v
        square = x * x + y * y
        pull = -mu / (square * sqrt(square))
      }
      u += kicks[stages] * pull * x
      v += kicks[stages] * pull * y
    }
    state[0] = x
    state[1] = y
    state[2] = u
    state[3] = v
  },
  rk4: (state, steps, h) => {
    let [x, y, u, v] = state as unknown as [number, number, number, number]
    const pullAt = (px: number, py: number): number => {
      const square = px * px + py * py
      return -mu / (square * sqrt(square))
    }
    const half = h / 2
    for (let step = 0; step < steps; step++) {
      const a = pullAt(x, y)
      const [au, av] = [a * x, a * y]
      const [bx, by] = [x + half * u, y + half * v]
      const [bu, bv] = [u + half * au, v + half * av]
      const b = pullAt(bx, by)
      const [cx, cy] = [x + half * bu, y + half * bv]
      const [cu, cv] = [u + half * (b * bx), v + half * (b * by)]
      const c = pullAt(cx, cy)
      const [dx, dy] = [x + h * cu, y + h * cv]
      const [du, dv] = [u + h * (c * cx), v + h * (c * cy)]
      const d = pullAt(dx, dy)
      const [nu, nv] = [
        u + (h / 6) * (au + 2 * (b * bx + c * cx) + d * dx),
        v + (h / 6) * (av + 2 * (b * by + c * cy) + d * dy),
      ]
      x += (h / 6) * (u + 2 * (bu + cu) + du)
      y += (h / 6) * (v + 2 * (bv + cv) + dv)
      u = nu
      v = nv
    }
    state[0] = x
    state[1] = y
    state[2] = u
    state[3] = v
  },
})
