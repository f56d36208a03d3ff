import type { Caller } from '#core/caller.ts'
import type { Sleep } from '#core/wait.ts'
import { createWaits } from '#domain/waits.ts'

const MS_PER_SECOND = 1_000
/** Long-polls for interrupts at one time, and of one caller. */
const WAITS_MAX = 256
export const WAITS_PER_OWNER_MAX = 16

/** Who waits for an interrupt. */
export interface Waiting {
  /** A page was written: everybody who waits looks at it. */
  wake(): void
  /**
   * Waits until something is so, or the time is over, or the signal aborts.
   *
   * @throws Fault NODE_BUSY, RATE_LIMITED
   */
  until(isSo: () => boolean, of: { caller: Caller; seconds: number; signal: AbortSignal }): Promise<void>
}

const ownerOf = (caller: Caller): string => (caller.kind === 'anonymous' ? caller.bucket : caller.account)

/** Long-polls for interrupts. */
export const createWaiting = (sleep: Sleep): Waiting => {
  const waits = createWaits(sleep, { most: WAITS_MAX, perOwner: WAITS_PER_OWNER_MAX, things: 'interrupts' })
  let next = Promise.withResolvers<void>()
  return {
    wake: () => {
      const { resolve } = next
      next = Promise.withResolvers<void>()
      resolve()
    },
    until: async (isSo, { caller, seconds, signal }) => {
      if (seconds <= 0 || isSo()) return
      using _ = waits.enter(ownerOf(caller), 'interrupts')
      const ms = seconds * MS_PER_SECOND
      using time = waits.limit(ms, signal)
      while (!time.over.aborted && !isSo()) await waits.until([next.promise], ms, [time.over])
    },
  }
}
