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
