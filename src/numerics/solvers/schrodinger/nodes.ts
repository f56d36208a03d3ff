/** Numerov's T where a wall is so high that the step no longer follows the decay in it: the wall is cut off there. */
const T_MAX = 0.2

/** y″ = Q·y on even steps h from the left end to the right one; h²·Q/12 = fixed − energy·perEnergy at each step. */
export interface Shot {
  readonly fixed: Float64Array
  readonly perEnergy: Float64Array
  /** y one step right of the left end divided by y there; infinite when y vanishes there. */
  readonly start: number
}

/** And where a well is so deep that a step means nothing any more; the node counts are those of any depth beyond. */
const T_MIN = -1e15
/** Steps between two rescalings: no number grows by more than 1e17 in one. */
const STRETCH = 16

/**
 * Nodes inside the ends of the solution that starts at the left one: by Sturm's theorem the number of levels below the
 * energy, when states vanish at the right end. Numerov's scheme (Johnson, J. Chem. Phys. 67 (1977) 4086): a change of
 * sign is a step over a zero, that is a turn of the Prüfer phase past a multiple of π. Numbers are rescaled on the way,
 * and levels however close are counted.
 */
export const countNodes = (shot: Shot, energy: number): number => nodesOfBoth(shot, energy, energy)[0]

/** {@link countNodes} of two energies in one pass: the steps of one wait for each other, those of two side by side. */
export const nodesOfBoth = (
  { fixed, perEnergy, start }: Shot,
  low: number,
  high: number,
): readonly [below: number, above: number] => {
  // (1 − T)·y at a step, and at the one before it times (1 − T) here: without a division.
  let [p, q, r, s] = [1, 1 / start, 1, 1 / start]
  let [below, above] = [0, 0]
  let [lowNegative, highNegative] = [false, false]
  for (let from = 1; from < fixed.length; from += STRETCH) {
    const to = Math.min(fixed.length, from + STRETCH)
    for (let n = from; n < to; n++) {
      const free = fixed[n]
      const per = perEnergy[n]
      const lowT = Math.max(T_MIN, Math.min(T_MAX, free - low * per))
      const highT = Math.max(T_MIN, Math.min(T_MAX, free - high * per))
      const lowNext = (2 + 10 * lowT) * p - (1 - lowT) * q
      const highNext = (2 + 10 * highT) * r - (1 - highT) * s
      q = (1 - lowT) * p
      s = (1 - highT) * r
      p = lowNext
      r = highNext
      if (lowNegative ? p > 0 : p < 0) {
        below++
        lowNegative = !lowNegative
      }
      if (highNegative ? r > 0 : r < 0) {
        above++
        highNegative = !highNegative
      }
    }
    const [lowSize, highSize] = [Math.abs(p) + Math.abs(q), Math.abs(r) + Math.abs(s)]
    p /= lowSize
    q /= lowSize
    r /= highSize
    s /= highSize
  }
  return [below, above]
}
