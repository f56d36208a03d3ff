import { TICK_NS } from '#core/tick.ts'

/** A signed checkpoint: how many leaves the log had, at which tick. */
export interface Seal {
  readonly size: number
  readonly tick: number
}

/** Minutes that the chart goes back. */
export const MINUTES = 30
const TICKS_PER_MINUTE = 60e9 / Number(TICK_NS)

/**
 * Leaves of each of the last minutes, the oldest first, from the log's checkpoints: what a checkpoint adds to the one
 * before it was sealed in its tick. The first of the list has none before it and only begins the count.
 */
export const leavesByMinute = (seals: readonly Seal[], now: number): readonly number[] => {
  const sorted = seals.toSorted((a, b) => a.tick - b.tick)
  const minutes = Array.from({ length: MINUTES }, () => 0)
  for (const [at, { size, tick }] of sorted.entries()) {
    const before = sorted[at - 1]
    const ago = Math.floor((now - tick) / TICKS_PER_MINUTE)
    const place = MINUTES - 1 - Math.max(0, ago)
    if (before !== undefined && place >= 0) minutes[place] = (minutes[place] ?? 0) + size - before.size
  }
  return minutes
}
