import { type Axis, valueAt } from '#numerics/plot/axes.ts'
import type { Axes } from '#numerics/plot/layout.ts'
import type { Seen } from '#numerics/plot/plot.ts'

/** A place in a frame as shares of its sides: from the left, and from below. */
export interface Share {
  readonly x: number
  readonly y: number
}

/** Span of an axis below which doubles do not tell its ends apart, as a share of their size. */
const SPAN_MIN = 1e-9

const clamped = (share: number): number => Math.min(1, Math.max(0, share))

const between = (axis: Axis, from: number, to: number): readonly [number, number] => [
  valueAt(axis, from),
  valueAt(axis, to),
]

const tooNarrow = ([low, high]: readonly [number, number]): boolean =>
  !(high - low > SPAN_MIN * Math.max(Math.abs(low), Math.abs(high)))

/** A part that is not less than can be told apart, within the whole; undefined when it is the whole. */
const kept = (whole: Axes, seen: Seen, before: Seen | undefined): Seen | undefined => {
  if (tooNarrow(seen.x) || tooNarrow(seen.y)) return before
  const inside = ({ low, high }: Axis, [from, to]: readonly [number, number]): readonly [number, number] => [
    Math.max(low, from),
    Math.min(high, to),
  ]
  const [x, y] = [inside(whole.x, seen.x), inside(whole.y, seen.y)]
  const all = x[0] === whole.x.low && x[1] === whole.x.high && y[0] === whole.y.low && y[1] === whole.y.high
  return all || x[0] >= x[1] || y[0] >= y[1] ? undefined : { x, y }
}

/** A window of one size along an axis that lies within it. */
const pushed = (middle: number, size: number): readonly [number, number] => {
  const from = Math.min(Math.max(0, middle - size / 2), 1 - size)
  return [from, from + size]
}

/** What of a plot is looked at, what can be, and whether its sides keep their ratio. */
export interface Zoomable {
  readonly axes: Axes
  readonly whole: Axes
  readonly seen: Seen | undefined
  readonly fixed: boolean
}

/** The rectangle between two places of the frame. */
export const framed = ({ axes, whole, seen, fixed }: Zoomable, a: Share, b: Share): Seen | undefined => {
  const sides = (p: number, q: number): readonly [number, number] => [clamped(Math.min(p, q)), clamped(Math.max(p, q))]
  let [x, y] = [sides(a.x, b.x), sides(a.y, b.y)]
  if (fixed) {
    const size = Math.max(x[1] - x[0], y[1] - y[0])
    ;[x, y] = [pushed((x[0] + x[1]) / 2, size), pushed((y[0] + y[1]) / 2, size)]
  }
  return kept(whole, { x: between(axes.x, ...x), y: between(axes.y, ...y) }, seen)
}

/** So many times nearer about a place that stays where it is; farther below one. */
export const nearer = ({ axes, whole, seen }: Zoomable, times: number, about: Share): Seen | undefined => {
  const part = (axis: Axis, at: number): readonly [number, number] =>
    between(axis, at - at / times, at + (1 - at) / times)
  return kept(whole, { x: part(axes.x, about.x), y: part(axes.y, about.y) }, seen)
}
