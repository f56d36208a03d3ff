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
  /** Node and offset of each broken bond. */
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
  /** A wrong scheme on purpose: a bond found over the critical stretch pulls to the end of its step. */
  readonly late?: boolean
}

const startOf = (lattice: Lattice, { strain, crack, gripSpeed }: Conditions) => {
  const { nx, ny, dx, grips, height } = lattice
  const zero = (): Float64Array => new Float64Array(nx * ny)
  const rowOf = (node: number): number => Math.floor(node / nx)
  const uy = zero().map((_, node) => strain * ((rowOf(node) + 0.5) * dx - height / 2))
  const vy = zero().map((_, node) => (rowOf(node) < grips ? -gripSpeed : rowOf(node) >= ny - grips ? gripSpeed : 0))
  return { ux: zero(), uy, vx: zero(), vy, bonds: bondsAtStart(lattice, crack) }
}

interface Bond {
  readonly other: number
  readonly length: number
  readonly px: number
  readonly py: number
  readonly ex: number
  readonly ey: number
  readonly gx: number
  readonly gy: number
  /** Square of its length now. */
  readonly now: number
}

const bondBetween = (
  { nx, dx, c, volume, offsets }: Lattice,
  { ux, uy }: { readonly ux: Float64Array; readonly uy: Float64Array },
  node: number,
  k: number,
): Bond => {
  const { p, q } = offsets[k] as Lattice['offsets'][number]
  const other = node + q * nx + p
  const length = dx * Math.sqrt(p * p + q * q)
  const [px, py] = [p * dx, q * dx]
  const [ex, ey] = [ux[other] - ux[node], uy[other] - uy[node]]
  const t = ex * (2 * px + ex) + ey * (2 * py + ey)
  const now = length * length + t
  const g = (t * ((c * volume) / length)) / (now + length * Math.sqrt(now))
  return { other, length, px, py, ex, ey, gx: g * (px + ex), gy: g * (py + ey), now }
}

/** What a bond that breaks within the step changes in its end's force, and how far that end goes for it. */
const tornOf = (
  { length, px, py, ex, ey, gx, gy }: Bond,
  [mx, my]: readonly [number, number],
  { s0, stiff, scale }: { readonly s0: number; readonly stiff: number; readonly scale: number },
) => {
  const [square, limit] = [length * length, length * (1 + s0) * (length * (1 + s0))]
  const [ax, ay] = [ex - mx, ey - my]
  const s = ax * (2 * px + ax) + ay * (2 * py + ay)
  const short = limit - square - s
  const slope = mx * (px + ax) + my * (py + ay)
  const root = Math.sqrt(Math.max(0, slope * slope + (mx * mx + my * my) * short))
  const share = short > 0 ? Math.min(1, short / (slope + root)) : 0
  const open = (s * stiff) / (square + s + length * Math.sqrt(square + s))
  const torn = ((limit - square) * stiff) / (limit + length * Math.sqrt(limit))
  const [ox, oy] = [open * (px + ax), open * (py + ay)]
  const [tx, ty] = [torn * (px + ax + share * mx), torn * (py + ay + share * my)]
  const [early, rest] = [share - (share * share) / 2, share / 2 - (share * share) / 3]
  return {
    x: scale * ((early - 0.5) * ox + rest * (tx - ox)),
    y: scale * ((early - 0.5) * oy + rest * (ty - oy)),
    cx: share * (ox + tx) - ox - gx,
    cy: share * (oy + ty) - oy - gy,
  }
}

/** A plate at its start. */
export const twinPlate = (lattice: Lattice, conditions: Conditions): TwinPlate => {
  const { nx, ny, volume, c, s0, grips, offsets } = lattice
  const { dt, rho, damping, late = false } = conditions
  const { ux, uy, vx, vy, bonds } = startOf(lattice, conditions)
  const [n, fx, fy] = [nx * ny, new Float64Array(nx * ny), new Float64Array(nx * ny)]
  const breaks: number[] = []
  const bondOf = (node: number, k: number) => bondBetween(lattice, { ux, uy }, node, k)
  const note = (node: number, k: number, torn: [number, number][]): void => {
    const { length, now } = bondOf(node, k)
    const limit = length * (1 + s0)
    if (!(now > limit * limit)) return
    breaks.push(node, k)
    torn.push([node, k])
  }
  const push = (node: number, x: number, y: number): void => {
    fx[node] += x
    fy[node] += y
  }
  const forces = (torn?: [number, number][]): void => {
    fx.fill(0)
    fy.fill(0)
    for (let j = 0; j < ny; j++) {
      for (let k = 0; k < offsets.length; k++) {
        for (let i = 0; i < nx; i += 2) {
          const found: { node: number; other: number; gx: number; gy: number }[] = []
          for (let node = j * nx + i; node < j * nx + Math.min(nx, i + 2); node++) {
            if (((bonds[node] >> k) & 1) === 0) continue
            if (torn !== undefined) note(node, k, torn)
            const { other, gx, gy } = bondOf(node, k)
            found.push({ node, other, gx, gy })
          }
          for (const { node, gx, gy } of found) push(node, gx, gy)
          for (const { other, gx, gy } of found) push(other, -gx, -gy)
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
  const tear = (node: number, k: number) => {
    const bond = bondOf(node, k)
    const { other } = bond
    const moved = [dt * (vx[other] - vx[node]), dt * (vy[other] - vy[node])] as const
    return { other, ...tornOf(bond, moved, { s0, stiff: (c * volume) / bond.length, scale: (dt * dt) / rho }) }
  }
  const shift = (node: number, x: number, y: number): void => {
    if (node < grips * nx || node >= n - grips * nx) return
    ux[node] += x
    uy[node] += y
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
    const all = torn.map(([node, k]) => ({ node, ...tear(node, k) }))
    for (const [node, k] of torn) bonds[node] &= ~(1 << k)
    for (const { node, other, cx, cy } of late ? [] : all) {
      push(node, cx, cy)
      push(other, -cx, -cy)
    }
    kick()
    for (const { node, other, x, y } of late ? [] : all) {
      shift(node, x, y)
      shift(other, -x, -y)
    }
    if (torn.length > 0) forces()
  }
  return { ux, uy, vx, vy, bonds, breaks, step }
}
