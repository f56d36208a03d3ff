import type { ResultAt } from '#api/result-of.ts'

/** A stream as the node shows it. */
export type ShownStream = ResultAt<'GET /api/svc/streams/{id}'>['stream']

/** The newest tick of one. */
export type ShownStreamHead = NonNullable<ShownStream['head']>

/** The id of a stream. */
export const STREAM_ID = /^[0-9a-f]{32}$/

/** How a status is coloured. */
export const streamStatusClass = { open: 'sealed', starved: 'promised', stopped: 'bad', closed: 'final' } as const

/** Mesh ticks of a day, and seconds of each. */
export const DAY_TICKS = 111_197
const SECONDS_PER_TICK = 0.777

/** What a stream computes, by name. */
export const computedBy = ({ solver, operators }: Pick<ShownStream, 'solver' | 'operators'>): string =>
  solver ?? operators?.join(', ') ?? ''

/** Ticks of a day at an interval, of a stream that ticks by itself. */
export const ticksPerDay = (interval: number): number => Math.floor(DAY_TICKS / interval)

/** How long so many mesh ticks are, in words. */
export const spanText = (ticks: number): string => {
  const seconds = ticks * SECONDS_PER_TICK
  if (seconds < 90) return `${Number(seconds.toPrecision(2))} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  return seconds < 129_600 ? `${Number((seconds / 3_600).toPrecision(2))} h` : `${Math.round(seconds / 86_400)} days`
}
