/** Numerov's T where a wall is so high that the step no longer follows the decay in it: the wall is cut off there. */
const T_MAX = 0.2

/** y″ = Q·y on even steps h from the left end to the right one; h²·Q/12 = fixed − energy·perEnergy at each step. */
export interface Shot {
  readonly fixed: Float64Array
  readonly perEnergy: Float64Array
  /** y one step right of the left end divided by y there; infinite when y vanishes there. */
  readonly start: number
}

/**
 * Nodes inside the ends of the solution that starts at the left one: by Sturm's theorem the number of levels below the
 * energy, when states vanish at the right end. Numerov's scheme in ratios (Johnson, J. Chem. Phys. 67 (1977) 4086): a
 * negative ratio is a step over a zero, that is a turn of the Prüfer phase past a multiple of π. Nothing grows, and
 * levels however close are counted.
 */
export const countNodes = ({ fixed, perEnergy, start }: Shot, energy: number): number => {
  let inverse = 1 / start
  let nodes = 0
  for (let n = 1; n < fixed.length; n++) {
    const T = Math.min(T_MAX, fixed[n] - energy * perEnergy[n])
    const ratio = (2 + 10 * T) / (1 - T) - inverse
    if (ratio < 0) nodes++
    inverse = 1 / ratio
  }
  return nodes
}
