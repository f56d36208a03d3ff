import type { ChannelGapBody, ChannelTickBody } from '#core/channel/entries.ts'
import { STREAM_GAP, STREAM_TICK } from '#core/channel/entries.ts'
import type { CurvesPlot } from '#numerics/plot/plot.ts'

/** Ticks and gaps that are drawn; the chain has them all. */
const KEPT_MAX = 1_000

/** A sealed tick, as the plot has it. */
export interface SeenTick {
  readonly epoch: number
  readonly count: number
  /** Of the mesh's clock, as gaps have it. */
  readonly meshTick: number
  readonly value: number | null
}

/** Due ticks that were missed, both ends included. */
export interface SeenGap {
  /** null where a reader was away for longer than what is given afterwards. */
  readonly from: number | null
  readonly to: number
  readonly reason: string
}

/** What is known of the course of a stream, oldest first. */
export interface SeenCourse {
  readonly ticks: readonly SeenTick[]
  readonly gaps: readonly SeenGap[]
}

export const NO_COURSE: SeenCourse = { ticks: [], gaps: [] }

const placed = <T>(all: readonly T[], keyOf: (it: T) => string, at: (it: T) => number): readonly T[] =>
  [...new Map(all.map((it) => [keyOf(it), it])).values()].toSorted((a, b) => at(a) - at(b)).slice(-KEPT_MAX)

/** Two pieces of one course together: what both have counts once. */
export const withSeen = (old: SeenCourse, more: SeenCourse): SeenCourse => ({
  ticks: placed(
    [...old.ticks, ...more.ticks],
    (it) => `${it.epoch}.${it.count}`,
    (it) => it.meshTick,
  ),
  gaps: placed(
    [...old.gaps, ...more.gaps],
    (it) => `${it.from} ${it.to}`,
    (it) => it.to,
  ),
})

/** An entry of a chain, as a page of it has it. */
interface ChainEntry {
  readonly transitionType: string
  readonly tickNumber: number
  readonly body: unknown
}

/** What entries of a chain say of one stream. @param genesis mesh tick at which the node's ticks begin */
export const seenIn = (rows: readonly ChainEntry[], id: string, genesis: number): SeenCourse => {
  const own = rows.filter(({ body }) => (body as { readonly channel?: unknown } | null)?.channel === id)
  return {
    ticks: own.flatMap(({ transitionType, tickNumber, body }) => {
      if (transitionType !== STREAM_TICK) return []
      const { epoch, count, value } = body as ChannelTickBody
      return [{ epoch, count, value, meshTick: genesis + tickNumber }]
    }),
    gaps: own.flatMap(({ transitionType, body }) => {
      if (transitionType !== STREAM_GAP) return []
      const { from_mesh: from, to_mesh: to, reason } = body as ChannelGapBody
      return [{ from, to, reason }]
    }),
  }
}

/** Places of ticks; those of one mesh tick stand side by side. */
const placesOf = (ticks: readonly SeenTick[], zero: number): readonly number[] => {
  const beside = new Map<number, number>()
  for (const { meshTick } of ticks) beside.set(meshTick, (beside.get(meshTick) ?? 0) + 1)
  let [last, nth] = [Number.NaN, 0]
  return ticks.map(({ meshTick }) => {
    nth = meshTick === last ? nth + 1 : 0
    last = meshTick
    return meshTick - zero + nth / (beside.get(meshTick) ?? 1)
  })
}

interface Point {
  readonly x: number
  readonly y: number
}

const curve = (name: string, points: readonly Point[], style: 'line' | 'marks') => ({
  ...{ name, style },
  x: points.map(({ x }) => x),
  y: points.map(({ y }) => y),
})

/** The value over the ticks. Where due ticks were missed the line is broken, and marks stand at both ends. */
export const courseOf = ({ ticks, gaps }: SeenCourse, unit: string): CurvesPlot | undefined => {
  const there = ticks.filter((it): it is SeenTick & { readonly value: number } => it.value !== null)
  const [first] = there
  if (first === undefined) return undefined
  const zero = first.meshTick
  const places = placesOf(there, zero)
  const sealed: readonly Point[] = there.map(({ value }, i) => ({ x: places[i] as number, y: value }))
  const shown = gaps.flatMap(({ from, to }) =>
    from === null || to < zero ? [] : [{ from: from - zero, to: to - zero }],
  )
  // Half a tick before the first that was missed: no tick is sealed there.
  const breaks = shown.map(({ from }): Point => ({ x: from - 0.5, y: Number.NaN }))
  const line = [...sealed, ...breaks].toSorted((a, b) => a.x - b.x)
  const marks = shown.flatMap(({ from, to }): readonly Point[] => {
    const y = sealed.findLast(({ x }) => x < from)?.y ?? first.value
    return from === to
      ? [{ x: from, y }]
      : [
          { x: from, y },
          { x: to, y },
        ]
  })
  return {
    kind: 'curves',
    title: 'Value over the mesh ticks',
    x: { name: `mesh tick − ${zero}`, unit: '' },
    y: { name: 'value', unit },
    curves: [curve('value', line, 'line'), ...(marks.length === 0 ? [] : [curve('missed', marks, 'marks')])],
  }
}
