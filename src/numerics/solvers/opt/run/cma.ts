import { exp, log, sqrt } from '#numerics/math.ts'
import { inverseNormal } from '#numerics/methods/normal.ts'
import { type Stream, streamOf } from '#numerics/methods/random.ts'
import type { Progress } from '#numerics/runtime/solver.ts'
import { type Found, type Search, sameValue } from './search.ts'

/** Restarts, each with twice the samples of the one before, up to the largest. */
const RESTARTS_MAX = 64
const SAMPLES_MAX = 4_096
/** Restarts that must end at the least value before it is believed. */
const HITS_WANTED = 3
/** Spread of the last values, as a share of all that was seen, at which a restart ends. */
const FLAT = 1e-14
/** Step, in widths of the box, at which it ends. */
const STEP_MIN = 1e-13
/** Step beyond which a restart has lost its way. */
const STEP_LIMIT = 1e4
const SIGMA_START = 0.3

/** Weights and rates (Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772, table 1, positive weights). */
const ratesOf = (d: number, samples: number) => {
  const mu = samples >> 1
  const raw = Float64Array.from({ length: mu }, (_, i) => log((samples + 1) / 2) - log(i + 1))
  const total = raw.reduce((sum, w) => sum + w, 0)
  const weights = raw.map((w) => w / total)
  const effective = 1 / weights.reduce((sum, w) => sum + w * w, 0)
  const cc = (4 + effective / d) / (d + 4 + (2 * effective) / d)
  const cs = (effective + 2) / (d + effective + 5)
  const c1 = 2 / ((d + 1.3) * (d + 1.3) + effective)
  const cmu = Math.min(1 - c1, (2 * (effective - 2 + 1 / effective)) / ((d + 2) * (d + 2) + effective))
  const damping = 1 + 2 * Math.max(0, sqrt((effective - 1) / (d + 1)) - 1) + cs
  const length = sqrt(d) * (1 - 1 / (4 * d) + 1 / (21 * d * d))
  return { mu, weights, effective, cc, cs, c1, cmu, damping, length }
}

/** The lower factor of a covariance, row by row, or false when it is no longer positive. */
const factorise = (C: Float64Array, d: number, into: Float64Array): boolean => {
  for (let i = 0; i < d; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = C[i * d + j]
      for (let k = 0; k < j; k++) sum -= into[i * d + k] * into[j * d + k]
      if (i === j) {
        if (!(sum > 0)) return false
        into[i * d + i] = sqrt(sum)
      } else into[i * d + j] = sum / into[j * d + j]
    }
  }
  return true
}

/** Folds a coordinate back into [0, 1] as mirrors at both ends would show it. */
const folded = (t: number): number => {
  const turn = t / 2 - Math.floor(t / 2)
  return turn <= 0.5 ? 2 * turn : 2 - 2 * turn
}

interface Strategy {
  readonly search: Search
  readonly samples: number
  readonly normals: () => number
  readonly mean: Float64Array
  readonly spread: () => number
  readonly report: () => void
}

/** A restart under way: covariance with its factor, mean, paths, step, and the samples of one generation. */
interface State {
  readonly C: Float64Array
  readonly A: Float64Array
  readonly mean: Float64Array
  readonly pc: Float64Array
  readonly ps: Float64Array
  /** Samples before and after the factor, and their values. */
  readonly z: readonly Float64Array[]
  readonly y: readonly Float64Array[]
  readonly values: Float64Array
  sigma: number
}

const stateOf = ({ search: { dimension: d }, samples, mean }: Strategy): State => {
  const C = Float64Array.from({ length: d * d }, (_, k) => (k % (d + 1) === 0 ? 1 : 0))
  const rows = (): readonly Float64Array[] => Array.from({ length: samples }, () => new Float64Array(d))
  const [pc, ps] = [new Float64Array(d), new Float64Array(d)]
  return { C, A: C.slice(), mean, pc, ps, z: rows(), y: rows(), values: new Float64Array(samples), sigma: SIGMA_START }
}

/** Draws a generation and evaluates it. @returns its numbers, the best first. */
const generate = ({ search, normals }: Strategy, { A, mean, z, y, values, sigma }: State): readonly number[] => {
  const { box, dimension: d } = search
  const x = new Float64Array(d)
  for (const [s, zs] of z.entries()) {
    const ys = y[s] as Float64Array
    for (let i = 0; i < d; i++) zs[i] = normals()
    for (let i = 0; i < d; i++) {
      let sum = 0
      for (let k = 0; k <= i; k++) sum += A[i * d + k] * zs[k]
      ys[i] = sum
      x[i] = box.lower[i] + folded(mean[i] + sigma * sum) * (box.upper[i] - box.lower[i])
    }
    values[s] = search.evaluate(x)
  }
  return Array.from(values.keys()).sort((a, b) => values[a] - values[b] || a - b)
}

