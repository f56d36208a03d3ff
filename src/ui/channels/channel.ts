import type { ResultAt } from '#api/result-of.ts'
import { ticksText } from '#ui/text/ago.ts'

/** A stream as the node shows it. */
export type ShownStream = ResultAt<'GET /api/svc/streams/{id}'>['stream']

/** The newest tick of one. */
export type ShownStreamHead = NonNullable<ShownStream['head']>

/** The id of a stream. */
export const STREAM_ID = /^[0-9a-f]{32}$/

/** How a status is coloured. */
export const streamStatusClass = { open: 'sealed', starved: 'promised', stopped: 'bad', closed: 'final' } as const

/** Mesh ticks of a day. */
export const DAY_TICKS = 111_197

/** What a stream computes, by name. */
export const computedBy = ({ solver, operators }: Pick<ShownStream, 'solver' | 'operators'>): string =>
  solver ?? operators?.join(', ') ?? ''

/** Ticks of a day at an interval, of a stream that ticks by itself. */
export const ticksPerDay = (interval: number): number => Math.floor(DAY_TICKS / interval)

/** How often a stream ticks that does so by itself. */
export const rhythmText = (interval: number): string =>
  interval === 1 ? 'each mesh tick' : `every ${interval} mesh ticks, ${ticksText(interval)}`
