import type { Interval } from '#numerics/methods/interval.ts'
import type { Expression } from '#numerics/operators/grammar.ts'
import { leastOver } from '#numerics/solvers/opt/enclosure.ts'

/**
 * A box in the unit cube of the problem's own box, by the place and the depth of each axis: [k/2^depth, (k +
 * 1)/2^depth].
 */
export interface Part {
  readonly place: readonly number[]
  readonly depth: readonly number[]
}

/** Halvings along an axis at most: parts are then 6e-5 of the box wide. */
export const DEPTH_MAX = 14
/** Parts that a proof may have. */
export const PARTS_MAX = 400_000
/** Mark of a part that is not divided; otherwise the axis along which it is halved, the lower half first. */
export const LEAF = 255

/** A part's edges along an axis, in units of the coordinates. */
const edge = (from: number, to: number, place: number, depth: number): number => {
  const parts = 1 << depth
  return place === parts ? to : from + (to - from) * (place / parts)
}

/** The intervals of a part. Neighbours share their edges bit for bit. */
export const boxOf = (part: Part, lower: ArrayLike<number>, upper: ArrayLike<number>): readonly Interval[] =>
  part.place.map((place, axis): Interval => {
    const [from, to] = [lower[axis] as number, upper[axis] as number]
    const depth = part.depth[axis] ?? 0
    return [edge(from, to, place, depth), edge(from, to, place + 1, depth)]
  })

/** The two halves of a part along an axis. */
export const halvesOf = ({ place, depth }: Part, axis: number): readonly [Part, Part] => {
  const finer = depth.map((d, k) => (k === axis ? d + 1 : d))
  const at = (half: number): Part => ({ place: place.map((p, k) => (k === axis ? 2 * p + half : p)), depth: finer })
  return [at(0), at(1)]
}

/** The whole box. */
export const wholeOf = (dimension: number): Part => ({
  place: Array.from({ length: dimension }, () => 0),
  depth: Array.from({ length: dimension }, () => 0),
})

/**
 * Whether the function only rises or only falls along some axis across a part and goes on beyond the side where it is
 * lower: no minimum of the box can lie in such a part, its edges included, because the slope there is not zero.
 */
export const isSlope = ({ place, depth }: Part, slopes: readonly Interval[]): boolean =>
  slopes.some(([low, high], axis) => {
    const last = (1 << (depth[axis] ?? 0)) - 1
    return (low > 0 && (place[axis] ?? 0) > 0) || (high < 0 && (place[axis] ?? 0) < last)
  })

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
 * @param told how many parts there are, now and then, and what is found in the middle of a part.
 * @returns in pre-order the axis of each division, and 255 for each part that stayed; undefined when there are too
 * many.
 */
export const divide = (
  { parsed, lower, upper }: Claim,
  value: number,
  told: (parts: number, middle: Float64Array) => void,
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
      told(
        marks.length,
        Float64Array.from(box, ([low, high]) => low + (high - low) / 2),
      )
    if (axis < 0) continue
    const [first, second] = halvesOf(part, axis)
    waiting.push(second, first)
  }
  return Uint8Array.from(marks)
}
