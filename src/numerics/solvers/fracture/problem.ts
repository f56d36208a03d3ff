import { sqrt } from '#numerics/math.ts'
import type { FractureInput } from './schema.ts'

/** One offset of the half neighbourhood, in spacings. */
export interface Offset {
  readonly p: number
  readonly q: number
}

/** A square lattice with its bonds and the constants that belong to it. */
export interface Lattice {
  readonly nx: number
  readonly ny: number
  /** Spacing, and the volume of a node. */
  readonly dx: number
  readonly volume: number
  readonly height: number
  /** Rows of each grip: as far as bonds reach. */
  readonly grips: number
  /** Of each pair of opposite bonds the one with q > 0, or q = 0 and p > 0. */
  readonly offsets: readonly Offset[]
  /** Micro-modulus in N/m⁶: the lattice sum gives the plate's energy under equal strains both ways. */
  readonly c: number
  /** Stretch at which bonds break: the bonds through a straight crack take Gc per area. */
  readonly s0: number
}

const offsetsOf = (horizon: number): readonly Offset[] => {
  const reach = Math.floor(horizon)
  const all: Offset[] = []
  for (let q = 0; q <= reach; q++) {
    for (let p = -reach; p <= reach; p++) {
      if (q === 0 && p <= 0) continue
      if (p * p + q * q <= horizon * horizon) all.push({ p, q })
    }
  }
  return all
}

/**
 * The lattice of a plate. Equal strain ε both ways stores E·ε²/(1 − ν) = 3/2·E·ε² of plane stress in a volume, and in
 * bonds c·ε²/4 times the sum of |ξ|·V over the neighbours of a node; a crack along the rows cuts, per node of a row, q
 * bonds of each offset.
 */
export const latticeOf = ({ nx, ny, width, thickness, horizon, E, Gc }: FractureInput): Lattice => {
  const dx = width / nx
  const volume = dx * dx * thickness
  const offsets = offsetsOf(horizon)
  let all = 0
  let cut = 0
  for (const { p, q } of offsets) {
    const length = dx * sqrt(p * p + q * q)
    all += 2 * length
    cut += q * length
  }
  const c = (6 * E) / (all * volume)
  const s0 = sqrt((2 * Gc * dx * thickness) / (c * volume * volume * cut))
  return { nx, ny, dx, volume, height: ny * dx, grips: Math.floor(horizon), offsets, c, s0 }
}

/** The longest stable step, √(2ρ/Σ c·V/|ξ|): Silling, Askari, Comput. Struct. 83 (2005) 1526. */
export const stableStep = ({ offsets, dx, c, volume }: Lattice, rho: number): number => {
  const sum = offsets.reduce((total, { p, q }) => total + 2 / (dx * sqrt(p * p + q * q)), 0)
  return sqrt((2 * rho) / (c * volume * sum))
}

/** Whole bonds of each node at the start, as bits: inside the plate, and not through the crack. */
export const bondsAtStart = ({ nx, ny, offsets, dx }: Lattice, crack: number): Int32Array => {
  const bonds = new Int32Array(nx * ny)
  // The crack lies between two rows, or on a row of an odd number: there it is taken just above.
  const level = Math.ceil(ny / 2) - 0.5
  const end = crack * nx * dx
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      offsets.forEach(({ p, q }, k) => {
        const inside = i + p >= 0 && i + p < nx && j + q < ny
        const share = q === 0 ? Number.NaN : (level - j) / q
        const through = share > 0 && share < 1 && (i + 0.5 + share * p) * dx < end
        if (inside && !through) bonds[j * nx + i] |= 1 << k
      })
    }
  }
  return bonds
}

/** Places, velocities and whole bonds of all nodes, x fastest. */
export interface PlateState {
  readonly ux: Float64Array
  readonly uy: Float64Array
  readonly vx: Float64Array
  readonly vy: Float64Array
  readonly bonds: Int32Array
}

/** Equal steps of a run. */
export interface Schedule {
  readonly steps: number
  readonly dt: number
  /** The longest stable step. */
  readonly stable: number
  /** A sample is taken every so many steps. */
  readonly every: number
}

/** Samples of the budget at most, the start not counted. */
const SAMPLES_MAX = 60

/** A quotient that rounding put a little above a whole number counts as that number. */
const STEP_SLACK = 1e-9

/** The steps of a plate's run. */
export const scheduleOf = (input: FractureInput): Schedule => {
  const stable = stableStep(latticeOf(input), input.rho)
  const steps = Math.max(1, Math.ceil(input.time / (input.courant * stable) - STEP_SLACK))
  const every = Math.ceil(steps / SAMPLES_MAX)
  return { steps, dt: input.time / steps, stable, every }
}

/** The state that a run begins from. */
export const startOf = (input: FractureInput, lattice: Lattice): PlateState => {
  const { nx, ny, dx, height } = lattice
  const { start } = input
  if (start !== undefined) {
    const { ux, uy, vx, vy, bonds } = start
    const [a, b, c, d] = [ux, uy, vx, vy].map((it) => Float64Array.from(it))
    return { ux: a, uy: b, vx: c, vy: d, bonds: Int32Array.from(bonds) } as PlateState
  }
  const zero = (): Float64Array => new Float64Array(nx * ny)
  const uy = zero().map((_, node) => input.strain * ((Math.floor(node / nx) + 0.5) * dx - height / 2))
  return { ux: zero(), uy, vx: zero(), vy: zero(), bonds: bondsAtStart(lattice, input.crack) }
}
