import { Fault } from '#core/fault.ts'
import type { Replayed } from '#core/verify.ts'

/** What a re-run gave. */
export type Rerun = Exclude<Replayed, { readonly unavailable: string }>

/**
 * A re-run by code that may not be the claim's: marked as such, and unavailable instead of refused, since what other
 * code refuses says nothing of the claim.
 *
 * @param other how the code differs, or undefined when it does not.
 */
export const byCode = (other: string | undefined, run: () => Rerun): Replayed => {
  if (other === undefined) return run()
  try {
    return { ...run(), otherCode: other }
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    return { unavailable: other }
  }
}
