import type { Layout } from '#numerics/solvers/device/problem.ts'
import type { Fluxes } from '#numerics/solvers/device/schema.ts'
import { EPSILON_0 } from './solve.ts'

/** Energies per length, in J/m. */
export interface Energies {
  /** Of the potential. */
  readonly energy: number
  /**
   * Half the energy of what the displacement and the potential's own disagree by. The potential and the displacement
   * are, in energy, at most twice this apart from the true field (Prager, Synge, Quart. Appl. Math. 5 (1947) 241).
   */
  readonly gap: number
  /** Largest field at the middle of a cell, V/m. */
  readonly fieldMax: number
}

/** ∫ of the square of a quantity that goes linearly from a to b over a unit length. */
const square = (a: number, b: number): number => (a * a + a * b + b * b) / 3

/** Energies of a bilinear potential and of its disagreement with fluxes, integrated exactly over each cell. */
export const energiesOf = (layout: Layout, potential: Float64Array, fluxes: Fluxes): Energies => {
  const { nx, ny, dx, dy, permittivity, metal } = layout
  const width = nx + 1
  let energy = 0
  let gap = 0
  let most = 0
  for (let row = 0; row < ny; row++) {
    for (let column = 0; column < nx; column++) {
      const cell = row * nx + column
      if (metal[cell] >= 0) continue
      const node = row * width + column
      const sw = potential[node]
      const se = potential[node + 1]
      const nw = potential[node + width]
      const ne = potential[node + width + 1]
      const e = permittivity[cell]
      const along = e * (dy / dx)
      const across = e * (dx / dy)
      const low = se - sw
      const high = ne - nw
      const left = nw - sw
      const right = ne - se
      const own = along * square(low, high) + across * square(left, right)
      energy += own
      const west = fluxes.x[node]
      const east = fluxes.x[node + 1]
      const south = fluxes.y[cell]
      const north = fluxes.y[cell + nx]
      const other = square(west, east) / along + square(south, north) / across
      gap += own + other + ((low + high) * (west + east) + (left + right) * (south + north)) / 2
      const ex = (low + high) / (2 * dx)
      const ey = (left + right) / (2 * dy)
      most = Math.max(most, ex * ex + ey * ey)
    }
  }
  return { energy: (EPSILON_0 * energy) / 2, gap: (EPSILON_0 * Math.max(0, gap)) / 2, fieldMax: Math.sqrt(most) }
}

/**
 * Bounds of the true energy. Without charge the potential's energy is above it, without voltages below it; with both it
 * may be either. The potential must be the one of least energy for its grid.
 */
export const boundsOf = (
  { potentials, charged }: Pick<Layout, 'potentials' | 'charged'>,
  { energy, gap }: Pick<Energies, 'energy' | 'gap'>,
): { readonly lower: number; readonly upper: number } => ({
  lower: energy - (potentials.length > 1 ? gap : 0),
  upper: energy + (charged ? gap : 0),
})
