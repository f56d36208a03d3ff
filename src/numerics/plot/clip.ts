import type { Box, Mark } from './marks.ts'

/** Pixels by which a point on the frame may miss it. */
const SLACK_PX = 1e-6

/** Ends of the part of a segment that lies within a box (Liang and Barsky 1984); undefined when none does. */
const within = (
  { x, y, width, height }: Box,
  [x0, y0, x1, y1]: readonly [number, number, number, number],
): readonly [number, number, number, number] | undefined => {
  const [across, up] = [x1 - x0, y1 - y0]
  let [from, to] = [0, 1]
  const sides = [
    [-across, x0 - x],
    [across, x + width - x0],
    [-up, y0 - y],
    [up, y + height - y0],
  ] as const
  for (const [towards, room] of sides) {
    if (towards === 0) {
      if (room < -SLACK_PX) return undefined
    } else if (towards < 0) from = Math.max(from, room / towards)
    else to = Math.min(to, room / towards)
  }
  if (from > to) return undefined
  const [left, right] = [from === 0 ? x0 : x0 + from * across, to === 1 ? x1 : x0 + to * across]
  return [left, from === 0 ? y0 : y0 + from * up, right, to === 1 ? y1 : y0 + to * up]
}

const segmentAt = (points: Float64Array, at: number): readonly [number, number, number, number] => [
  points[at] as number,
  points[at + 1] as number,
  points[at + 2] as number,
  points[at + 3] as number,
]

/** The parts of a line that lie within a box. */
const lineWithin = (points: Float64Array, box: Box): readonly Float64Array[] => {
  const parts: number[][] = []
  let [endX, endY] = [Number.NaN, Number.NaN]
  for (let at = 0; at + 3 < points.length; at += 2) {
    const part = within(box, segmentAt(points, at))
    if (part === undefined) continue
    const [x0, y0, x1, y1] = part
    if (x0 === endX && y0 === endY) parts.at(-1)?.push(x1, y1)
    else parts.push([x0, y0, x1, y1])
    ;[endX, endY] = [x1, y1]
  }
  return parts.map((it) => Float64Array.from(it))
}

const segmentsWithin = (points: Float64Array, box: Box): Float64Array => {
  const kept: number[] = []
  for (let at = 0; at + 3 < points.length; at += 4) kept.push(...(within(box, segmentAt(points, at)) ?? []))
  return Float64Array.from(kept)
}

const dotsWithin = (points: Float64Array, { x, y, width, height }: Box): Float64Array => {
  const kept: number[] = []
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [across, down] = [points[at] as number, points[at + 1] as number]
    if (across < x - SLACK_PX || across > x + width + SLACK_PX) continue
    if (down >= y - SLACK_PX && down <= y + height + SLACK_PX) kept.push(across, down)
  }
  return Float64Array.from(kept)
}

/** What of some marks lies within a box: of a plot of which a part is looked at. */
export const clipped = (marks: readonly Mark[], box: Box): readonly Mark[] =>
  marks.flatMap((mark): readonly Mark[] => {
    if (mark.kind === 'path') return lineWithin(mark.points, box).map((points) => ({ ...mark, points }))
    if (mark.kind === 'segments') return [{ ...mark, points: segmentsWithin(mark.points, box) }]
    return mark.kind === 'dots' ? [{ ...mark, points: dotsWithin(mark.points, box) }] : [mark]
  })
