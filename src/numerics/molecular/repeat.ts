import { pow, sqrt } from '#numerics/math.ts'
import type { Neighbours } from './near.ts'

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
  /** Forces n × 3 on the atoms: minus the gradient of the potential energy. */
  readonly forces: Float64Array
}

/** A law with whoever knows which pairs are near. */
export interface Reach {
  readonly law: Law
  readonly neighbours: Neighbours
}

/**
 * Sums and forces over all pairs within the cutoff.
 *
 * @param each told the distance of each pair.
 */
export const pairSums = (places: Float64Array, { law, neighbours }: Reach, each?: (r: number) => void): PairSums => {
  const { box, cutoff, energyAtCutoff, slopeAtCutoff } = law
  const [limit, inverse] = [cutoff * cutoff, 1 / box]
  const forces = new Float64Array(places.length)
  let potential = 0
  let virial = 0
  neighbours(places, ({ heads, ends, partners, count }) => {
    let k = 0
    // Summed here and not outside: numbers that a closure holds are made anew at each change.
    let energy = 0
    let turned = 0
    for (let head = 0; head < count; head++) {
      const i = 3 * heads[head]
      const x = places[i]
      const y = places[i + 1]
      const z = places[i + 2]
      let sumX = 0
      let sumY = 0
      let sumZ = 0
      for (; k < ends[head]; k++) {
        const j = 3 * partners[k]
        let dx = places[j] - x
        let dy = places[j + 1] - y
        let dz = places[j + 2] - z
        dx -= box * Math.floor(dx * inverse + 0.5)
        dy -= box * Math.floor(dy * inverse + 0.5)
        dz -= box * Math.floor(dz * inverse + 0.5)
        const r2 = dx * dx + dy * dy + dz * dz
        if (!(r2 < limit)) continue
        const r = sqrt(r2)
        const inverse2 = 1 / r2
        const attraction = inverse2 * inverse2 * inverse2
        const repulsion = attraction * attraction
        energy += 4 * (repulsion - attraction) - energyAtCutoff - slopeAtCutoff * (r - cutoff)
        // −r·u′(r), and over r² the force along the difference j − i.
        const push = 24 * (2 * repulsion - attraction) + slopeAtCutoff * r
        turned += push
        const along = push * inverse2
        const fx = along * dx
        const fy = along * dy
        const fz = along * dz
        forces[j] += fx
        forces[j + 1] += fy
        forces[j + 2] += fz
        sumX += fx
        sumY += fy
        sumZ += fz
        if (each !== undefined) each(r)
      }
      forces[i] -= sumX
      forces[i + 1] -= sumY
      forces[i + 2] -= sumZ
    }
    potential += energy
    virial += turned
  })
  return { potential, virial, forces }
}

/**
 * The places a time `span` later by one step of Nyström's method of fourth order (Hairer, Nørsett, Wanner, Solving
 * Ordinary Differential Equations I, II.14): of another family than velocity-Verlet, over so short a time that its own
 * error is far below what is looked for. Places need forces at the start and at half the time alone.
 *
 * @param begin forces in the state, where they are known.
 */
export const repeat = (state: Float64Array, span: number, reach: Reach, begin?: Float64Array): Float64Array => {
  const half = state.length / 2
  const places = state.subarray(0, half)
  const velocities = state.subarray(half)
  const first = begin ?? pairSums(places, reach).forces
  const middle = places.map((x, k) => x + (span / 2) * velocities[k] + ((span * span) / 8) * first[k])
  const second = pairSums(middle, reach).forces
  return places.map((x, k) => x + span * velocities[k] + ((span * span) / 6) * (first[k] + 2 * second[k]))
}
