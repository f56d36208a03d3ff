import { assert } from '#core/assert.ts'
import { Fault } from '#core/fault.ts'

/** Long moves that may wait or run at once; one more is NODE_BUSY. */
const LONG_MAX = 256

/** Whose lists a long move holds while it checks its tokens and until all their rows are written. */
export interface Turns {
  /** Holds the lists of these owners for `work`, after everybody who came before. @throws Fault NODE_BUSY */
  hold<T>(owners: readonly string[], work: () => Promise<T>): Promise<T>
  /** Whether a long move holds the list of one of these owners now. */
  held(owners: Iterable<string>): boolean
  /** Resolves when no long move that began before this call holds a list of these owners. */
  free(owners: readonly string[]): Promise<void>
}

/**
 * The movement locks. All lists of a move are taken at once and in order of arrival, so two moves never wait for each
 * other. Short moves hold nothing: their one transaction asks {@link Turns.held}, and the writer runs one at a time.
 */
export const createTurns = (): Turns => {
  const last = new Map<string, Promise<void>>()
  let count = 0
  const before = (owners: readonly string[]): Promise<unknown> => Promise.all(owners.map((it) => last.get(it)))
  return {
    hold: async (owners, work) => {
      if (count >= LONG_MAX) throw new Fault('NODE_BUSY', 'Too many long moves wait for each other.')
      count += 1
      const { promise, resolve } = Promise.withResolvers<void>()
      const turn = before(owners)
      for (const owner of owners) last.set(owner, promise)
      try {
        await turn
        return await work()
      } finally {
        count -= 1
        for (const owner of owners) if (last.get(owner) === promise) last.delete(owner)
        resolve()
        assert(count >= 0, 'a turn ends once')
      }
    },
    held: (owners) => {
      for (const owner of owners) if (last.has(owner)) return true
      return false
    },
    free: async (owners) => {
      await before(owners)
    },
  }
}
