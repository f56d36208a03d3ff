import type { ResultOf } from '#api/result-of.ts'
import { SECONDS_PER_HOUR } from '#core/time.ts'

type Status = ResultOf<'economy.credits'>

/** A span as people say it. @param seconds whole ones */
export const spanText = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / SECONDS_PER_HOUR), Math.floor((seconds % SECONDS_PER_HOUR) / 60)]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min` : `${seconds} s`
}

/** Says of a claim that is not open when it will be. */
export const claimText = ({ claim }: Status): string => {
  const { state, unlocks_at: at, unlocks_in_seconds: seconds, balance_max: most, challenge } = claim
  const when = at === null || seconds === null ? '' : `; opens in ${spanText(seconds)}, at ${at}`
  if (state === 'unlocks when nearly out') return `${state}: at ${most} credits or fewer`
  if (state === 'claimable' && challenge === null) return `this address has had its claims of the hour${when}`
  return `${state}${when}`
}
