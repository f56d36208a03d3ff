import { meshTickStart, TICK_NS } from '#core/tick.ts'

const NS_PER_MS = 1e6

/** What says when something was sealed. */
export interface Stamped {
  readonly log: string
  readonly tick: number
  readonly phase: number
}

let format: Intl.DateTimeFormat | undefined

/** A wall clock's time as people write it, to the second. */
export const timeText = (ms: number): string => {
  // Made once: a list has one time a row.
  format ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
  return format.format(ms)
}

/** The wall clock's time of a node's tick: a log's name says at which mesh tick the node began to count. */
export const timeOf = ({ log, tick, phase }: Stamped): number => {
  const genesis = Number(log.split('/').at(2) ?? 0)
  return (Number(meshTickStart(genesis + tick)) + phase * Number(TICK_NS)) / NS_PER_MS
}
