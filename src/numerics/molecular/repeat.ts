import { pow } from '#numerics/math.ts'
import type { Law, PairSums } from './near.ts'

/** The law for a box and a cutoff. */
export const lawOf = (box: number, cutoff: number): Law => ({
  box,
  cutoff,
  energyAtCutoff: 4 * (pow(cutoff, -12) - pow(cutoff, -6)),
  slopeAtCutoff: 4 * (6 * pow(cutoff, -7) - 12 * pow(cutoff, -13)),
})

/**
 * The places a time `span` later by one step of Nyström's method of fourth order (Hairer, Nørsett, Wanner, Solving
 * Ordinary Differential Equations I, II.14): of another family than velocity-Verlet, over so short a time that its own
 * error is far below what is looked for. Places need forces at the start and at half the time alone.
 *
 * @param begin forces in the state, where they are known.
 */
export const repeat = (
  state: Float64Array,
  span: number,
  sums: (places: Float64Array) => PairSums,
  begin?: Float64Array,
): Float64Array => {
  const half = state.length / 2
  const places = state.subarray(0, half)
  const velocities = state.subarray(half)
  const first = begin ?? sums(places).forces
  const middle = places.map((x, k) => x + (span / 2) * velocities[k] + ((span * span) / 8) * first[k])
  const second = sums(middle).forces
  return places.map((x, k) => x + span * velocities[k] + ((span * span) / 6) * (first[k] + 2 * second[k]))
}
