import { TICK_NS } from '#core/tick.ts'
import { SECONDS_PER_DAY } from '#core/time.ts'

const SECONDS_PER_TICK = Number(TICK_NS) / 1e9
const MINUTE = 60
const HOUR = 3600
const JUST_NOW = 5

/** A length of time as people say it, in one unit, rounded down. */
const spanText = (seconds: number): string => {
  if (seconds < MINUTE) return `${Math.floor(seconds)} s`
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`
  if (seconds < SECONDS_PER_DAY) return `${Math.floor(seconds / HOUR)} h`
  const days = Math.floor(seconds / SECONDS_PER_DAY)
  return days === 1 ? '1 day' : `${days} days`
}

/** A number of ticks as the time that they take. */
export const ticksText = (ticks: number): string => spanText(Math.round(ticks * SECONDS_PER_TICK))

/** How long ago something was, as people say it. */
export const agoText = (seconds: number): string => {
  if (seconds < JUST_NOW) return 'just now'
  const text = spanText(seconds)
  return text === '1 day' ? 'yesterday' : `${text} ago`
}

/** The same from the tick of a clock and where that clock stands now. */
export const ticksAgo = (tick: number, now: number): string => agoText(Math.max(0, now - tick) * SECONDS_PER_TICK)
