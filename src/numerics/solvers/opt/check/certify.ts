import type { Interval } from '#numerics/methods/interval.ts'
import type { Expression } from '#numerics/operators/grammar.ts'
import { boxOf, halvesOf, isSlope, LEAF, PARTS_MAX, type Part, wholeOf } from '#numerics/solvers/opt/division.ts'
import { enclose, leastOver } from '#numerics/solvers/opt/enclosure.ts'

/** Parts that may hold the minimum, at most: more are no isolated point. */
const HOLDING_MAX = 4_096
/**
 * Half the width of the box around the point in which the slopes must be able to vanish, in widths of the whole box.
 */
const AROUND = 1e-8

/** What a division of the box proves. */
export interface Certificate {
  /** No value over the box is lower. */
  readonly bound: number
  /**
   * Greatest coordinate distance, in widths of the box, from the point to the end of the parts around it that may
   * hold it.
   */
  readonly distance: number
  /** Separate groups of parts that may hold the minimum. */
  readonly groups: number
  /** An upper end of the value at the point. */
  readonly value: number
  /** What the slopes at the point must come to at least in one coordinate, times that width of the box. */
  readonly slope: number
}

interface Claim {
  readonly parsed: Expression
  readonly lower: Float64Array
  readonly upper: Float64Array
  readonly point: ArrayLike<number>
}

const touch = (a: readonly Interval[], b: readonly Interval[]): boolean =>
  a.every(([low, high], axis) => {
    const [from, to] = b[axis] as Interval
    return low <= to && from <= high
  })

/** Groups of boxes that hang together, each by the numbers of its boxes. */
const groupsOf = (boxes: readonly (readonly Interval[])[]): readonly (readonly number[])[] => {
  const left = new Set(boxes.keys())
  const groups: number[][] = []
  for (const first of boxes.keys()) {
    if (!left.delete(first)) continue
    const group = [first]
    for (let k = 0; k < group.length; k++) {
      const box = boxes[group[k] as number] as readonly Interval[]
      for (const other of [...left]) {
        if (touch(box, boxes[other] as readonly Interval[]) && left.delete(other)) group.push(other)
      }
    }
    groups.push(group)
  }
  return groups
}

/** Whether a point lies in a box, its edges included. */
const holds = (box: readonly Interval[], point: ArrayLike<number>): boolean =>
  box.every(([low, high], axis) => low <= (point[axis] as number) && (point[axis] as number) <= high)

/** How far from zero the slopes stay around the point; outward ones at the edge of the box count as none. */
const slopeAt = ({ parsed, lower, upper, point }: Claim): number => {
  const box = Array.from(lower, (low, axis): Interval => {
    const [x, half] = [point[axis] as number, AROUND * (upper[axis] - low)]
    return [Math.max(low, x - half), Math.min(upper[axis], x + half)]
  })
  return enclose(parsed, box).slopes.reduce((most, [low, high], axis) => {
    const [from, to] = box[axis] as Interval
    const rising = low > 0 && from > lower[axis] ? low : 0
    const falling = high < 0 && to < upper[axis] ? -high : 0
    return Math.max(most, Math.max(rising, falling) * (upper[axis] - lower[axis]))
  }, 0)
}

/**
 * Walks through a division again and bounds the function over each of its parts.
 *
 * @returns undefined when the division does not cover the box once, or the parts that may hold the minimum are too
 * many.
 */
export const certify = (claim: Claim, division: Uint8Array): Certificate | undefined => {
  const { parsed, lower, upper, point } = claim
  const at = Array.from(point, (x): Interval => [x, x])
  const value = enclose(parsed, at).value[1]
  const waiting: Part[] = [wholeOf(lower.length)]
  const holding: (readonly Interval[])[] = []
  let bound = Number.POSITIVE_INFINITY
  if (division.length > PARTS_MAX) return undefined
  for (const mark of division) {
    const part = waiting.pop()
    if (part === undefined) return undefined
    if (mark !== LEAF) {
      if (mark >= lower.length || (part.depth[mark] ?? 0) > 30) return undefined
      const [first, second] = halvesOf(part, mark)
      waiting.push(second, first)
      continue
    }
    const box = boxOf(part, lower, upper)
    const { least, slopes } = leastOver(parsed, box)
    if (isSlope(part, slopes)) continue
    bound = Math.min(bound, least)
    if (!(least > value)) holding.push(box)
    if (holding.length > HOLDING_MAX) return undefined
  }
  if (waiting.length > 0) return undefined
  const groups = groupsOf(holding)
  const around = groups.find((group) => group.some((k) => holds(holding[k] as readonly Interval[], point)))
  let distance = around === undefined ? Number.NaN : 0
  for (const k of around ?? []) {
    for (const [axis, [low, high]] of (holding[k] as readonly Interval[]).entries()) {
      const x = point[axis] as number
      distance = Math.max(distance, Math.max(x - low, high - x) / (upper[axis] - lower[axis]))
    }
  }
  return { bound, distance, groups: groups.length, value, slope: slopeAt(claim) }
}
