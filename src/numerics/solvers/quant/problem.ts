import { log, sqrt } from '#numerics/math.ts'
import { PATHS_MIN, type QuantInput } from './schema.ts'

/** Operations of a path, and of each of its random numbers (scrambling, the quantile, its share of the bridge). */
const PATH_OPERATIONS = 60
const NUMBER_OPERATIONS = 70

/** Work that paths nobody asked for may take, in millions of operations: what a caller without a key may spend. */
const UNASKED_WORK_MAX = 5_000
/** Paths that are never too many. */
const UNASKED_MIN = 65_536

/** Steps of a path: averaging dates, steps under a barrier, or none. */
export const stepsOf = ({ product, asian, barrier }: QuantInput): number =>
  product === 'asian' ? asian.dates : product === 'barrier' ? barrier.steps : 1

/** Millions of operations of so many paths, and of the short run before them. */
export const workAt = (input: QuantInput, paths: number): number =>
  ((paths + PATHS_MIN) * (PATH_OPERATIONS + NUMBER_OPERATIONS * stepsOf(input))) / 1e6

/** How many standard deviations of the average an asian option is out of the money; below 0 in the money. */
const awayOf = ({ S, K, r, q, sigma, T, right, asian: { dates: n } }: QuantInput): number => {
  const deviation = sigma * sqrt((T * (n + 1) * (2 * n + 1)) / (6 * n * n))
  const away = (log(K / S) - ((r - q - (sigma * sigma) / 2) * T * (n + 1)) / (2 * n)) / deviation
  return right === 'call' ? away : -away
}

/** Paths by which four standard errors were within 0.1 % wherever it was tried: more, the less of them pay. */
const enough = (input: QuantInput): number => {
  const { product, barrier } = input
  if (product === 'asian') return awayOf(input) > 2 ? 4_194_304 : awayOf(input) > 0.75 ? 1_048_576 : 262_144
  return product === 'barrier' && barrier.steps > 4 ? 4_194_304 : 262_144
}

/** Paths of an input: those asked for, or else as many as its target needs, as long as a caller without a key may. */
export const pathsOf = (input: QuantInput): number => {
  if (input.paths !== undefined) return input.paths
  let paths = enough(input)
  while (paths > UNASKED_MIN && workAt(input, paths) > UNASKED_WORK_MAX) paths /= 2
  return paths
}
