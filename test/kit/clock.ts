import type { Clock } from '#core/clock.ts'
import { type Instant, meshTickStart, TICK_NS } from '#core/tick.ts'

/** A clock that stands still until it is told to move. */
export interface FixedClock extends Clock {
  /** Moves on by nanoseconds, not back. */
  advance(ns: bigint): void
  /** Moves on by whole ticks; the place within the tick stays. */
  advanceTicks(ticks: number): void
}

/** A mesh-tick boundary in November 2026, where every fixed clock starts unless told otherwise. */
export const START: Instant = meshTickStart(2_310_000_000)

/** A fixed clock. @param start Unix nanoseconds. */
export const fixedClock = (start: Instant = START): FixedClock => {
  let instant = start
  const advance = (ns: bigint): void => {
    if (ns < 0n) throw new RangeError('a clock does not go back')
    instant += ns
  }
  return { now: () => instant, advance, advanceTicks: (ticks) => advance(BigInt(ticks) * TICK_NS) }
}
