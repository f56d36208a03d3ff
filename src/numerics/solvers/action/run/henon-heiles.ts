import type { Composition, Motion, Rk4 } from './motion.ts'

const compose = (pair: Float64Array, { steps, by: { kicks, drifts } }: Composition): void => {
  const stages = drifts.length
  let [x, y, u, v] = [pair[0], pair[1], pair[2], pair[3]]
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
  pair[0] = x
  pair[1] = y
  pair[2] = u
  pair[3] = v
}

const rk4 = (pair: Float64Array, { steps, h }: Rk4): void => {
  let [x, y, u, v] = [pair[4], pair[5], pair[6], pair[7]]
  const half = h / 2
  for (let step = 0; step < steps; step++) {
    const ax = -x - 2 * x * y
    const ay = y * y - x * x - y
    const px = x + half * u
    const py = y + half * v
    const pu = u + half * ax
    const pv = v + half * ay
    const bx = -px - 2 * px * py
    const by = py * py - px * px - py
    const qx = x + half * pu
    const qy = y + half * pv
    const qu = u + half * bx
    const qv = v + half * by
    const cx = -qx - 2 * qx * qy
    const cy = qy * qy - qx * qx - qy
    const rx = x + h * qu
    const ry = y + h * qv
    const ru = u + h * cx
    const rv = v + h * cy
    const dx = -rx - 2 * rx * ry
    const dy = ry * ry - rx * rx - ry
    x += (h / 6) * (u + 2 * (pu + qu) + ru)
    y += (h / 6) * (v + 2 * (pv + qv) + rv)
    u += (h / 6) * (ax + 2 * (bx + cx) + dx)
    v += (h / 6) * (ay + 2 * (by + cy) + dy)
  }
  pair[4] = x
  pair[5] = y
  pair[6] = u
  pair[7] = v
}

/** A star in a galaxy: x″ = −x − 2xy, y″ = −y − x² + y². */
export const henonHeilesMotion: Motion = (pair, composition, beside) => {
  compose(pair, composition)
  rk4(pair, beside)
}
