import { civilOf } from '#core/civil.ts'
import { type Instant, meshTickAt } from '#core/tick.ts'
import { NS_PER_DAY, NS_PER_HOUR, NS_PER_SECOND } from '#core/time.ts'

const two = (n: number): string => String(n).padStart(2, '0')

/** The UTC day of an instant, `yyyy-mm-dd`. */
export const dayOf = (instant: Instant): string => {
  const { year, month, day } = civilOf(Number(instant / NS_PER_DAY))
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}

/** The UTC month of an instant, `yyyy-mm`. */
export const monthOf = (instant: Instant): string => dayOf(instant).slice(0, 7)

/** A stretch of UTC time that budgets are counted by: where it ends, and how long that is from now. */
export interface Period {
  /** First mesh tick that is wholly after it: names the period, and says when its counts may go. */
  readonly endMeshTick: number
  /** The first instant after it. */
  readonly end: Instant
  readonly secondsLeft: number
}

const periodOf = (instant: Instant, lengthNs: bigint): Period => {
  const end = (instant / lengthNs + 1n) * lengthNs
  const secondsLeft = Number((end - instant + NS_PER_SECOND - 1n) / NS_PER_SECOND)
  return { endMeshTick: meshTickAt(end) + 1, end, secondsLeft }
}

/** The UTC day that holds an instant. */
export const dayPeriod = (instant: Instant): Period => periodOf(instant, NS_PER_DAY)
/** The UTC hour that holds an instant. */
export const hourPeriod = (instant: Instant): Period => periodOf(instant, NS_PER_HOUR)

/** Mesh ticks in 24 hours, rounded up. */
export const TICKS_PER_DAY = 111_197