/** Moves mean, paths, covariance and step by the better half of a generation. */
const adapt = (
  state: State,
  ranks: readonly number[],
  { generation, rates }: { readonly generation: number; readonly rates: ReturnType<typeof ratesOf> },
): void => {
  const { C, mean, pc, ps, z, y } = state
  const { mu, weights, effective, cc, cs, c1, cmu, damping, length } = rates
  const d = mean.length
  const better = ranks.slice(0, mu)
  let norm = 0
  const stepY = new Float64Array(d)
  for (let i = 0; i < d; i++) {
    let stepZ = 0
    for (const [r, rank] of better.entries()) {
      stepY[i] += weights[r] * (y[rank] as Float64Array)[i]
      stepZ += weights[r] * (z[rank] as Float64Array)[i]
    }
    mean[i] += state.sigma * stepY[i]
    ps[i] = (1 - cs) * ps[i] + sqrt(cs * (2 - cs) * effective) * stepZ
    norm += ps[i] * ps[i]
  }
  norm = sqrt(norm)
  const young = 1 - exp(2 * generation * log(1 - cs))
  const steady = norm / sqrt(young) < (1.4 + 2 / (d + 1)) * length
  for (let i = 0; i < d; i++) {
    pc[i] = (1 - cc) * pc[i] + (steady ? sqrt(cc * (2 - cc) * effective) * stepY[i] : 0)
  }
  const kept = 1 - c1 - cmu + (steady ? 0 : c1 * cc * (2 - cc))
  for (let i = 0; i < d; i++) {
    for (let j = 0; j <= i; j++) {
      let rank = 0
      for (let r = 0; r < mu; r++) {
        const yr = y[better[r] as number] as Float64Array
        rank += weights[r] * yr[i] * yr[j]
      }
      C[i * d + j] = kept * C[i * d + j] + c1 * pc[i] * pc[j] + cmu * rank
    }
  }
  state.sigma *= exp(Math.min(1, (cs / damping) * (norm / length - 1)))
}

/** The longest step along an axis, in widths of the box. */
const reachOf = ({ C, mean, sigma }: State): number => {
  const d = mean.length
  let widest = 0
  for (let i = 0; i < d; i++) widest = Math.max(widest, C[i * d + i])
  return sigma * sqrt(widest)
}

/** One restart; the least value that it saw. */
const evolve = (strategy: Strategy): number => {
  const { search, samples, spread, report } = strategy
  const d = search.dimension
  const rates = ratesOf(d, samples)
  const state = stateOf(strategy)
  const recent: number[] = []
  const lazy = Math.max(1, Math.floor(1 / (10 * d * (rates.c1 + rates.cmu))))
  const patience = 20 + Math.ceil((30 * d) / samples)
  const generations = 100 + (3_000 * d) / sqrt(samples)
  let least = Number.POSITIVE_INFINITY
  for (let generation = 1; generation <= generations + 1 && !search.spent(); generation++) {
    const ranks = generate(strategy, state)
    const [first, last] = [state.values[ranks[0] as number], state.values[ranks[samples - 1] as number]]
    least = Math.min(least, first)
    report()
    adapt(state, ranks, { generation, rates })
    if (generation % lazy === 0 && !factorise(state.C, d, state.A)) break
    recent.push(first)
    if (recent.length > patience) recent.shift()
    const scale = FLAT * spread()
    const still = recent.length === patience && Math.max(...recent) - Math.min(...recent) <= scale
    if ((still && last - first <= scale) || last - first === 0) break
    const reach = reachOf(state)
    if (!(reach > STEP_MIN) || reach > STEP_LIMIT) break
  }
  return least
}

const normalsOf = (stream: Stream): (() => number) => {
  let place = 0
  return () => inverseNormal(stream.uniform(place++))
}

/**
 * The covariance matrix adaptation evolution strategy with restarts of growing populations (Auger, Hansen, CEC 2005),
 * its covariance held by Cholesky's factor (Suttorp, Hansen, Igel, Machine Learning 75 (2009) 167) and the edges of the
 * box by mirrors. It ends when the least value has been reached three times, or the budget is spent.
 */
export const evolution = (search: Search, seed: number, progress: Progress): Found => {
  const d = search.dimension
  const ends: number[] = []
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const watched: Search = {
    ...search,
    evaluate: (x, slope) => {
      const value = search.evaluate(x, slope)
      if (Number.isFinite(value)) {
        least = Math.min(least, value)
        most = Math.max(most, value)
      }
      return value
    },
  }
  const hits = (): number => ends.filter((end) => sameValue(end, least, most - least)).length
  let samples = 8 + 2 * Math.floor(3 * log(d))
  for (let restart = 0; restart < RESTARTS_MAX && !search.spent(); restart++) {
    const normals = normalsOf(streamOf(seed, 2 * restart))
    const places = streamOf(seed, 2 * restart + 1)
    const mean = Float64Array.from({ length: d }, (_, i) => places.uniform(i))
    const report = (): void => progress({ step: restart, steps: RESTARTS_MAX, residual: least })
    ends.push(evolve({ search: watched, samples, normals, mean, spread: () => most - least, report }))
    if (hits() >= HITS_WANTED) break
    samples = Math.min(SAMPLES_MAX, 2 * samples)
  }
  return { starts: ends.length, hits: hits() }
}
