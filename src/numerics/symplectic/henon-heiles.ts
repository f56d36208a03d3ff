import type { Motion } from './motion.ts'

/** A star in a galaxy: x″ = −x − 2xy, y″ = −y − x² + y². */
export const henonHeilesMotion = (): Motion => ({
  compose: (state, steps, { kicks, drifts }) => {
    const stages = drifts.length
    let [x, y, u, v] = state as unknown as [number, number, number, number]
    let fx = -x - 2 * x * y
    let fy = y * y - x * x - y
    for (let step = 0; step < steps; step++) {
      for (let i = 0; i < stages; i++) {
        u += kicks[i] * fx
        v += kicks[i] * fy
        x += drifts[i] * u
        y += drifts[i] * v
        fx = -x - 2 * x * y
        fy = y * y - x * x - y
      }
      u += kicks[stages] * fx
      v += kicks[stages] * fy
    }
    state[0] = x
    state[1] = y
    state[2] = u
    state[3] = v
  },
  rk4: (state, steps, h) => {
    let [x, y, u, v] = state as unknown as [number, number, number, number]
    const half = h / 2
    for (let step = 0; step < steps; step++) {
      const [ax, ay] = [-x - 2 * x * y, y * y - x * x - y]
      const [px, py] = [x + half * u, y + half * v]
      const [pu, pv] = [u + half * ax, v + half * ay]
      const [bx, by] = [-px - 2 * px * py, py * py - px * px - py]
      const [qx, qy] = [x + half * pu, y + half * pv]
      const [qu, qv] = [u + half * bx, v + half * by]
      const [cx, cy] = [-qx - 2 * qx * qy, qy * qy - qx * qx - qy]
      const [rx, ry] = [x + h * qu, y + h * qv]
      const [ru, rv] = [u + h * cx, v + h * cy]
      const [dx, dy] = [-rx - 2 * rx * ry, ry * ry - rx * rx - ry]
      x += (h / 6) * (u + 2 * (pu + qu) + ru)
      y += (h / 6) * (v + 2 * (pv + qv) + rv)
      u += (h / 6) * (ax + 2 * (bx + cx) + dx)
      v += (h / 6) * (ay + 2 * (by + cy) + dy)
    }
    state[0] = x
    state[1] = y
    state[2] = u
    state[3] = v
  },
})
