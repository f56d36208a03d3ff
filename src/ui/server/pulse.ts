import { useEffect, useState } from 'preact/hooks'
import { TICK_NS } from '#core/tick.ts'
import { call } from './api.ts'
import { repeat } from './reading.ts'

/** The node's clock as this page shows it between two readings. */
export interface Pulse {
  readonly tick: number
  /** In [0, 1). */
  readonly phase: number
}

interface Reading {
  readonly tick: number
  readonly phase: number
  /** Milliseconds of this page's own clock at the reading. */
  readonly at: number
}

/** The tick period in milliseconds, as near as a timer needs it. */
export const TICK_MS = Number(TICK_NS) / 1e6
/** How often the node is asked; in between the page counts by itself. */
const READ_EVERY_MS = 10_000
/** The same while it does not answer. */
const RETRY_EVERY_MS = 2000
/** How often the face of the clock is drawn anew. */
const DRAW_EVERY_MS = 50
/** A gap between two drawings that tells of a sleep: the clock of a page may have stood still in it. */
const SLEPT_MS = 3000

const countOn = ({ tick, phase, at }: Reading, now: number): Pulse => {
  const ticks = phase + (now - at) / TICK_MS
  const whole = Math.floor(ticks)
  return { tick: tick + whole, phase: ticks - whole }
}

/** The newest reading, for those that need the time and no clock that turns. */
let newest: Reading | undefined

const readPulse = async (): Promise<Reading> => {
  const before = performance.now()
  const { tick, phase } = await call('GET /api/svc/pulse', {})
  newest = { tick, phase, at: (before + performance.now()) / 2 }
  return newest
}

/** How often a time that is told in words is told anew. */
const TELL_EVERY_MS = 5000

const tickNow = (): number | undefined => (newest === undefined ? undefined : countOn(newest, performance.now()).tick)

/** The node's present tick as the clock of the page knows it, told every few seconds; undefined before its reading. */
export const useTick = (): number | undefined => {
  const [tick, tell] = useState(tickNow)
  useEffect(() => {
    const timer = setInterval(() => tell(tickNow()), newest === undefined ? TICK_MS : TELL_EVERY_MS)
    return () => clearInterval(timer)
  }, [tick === undefined])
  return tick
}

/**
 * The node's pulse, counted on locally and set right by a reading every ten seconds, and at once when the tab is seen
 * again or the machine has slept.
 *
 * @param up whether the node answers; while it does not, it is asked more often.
 */
export const usePulse = (up: boolean): Pulse | undefined => {
  const [reading, set] = useState<Reading>()
  const [pulse, show] = useState<Pulse>()
  useEffect(() => {
    const read = (): void => void readPulse().then(set, () => undefined)
    return repeat(read, up ? READ_EVERY_MS : RETRY_EVERY_MS)
  }, [up])
  useEffect(() => {
    if (reading === undefined) return
    let drawn = performance.now()
    const draw = (): void => {
      const now = performance.now()
      if (now - drawn > SLEPT_MS) void readPulse().then(set, () => undefined)
      drawn = now
      show(countOn(reading, now))
    }
    draw()
    const timer = setInterval(draw, DRAW_EVERY_MS)
    return () => clearInterval(timer)
  }, [reading])
  return pulse
}
