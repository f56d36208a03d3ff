import { bondsAtStart, type Lattice } from '#numerics/solvers/fracture/problem.ts'

/**
 * The fracture kernel as plain loops over nodes without padding: the same numbers in the same order. Nodes of a row are
 * taken in pairs, because the kernel's lanes add a pair's forces before they subtract them.
 */
export interface TwinPlate {
  readonly ux: Float64Array
  readonly uy: Float64Array
  readonly vx: Float64Array
  readonly vy: Float64Array
  readonly bonds: Int32Array
  /** Node, offset, step, stretch and stretch one step before of each broken bond. */
  readonly breaks: number[]
  readonly step: () => void
}

interface Conditions {
  readonly strain: number
  readonly crack: number
  readonly dt: number
  readonly rho: number
  readonly damping: number
  readonly gripSpeed: number
  /** A wrong scheme on purpose: a bond over the critical stretch no longer pulls in the closing half kick. */
  readonly early?: boolean
}

const startOf = (lattice: Lattice, { strain, crack, gripSpeed }: Conditions) => {
  const { nx, ny, dx, grips, height } = lattice
  const zero = (): Float64Array => new Float64Array(nx * ny)
  const rowOf = (node: number): number => Math.floor(node / nx)
  const uy = zero().map((_, node) => strain * ((rowOf(node) + 0.5) * dx - height / 2))
  const vy = zero().map((_, node) => (rowOf(node) < grips ? -gripSpeed : rowOf(node) >= ny - grips ? gripSpeed : 0))
  return { ux: zero(), uy, vx: zero(), vy, bonds: bondsAtStart(lattice, crack) }
}

/** A plate at its start. */
export const twinPlate = (lattice: Lattice, conditions: Conditions): TwinPlate => {
  const { nx, ny, dx, volume, c, s0, grips, offsets } = lattice
  const { dt, rho, damping, early = false } = conditions
  const { ux, uy, vx, vy, bonds } = startOf(lattice, conditions)
  const [n, fx, fy] = [nx * ny, new Float64Array(nx * ny), new Float64Array(nx * ny)]
  const breaks: number[] = []
  let steps = 0
  const bondOf = (node: number, k: number) => {
    const { p, q } = offsets[k] as Lattice['offsets'][number]
    const other = node + q * nx + p
    const length = dx * Math.sqrt(p * p + q * q)
    const [px, py] = [p * dx, q * dx]
    const [ex, ey] = [ux[other] - ux[node], uy[other] - uy[node]]
    const t = ex * (2 * px + ex) + ey * (2 * py + ey)
    const now = length * length + t
    const g = (t * ((c * volume) / length)) / (now + length * Math.sqrt(now))
    return { other, length, px, py, ex, ey, t, now, g, gx: g * (px + ex), gy: g * (py + ey) }
  }
  const note = (node: number, k: number, torn: [number, number][]): boolean => {
    const { other, length, px, py, ex, ey, t, now } = bondOf(node, k)
    const limit = length * (1 + s0)
    if (!(now > limit * limit)) return false
    const bx = ex - dt * (vx[other] - vx[node])
    const by = ey - dt * (vy[other] - vy[node])
    const before = bx * (2 * px + bx) + by * (2 * py + by)
    const stretchBefore = before / (length * (Math.sqrt(length * length + before) + length))
    breaks.push(node, k, steps + 1, t / (length * (Math.sqrt(now) + length)), stretchBefore)
    torn.push([node, k])
    return true
  }
  const forces = (torn: [number, number][]): void => {
    fx.fill(0)
    fy.fill(0)
    for (let j = 0; j < ny; j++) {
      for (let k = 0; k < offsets.length; k++) {
        for (let i = 0; i < nx; i += 2) {
          const found: { node: number; other: number; gx: number; gy: number }[] = []
          for (let node = j * nx + i; node < j * nx + Math.min(nx, i + 2); node++) {
            if (((bonds[node] >> k) & 1) === 0) continue
            if (note(node, k, torn) && early) continue
            const { other, gx, gy } = bondOf(node, k)
            found.push({ node, other, gx, gy })
          }
          for (const { node, gx, gy } of found) {
            fx[node] += gx
            fy[node] += gy
          }
          for (const { other, gx, gy } of found) {
            fx[other] -= gx
            fy[other] -= gy
          }
        }
      }
    }
  }
  const kick = (): void => {
    const push = dt / 2 / rho
    const [keep, share] = [1 - (damping * dt) / 4, 1 / (1 + (damping * dt) / 4)]
    for (let node = grips * nx; node < n - grips * nx; node++) {
      vx[node] = damping === 0 ? vx[node] + push * fx[node] : (vx[node] * keep + push * fx[node]) * share
      vy[node] = damping === 0 ? vy[node] + push * fy[node] : (vy[node] * keep + push * fy[node]) * share
    }
  }
  forces([])
  const step = (): void => {
    kick()
    for (let node = 0; node < n; node++) {
      ux[node] += dt * vx[node]
      uy[node] += dt * vy[node]
    }
    const torn: [number, number][] = []
    forces(torn)
    kick()
    for (const [node, k] of torn) {
      const { other, gx, gy } = bondOf(node, k)
      bonds[node] &= ~(1 << k)
      if (early) continue
      fx[node] -= gx
      fy[node] -= gy
      fx[other] += gx
      fy[other] += gy
    }
    steps++
  }
  return { ux, uy, vx, vy, bonds, breaks, step }
}
