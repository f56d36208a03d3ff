import { cbrt, sqrt } from '#numerics/math.ts'
import { inverseNormal } from '#numerics/methods/normal.ts'
import { streamOf } from '#numerics/methods/random.ts'
import type { EvolveInput } from './schema.ts'

/** Places n × 3, then velocities n × 3. */
export type AtomState = Float64Array

/** Side of the cube. */
export const boxOf = ({ n, density }: Pick<EvolveInput, 'n' | 'density'>): number => cbrt(n / density)

/** Cubic cells along a side of the face-centred lattice: the fewest whose sites hold all atoms. */
export const latticeCells = (n: number): number => {
  let cells = 1
  while (4 * cells * cells * cells < n) cells++
  return cells
}

// The sites of a cell, in units of its side.
const SITES = [
  [0, 0, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
] as const

/** Atoms on the sites of a face-centred lattice; where there are more sites than atoms the gaps are spread evenly. */
const onLattice = (input: EvolveInput, into: AtomState): void => {
  const { n } = input
  const cells = latticeCells(n)
  const sites = 4 * cells * cells * cells
  const a = boxOf(input) / cells
  for (let i = 0; i < n; i++) {
    const site = Math.floor((i * sites) / n)
    const corner = Math.floor(site / 4)
    const cell = [Math.floor(corner / (cells * cells)), Math.floor(corner / cells) % cells, corner % cells]
    const within = SITES[(site % 4) as 0 | 1 | 2 | 3]
    for (let axis = 0; axis < 3; axis++) into[3 * i + axis] = a * ((cell[axis] ?? 0) + (within[axis] ?? 0))
  }
}

/** Maxwell's velocities, without a mean and scaled to the temperature exactly: 2K = 3·(n − 1)·T. */
const fromSeed = ({ n, temperature, seed }: EvolveInput, into: AtomState): void => {
  const stream = streamOf(seed, 0)
  const mean = [0, 0, 0]
  for (let k = 0; k < 3 * n; k++) {
    const v = inverseNormal(stream.uniform(k))
    into[3 * n + k] = v
    mean[k % 3] = (mean[k % 3] ?? 0) + v / n
  }
  let twice = 0
  for (let k = 0; k < 3 * n; k++) {
    const v = into[3 * n + k] - (mean[k % 3] ?? 0)
    into[3 * n + k] = v
    twice += v * v
  }
  const factor = sqrt((3 * (n - 1) * temperature) / twice)
  for (let k = 3 * n; k < 6 * n; k++) into[k] *= factor
}

/** The state at time 0. */
export const startOf = (input: EvolveInput): AtomState => {
  const { n, initial } = input
  const state = new Float64Array(6 * n)
  if (initial === undefined) {
    onLattice(input, state)
    fromSeed(input, state)
  } else {
    state.set(initial.positions)
    state.set(initial.velocities, 3 * n)
  }
  return state
}

/** Pairs of atoms of the longest neighbour list: 256 MB. */
export const PAIRS_MAX = 64_000_000

/** Pairs of the list that a run evaluates, at the mean density. */
export const pairsExpected = ({ n, density, cutoff, skin }: EvolveInput): number => {
  const reach = cutoff + skin
  return Math.min((n * (n - 1)) / 2, n * density * 2.0944 * reach * reach * reach)
}
