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
  const [way, bend] = [span / 2, (span * span) / 8]
  const middle = new Float64Array(half)
  for (let k = 0; k < half; k++) middle[k] = places[k] + way * velocities[k] + bend * first[k]
  const second = sums(middle).forces
  const share = (span * span) / 6
  const end = new Float64Array(half)
  for (let k = 0; k < half; k++) end[k] = places[k] + span * velocities[k] + share * (first[k] + 2 * second[k])
  return end
}
