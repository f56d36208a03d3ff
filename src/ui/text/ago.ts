import { TICK_NS } from '#core/tick.ts'
import { SECONDS_PER_DAY } from '#core/time.ts'

const SECONDS_PER_TICK = Number(TICK_NS) / 1e9
const MINUTE = 60
const HOUR = 3600
const JUST_NOW = 5

/** How long ago something was, as people say it. */
export const agoText = (seconds: number): string => {
  if (seconds < JUST_NOW) return 'just now'
  if (seconds < MINUTE) return `${Math.floor(seconds)} s ago`
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min ago`
  if (seconds < SECONDS_PER_DAY) return `${Math.floor(seconds / HOUR)} h ago`
  const days = Math.floor(seconds / SECONDS_PER_DAY)
  return days === 1 ? 'yesterday' : `${days} days ago`
}

/** The same from the tick of a clock and where that clock stands now. */
export const ticksAgo = (tick: number, now: number): string => agoText(Math.max(0, now - tick) * SECONDS_PER_TICK)
