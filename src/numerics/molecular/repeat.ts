import { pow, sqrt } from '#numerics/math.ts'
import { eachPair } from './pairs.ts'

/** The law as the check has it: the plain potential and its slope at the cutoff, by powers. */
export interface Law {
  readonly box: number
  readonly cutoff: number
  readonly energyAtCutoff: number
  /** u′ at the cutoff. */
  readonly slopeAtCutoff: number
}

/** The law for a box and a cutoff. */
export const lawOf = (box: number, cutoff: number): Law => ({
  box,
  cutoff,
  energyAtCutoff: 4 * (pow(cutoff, -12) - pow(cutoff, -6)),
  slopeAtCutoff: 4 * (6 * pow(cutoff, -7) - 12 * pow(cutoff, -13)),
})

/** What all pairs of a state add up to. */
export interface PairSums {
  readonly potential: number
  /** Σ r·F. */
  readonly virial: number
}

/**
 * Sums over all pairs within the cutoff.
 *
 * @param each told the distance of each pair.
 */
export const pairSums = (places: Float64Array, law: Law, each?: (r: number) => void): PairSums => {
  const { box, cutoff, energyAtCutoff, slopeAtCutoff } = law
  let potential = 0
  let virial = 0
  eachPair({ places, box, reach: cutoff }, (_i, _j, _d, r2) => {
    const r = sqrt(r2)
    const attraction = 1 / (r2 * r2 * r2)
    const repulsion = attraction * attraction
    potential += 4 * (repulsion - attraction) - energyAtCutoff - slopeAtCutoff * (r - cutoff)
    virial += 24 * (2 * repulsion - attraction) + slopeAtCutoff * r
    each?.(r)
  })
  return { potential, virial }
}

/** Forces n × 3 on the atoms: minus the gradient of the potential energy. */
export const forcesAt = (places: Float64Array, { box, cutoff, slopeAtCutoff }: Law): Float64Array => {
  const forces = new Float64Array(places.length)
  eachPair({ places, box, reach: cutoff }, (i, j, d, r2) => {
    const attraction = 1 / (r2 * r2 * r2)
    // −u′(r)/r, along the difference j − i.
    const along = (24 * attraction * (2 * attraction - 1)) / r2 + slopeAtCutoff / sqrt(r2)
    const [fx, fy, fz] = [along * d[0], along * d[1], along * d[2]]
    forces[3 * j] += fx
    forces[3 * j + 1] += fy
    forces[3 * j + 2] += fz
    forces[3 * i] -= fx
    forces[3 * i + 1] -= fy
    forces[3 * i + 2] -= fz
  })
  return forces
}

/**
 * The state a time `span` later by one step of the classical Runge–Kutta method: of another family than
 * velocity-Verlet, over so short a time that its own error is far below what is looked for.
 */
export const repeat = (state: Float64Array, span: number, law: Law): Float64Array => {
  const half = state.length / 2
  const rate = (at: Float64Array): Float64Array => {
    const by = new Float64Array(at.length)
    by.set(at.subarray(half))
    by.set(forcesAt(at.subarray(0, half), law), half)
    return by
  }
  const ahead = (by: Float64Array, t: number): Float64Array => state.map((x, k) => x + t * by[k])
  const a = rate(state)
  const b = rate(ahead(a, span / 2))
  const c = rate(ahead(b, span / 2))
  const d = rate(ahead(c, span))
  return state.map((x, k) => x + (span / 6) * (a[k] + 2 * b[k] + 2 * c[k] + d[k]))
}
