import { useEffect, useState } from 'preact/hooks'
import { isoOf } from '#core/iso.ts'
import { meshTickStart, TICK_NS } from '#core/tick.ts'

const NS_PER_MS = 1e6
/** How often "3 min ago" is looked at anew. */
const LOOK_EVERY_MS = 20_000

const steps = [
  { ms: 86_400_000, word: 'day' },
  { ms: 3_600_000, word: 'h' },
  { ms: 60_000, word: 'min' },
  { ms: 1_000, word: 's' },
] as const
/** Beyond these days a date says more. */
const DAYS_MAX = 6
/** Nearer than this, clocks of two machines need not agree. */
const NOW_MS = 5_000

const date = (ms: number): string => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(ms)

/** A wall clock's time as people write it, to the second. */
export const timeText = (ms: number): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }).format(ms)

/** This browser's wall clock, in Unix milliseconds. */
const nowHere = (): number => performance.timeOrigin + performance.now()

/** How long ago a time was, as people say it. */
export const agoText = (ms: number, nowMs: number): string => {
  const passed = nowMs - ms
  if (passed < NOW_MS) return 'just now'
  const { ms: unit, word } = steps.find((it) => passed >= it.ms) ?? steps[3]
  const count = Math.floor(passed / unit)
  if (word !== 'day') return `${count} ${word} ago`
  return count > DAYS_MAX ? date(ms) : `${count} day${count === 1 ? '' : 's'} ago`
}

/** The wall clock's time of a node's tick: a log's name says at which mesh tick the node began to count. */
export const timeOf = ({ log, tick, phase }: Stamped): number => {
  const genesis = Number(log.split('/').at(2) ?? 0)
  return (Number(meshTickStart(genesis + tick)) + phase * Number(TICK_NS)) / NS_PER_MS
}

/** What says when something was sealed. */
export interface Stamped {
  readonly log: string
  readonly tick: number
  readonly phase: number
}

/** When something was sealed, in human time; which tick it was stands in the tooltip. */
export const When = (stamped: Stamped) => {
  const [now, look] = useState(nowHere)
  useEffect(() => {
    const timer = setInterval(() => look(nowHere()), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const ms = timeOf(stamped)
  return (
    <time dateTime={isoOf(BigInt(Math.floor(ms * NS_PER_MS)))} title={`${timeText(ms)}; tick ${stamped.tick}`}>
      {agoText(ms, now)}
    </time>
  )
}
