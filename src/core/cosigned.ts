/** One cosignature of a log by one witness: leaves of the tree, and the POSIX second that the witness signed. */
export interface CosignedPoint {
  readonly size: number
  readonly seconds: number
}

/** Age in seconds up to which every second has a place of its own: 2,636 ticks, more than the 1,647 of any window. */
const FINE_SECONDS = 2_048
/** Seconds beyond every calendar; a cosignature that claims one says nothing. It bounds the levels below. */
export const COSIGNED_SECONDS_MAX = 68_719_476_736
/** Levels of coarseness that there are seconds for. */
const LEVELS_MAX = 26

/** Points that one list can have: the fine seconds, and half as many cells on each level. */
export const COSIGNED_POINTS_MAX = FINE_SECONDS + 2 + LEVELS_MAX * (FINE_SECONDS / 2 + 2)

/** How wide the cell is that a second falls into, seen from the newest second of its list. */
const widthAt = (seconds: number, newest: number): number => {
  let width = 1
  for (let age = FINE_SECONDS; age <= newest; age *= 2) {
    // Aligned to the wider grid, so that cells of two widths never overlap.
    const wider = width * 2
    if (seconds >= Math.floor((newest - age) / wider) * wider) return width
    width = wider
  }
  return width
}

const cellAt = (seconds: number, newest: number): number => {
  const width = widthAt(seconds, newest)
  return Math.floor(seconds / width) * width
}

/**
 * Brings the cosignatures of one log by one witness into a list that is bounded: ascending by size and by second. What
 * it is read for is the first second at which the witness had signed a tree that holds a leaf ({@link firstCover}).
 *
 * Time is cut into cells: seconds while they are as young as any window is long, and ever wider ones behind it, a
 * 1,024th of their age at most. Of each cell the largest tree stands, and no tree stands that an earlier cell exceeds.
 *
 * **Why this is sound.** A point that goes leaves the leaves it covered to a later point, so an event can only look
 * later than it was, never earlier, by no more than a 1,024th of its age, and not at all while a window of 1,647 ticks
 * is open. And the list does not depend on the order in which its points came: the cells at a later `newest` are unions
 * of cells at an earlier one, so whatever a point was dropped for stands in its cell or before it for ever after, with
 * a tree at least as large.
 *
 * @param newest the largest second ever seen of this witness for this log, those of points that went included.
 */
export const coarsened = <P extends CosignedPoint>(points: readonly P[], newest: number): readonly P[] => {
  const kept: P[] = []
  let cell = Number.NEGATIVE_INFINITY
  for (const point of [...points].sort((a, b) => a.seconds - b.seconds || b.size - a.size)) {
    if (point.size <= (kept.at(-1)?.size ?? 0)) continue
    const its = cellAt(point.seconds, newest)
    if (its === cell) kept.pop()
    kept.push(point)
    cell = its
  }
  return kept
}

/** The first second of a list at which a tree was signed that holds a leaf; undefined without one. */
export const firstCover = (points: readonly CosignedPoint[], leaf: number): number | undefined => {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((points[middle]?.size ?? 0) > leaf) high = middle
    else low = middle + 1
  }
  return points[low]?.seconds
}
