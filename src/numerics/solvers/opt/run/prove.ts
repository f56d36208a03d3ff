import type { Interval } from '#numerics/methods/interval.ts'
import type { Expression } from '#numerics/operators/grammar.ts'
import { boxOf, halvesOf, isSlope, LEAF, PARTS_MAX, type Part, wholeOf } from '#numerics/solvers/opt/division.ts'
import { leastOver } from '#numerics/solvers/opt/enclosure.ts'

/** Halvings along an axis at most: parts are then 6e-5 of the box wide. */
export const DEPTH_MAX = 14

/** A problem whose minimum is to be proved. */
export interface Claim {
  readonly parsed: Expression
  readonly lower: Float64Array
  readonly upper: Float64Array
}

/** The axis whose slope makes the most of its width. */
const widest = (part: Part, box: readonly Interval[], slopes: readonly Interval[]): number => {
  let [best, most] = [-1, -1]
  for (const [axis, [low, high]] of slopes.entries()) {
    if ((part.depth[axis] ?? 0) >= DEPTH_MAX) continue
    const [from, to] = box[axis] as Interval
    const swing = Math.max(Math.abs(low), Math.abs(high)) * (to - from)
    const share = Number.isFinite(swing) ? swing : Number.MAX_VALUE / (1 + (part.depth[axis] ?? 0))
    if (share > most) [best, most] = [axis, share]
  }
  return best
}

/**
 * Divides the box until every part is above `value`, a mere slope, or as small as parts get (Hansen, Walster, Global
 * Optimization Using Interval Analysis, 2nd ed., ch. 12).
 *
 * @param report told how many parts there are, now and then, and what is found in the middle of a part.
 * @returns in pre-order the axis of each division, and 255 for each part that stayed; undefined when there are too
 * many.
 */
export const divide = (
  { parsed, lower, upper }: Claim,
  value: number,
  report: (parts: number, middle: Float64Array) => void,
): Uint8Array | undefined => {
  const marks: number[] = []
  const waiting: Part[] = [wholeOf(lower.length)]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (marks.length >= PARTS_MAX) return undefined
    const box = boxOf(part, lower, upper)
    const { least, slopes } = leastOver(parsed, box)
    const axis = least > value || isSlope(part, slopes) ? -1 : widest(part, box, slopes)
    marks.push(axis < 0 ? LEAF : axis)
    if (marks.length % 256 === 0)
      report(
        marks.length,
        Float64Array.from(box, ([low, high]) => low + (high - low) / 2),
      )
    if (axis < 0) continue
    const [first, second] = halvesOf(part, axis)
    waiting.push(second, first)
  }
  return Uint8Array.from(marks)
}
