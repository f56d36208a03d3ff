import { TICK_SECONDS } from '#core/tick.ts'

/** Attempts to deliver one notification. */
export const ATTEMPTS_MAX = 8
/** Ticks of a day, whole: nothing is tried later after its fire than that, but for the first time. */
export const DAY_TICKS = 111_197

const MINUTE = 60
const HOUR = 3_600
/** Seconds from one attempt to the next: 17.3 hours together. */
const WAITS_SECONDS = [5, 30, 2 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR] as const

/**
 * Mesh tick of the attempt after `attempts` that failed, the last of them in `tick`; undefined when there is none any
 * more.
 */
export const nextAttempt = (of: {
  readonly attempts: number
  readonly first: number
  readonly tick: number
}): number | undefined => {
  const wait = WAITS_SECONDS[of.attempts - 1]
  if (wait === undefined || of.attempts >= ATTEMPTS_MAX) return undefined
  const next = of.tick + Math.ceil(wait / TICK_SECONDS)
  return next > of.first + DAY_TICKS ? undefined : next
}
