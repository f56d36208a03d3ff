import { sqrt } from '#numerics/math.ts'
import { ERROR_PCT_MAX } from '#numerics/runtime/solver.ts'
import { lengthOf, type State, weightedMean } from './measures.ts'
import { type Attraction, reintegrate } from './recompute-motion.ts'

/** Times after the start at which a run is compared, at most; the end is one of them. */
const STOPS_MAX = 20
/** Error of one step of the reference, as a share of the scales, and of the one that tells how far to trust it. */
const TOLERANCE = 1e-12
const LOOSER = 1e-10
/** Share of the bound up to which a shorter run is suggested. */
const HORIZON_SHARE = 0.5
/** Pairs that the check may evaluate, at least; about half a second. */
export const PAIRS_MIN = 60_000_000

/** Kept states that are compared: an even sample that ends with the last. */
const stopsOf = (intervals: number): readonly number[] => {
  const stops = Math.min(STOPS_MAX, intervals)
  return Array.from({ length: stops }, (_, k) => Math.floor(((k + 1) * intervals) / stops))
}

/**
 * Each body's largest displacement from its start, the barycentre's own motion taken out; never below 0.1 % of the
 * largest.
 */
const displacements = (states: readonly State[], masses: Float64Array): Float64Array => {
  const n = masses.length
  const first = states[0] as State
  const start = weightedMean(first, masses, 0)
  const largest = new Float64Array(n)
  for (const state of states) {
    const [x, y, z] = weightedMean(state, masses, 0).map((c, axis) => c - (start[axis] ?? 0)) as [
      number,
      number,
      number,
    ]
    for (let i = 0; i < n; i++) {
      const at = 3 * i
      const moved: [number, number, number] = [
        state[at] - first[at] - x,
        state[at + 1] - first[at + 1] - y,
        state[at + 2] - first[at + 2] - z,
      ]
      largest[i] = Math.max(largest[i], lengthOf(moved))
    }
  }
  const floor = 1e-3 * largest.reduce((most, it) => Math.max(most, it), 0)
  return largest.map((it) => Math.max(it, floor))
}

/** Speed of the fastest body in the barycentric frame. */
const fastest = (state: State, masses: Float64Array): number => {
  const n = masses.length
  const [x, y, z] = weightedMean(state, masses, n)
  let most = 0
  for (let at = 3 * n; at < 6 * n; at += 3) {
    most = Math.max(most, lengthOf([state[at] - x, state[at + 1] - y, state[at + 2] - z]))
  }
  return most
}

/** The largest coordinate of any place. */
const farthest = (states: readonly State[], n: number): number => {
  let most = 0
  for (const state of states) for (let k = 0; k < 3 * n; k++) most = Math.max(most, Math.abs(state[k]))
  return most
}

/** The states that were kept, and their times. */
export interface KeptRun {
  readonly states: readonly State[]
  readonly times: Float64Array
}

/** Root mean square distance from the barycentre, weighted by mass: the value. */
const sizeOf = (state: State, masses: Float64Array): number => {
  const [x, y, z] = weightedMean(state, masses, 0)
  const total = masses.reduce((sum, m) => sum + m, 0)
  const squares = masses.reduce((sum, m, i) => {
    const off = lengthOf([state[3 * i] - x, state[3 * i + 1] - y, state[3 * i + 2] - z])
    return sum + (m / total) * off * off
  }, 0)
  return sqrt(squares)
}

/** How far two states are apart: the worst body on its own displacement, and the value, in percent. */
const apartPct = (a: State, b: State, { masses, shifts }: { masses: Float64Array; shifts: Float64Array }): number => {
  const [size, other] = [sizeOf(a, masses), sizeOf(b, masses)]
  let worst = size === other ? 0 : Math.abs(size - other) / other
  for (let i = 0; i < masses.length; i++) {
    const at = 3 * i
    const off = lengthOf([a[at] - b[at], a[at + 1] - b[at + 1], a[at + 2] - b[at + 2]])
    worst = Math.max(worst, off === 0 ? 0 : off / shifts[i])
  }
  return 100 * worst
}

/** What a run is off, in percent, and how much of that is not known. */
export interface PathErrors {
  /** The run against the reference, from the start on: the largest at any of the times looked at. */
  readonly pathPct: number
  /** The reference against one of a hundredth of its digits: what neighbouring orbits make of a last digit. */
  readonly referencePct: number
  /** The time up to which a run would pass; 0 where there is none. */
  readonly horizon: number
}

const UNKNOWN: PathErrors = { pathPct: Number.NaN, referencePct: Number.NaN, horizon: 0 }

/**
 * The whole run again from its start, by an integrator that shares nothing with it, and compared at times up to the
 * end: errors that grow on the way are in it. A second one of less digits tells how far the first can be trusted.
 *
 * @param budget pairs that both may evaluate.
 * @returns no numbers where that does not suffice.
 */
export const pathErrors = (run: KeptRun, attraction: Attraction, budget: number): PathErrors => {
  const { states, times } = run
  const { masses } = attraction
  const n = masses.length
  const shifts = displacements(states, masses)
  const place = shifts.reduce((least, it) => Math.min(least, it), Number.POSITIVE_INFINITY)
  const velocity = states.reduce((most, state) => Math.max(most, fastest(state, masses)), 0)
  // Places far from the origin have fewer digits left for the scale that counts.
  const scales = { place: Math.max(place, 1e-2 * farthest(states, n)), velocity }
  let left = Math.floor(budget / (n * n))
  const begin = (tolerance: number) => ({ tolerance, at: states[0] as State, step: undefined as number | undefined })
  const references = [begin(TOLERANCE), begin(LOOSER)] as const
  let [pathPct, referencePct, horizon, from] = [0, 0, 0, 0]
  for (const to of stopsOf(states.length - 1)) {
    for (const it of references) {
      const by = { attraction, scales, tolerance: it.tolerance, derivativesMax: left, step: it.step }
      const again = reintegrate(it.at, times[to] - times[from], by)
      if (again === undefined) return { ...UNKNOWN, horizon }
      left -= again.derivatives
      it.at = again.state
      it.step = again.step
    }
    const [own, fine, loose] = [states[to] as State, references[0].at, references[1].at]
    pathPct = Math.max(pathPct, apartPct(own, fine, { masses, shifts }))
    referencePct = Math.max(referencePct, apartPct(loose, fine, { masses, shifts }))
    // A run that ends here has moved less far: the same distances are more of it.
    const sofar = { masses, shifts: displacements(states.slice(0, to + 1), masses) }
    const within = apartPct(own, fine, sofar) + apartPct(loose, fine, sofar) <= HORIZON_SHARE * ERROR_PCT_MAX
    if (within && horizon === times[from]) horizon = times[to]
    from = to
  }
  return { pathPct, referencePct, horizon }
}
