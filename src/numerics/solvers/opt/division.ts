import type { Interval } from '#numerics/methods/interval.ts'

/**
 * A box in the unit cube of the problem's own box, by the place and the depth of each axis: [k/2^depth, (k +
 * 1)/2^depth].
 */
export interface Part {
  readonly place: readonly number[]
  readonly depth: readonly number[]
}

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
