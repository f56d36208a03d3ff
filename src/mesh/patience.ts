import type { Clock } from '#core/clock.ts'
import { meshTickAt } from '#core/tick.ts'
import { NS_PER_MS } from '#core/time.ts'

/**
 * Of each tick's 777 ms, what checking gossip may take: of one neighbour's messages, and of all together. Signatures
 * cost strangers less than they cost here, and what is lost comes again: heads with the next tick, lasting events by
 * sync.
 */
const NEIGHBOUR_MS = 200
const ALL_MS = 400

/** Time for the messages of neighbours, tick by tick. */
export interface Patience {
  /** Does the work unless the time of this tick is used up. @returns undefined when it is. */
  spend<T>(neighbour: string, work: () => T): T | undefined
}

/** Measures by a clock. */
export const createPatience = (clock: Clock): Patience => {
  const spent = new Map<string, bigint>()
  let all = 0n
  let tick = -1
  return {
    spend: (neighbour, work) => {
      const begin = clock.now()
      const now = meshTickAt(begin)
      if (now !== tick) {
        spent.clear()
        all = 0n
        tick = now
      }
      const before = spent.get(neighbour) ?? 0n
      if (all >= BigInt(ALL_MS) * NS_PER_MS || before >= BigInt(NEIGHBOUR_MS) * NS_PER_MS) return undefined
      try {
        return work()
      } finally {
        const took = clock.now() - begin
        spent.set(neighbour, before + took)
        all += took
      }
    },
  }
}
