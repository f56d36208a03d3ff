import { lengthOf, type State, weightedMean } from './measures.ts'
import { type Attraction, reintegrate } from './recompute-motion.ts'

/** Segments of a run that are integrated again, when all of them can be afforded. */
const SEGMENTS = 20
/** Pairs that the check may evaluate for them, at least; about 0.1 s. */
export const PAIRS_MIN = 12_000_000
/** Derivatives that a segment is expected to take. */
const DERIVATIVES_EXPECTED = 90

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

/** How the run is cut: segments of `span` kept intervals, of which every one or an even sample is integrated again. */
const cut = (intervals: number, n: number, budget: number) => {
  const span = Math.max(1, Math.floor(intervals / SEGMENTS))
  const segments = Math.floor(intervals / span)
  const affordable = Math.max(2, Math.floor(budget / (DERIVATIVES_EXPECTED * n * n)))
  const taken = Math.min(segments, affordable)
  const index = (k: number): number => (taken === 1 ? 0 : Math.floor((k * (segments - 1)) / (taken - 1)))
  const last = (k: number): number => (index(k) === segments - 1 ? intervals : (index(k) + 1) * span)
  return { segments, starts: Array.from({ length: taken }, (_, k) => ({ from: index(k) * span, to: last(k) })) }
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

/**
 * Re-integration of segments from states that were kept: mean distance at their ends times their number, in percent of
 * each body's own displacement. Blind to how errors grow from one segment into the next.
 */
export const segmentPct = (run: KeptRun, attraction: Attraction, budget: number): number => {
  const { states, times } = run
  const { masses } = attraction
  const n = masses.length
  const shifts = displacements(states, masses)
  const place = shifts.reduce((least, it) => Math.min(least, it), Number.POSITIVE_INFINITY)
  const velocity = states.reduce((most, state) => Math.max(most, fastest(state, masses)), 0)
  // Places far from the origin have fewer digits left for the scale that counts.
  const scales = { place: Math.max(place, 1e-2 * farthest(states, n)), velocity }
  const { segments, starts } = cut(states.length - 1, n, budget)
  let left = Math.floor(budget / (n * n)) + 20 * DERIVATIVES_EXPECTED
  let sum = 0
  for (const { from, to } of starts) {
    const again = reintegrate(states[from] as State, times[to] - times[from], {
      attraction,
      scales,
      derivativesMax: left,
    })
    if (again === undefined) return Number.NaN
    left -= again.derivatives
    const end = states[to] as State
    let worst = 0
    for (let i = 0; i < n; i++) {
      const at = 3 * i
      const off = lengthOf([
        again.state[at] - end[at],
        again.state[at + 1] - end[at + 1],
        again.state[at + 2] - end[at + 2],
      ])
      worst = Math.max(worst, off / shifts[i])
    }
    sum += worst
  }
  return (100 * sum * segments) / starts.length
}
