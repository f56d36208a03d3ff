import { createCounter } from './count.ts'
import { createDrafts } from './drafts.ts'
import { createEnding } from './ending.ts'
import { createLocks } from './locks.ts'
import { createShow } from './show.ts'
import { createStaking } from './staking.ts'
import type { VoteOptions, Votes } from './types.ts'

/** Locks that are led on at one tick. */
const AT_ONCE = 64

/** Opens the votes of a node, and takes up the locks that a stop or a crash left. */
export const openVotes = async (options: VoteOptions): Promise<Votes> => {
  const counter = createCounter(options)
  const locks = createLocks(options)
  await locks.resume()
  const show = createShow(options, counter, locks)
  const stake = createStaking(options, show, locks)
  let stopped = false
  let from = 0
  return {
    list: show.list,
    get: async (id) => {
      if (options.store.peek('proposal', id) === undefined) await options.find?.(id)
      return show.view(id)
    },
    ...createDrafts(options, show),
    stake,
    ...createEnding(options, { show, counter, locks }),
    beat: () => {
      if (stopped) return
      const all = [...locks.open.keys()]
      // In turn, so that locks which wait for long keep none from going on.
      const some = [...all.slice(from), ...all.slice(0, from)].slice(0, AT_ONCE)
      from = all.length === 0 ? 0 : (from + some.length) % all.length
      for (const digest of some) void locks.advance(digest)
    },
    [Symbol.asyncDispose]: async () => {
      stopped = true
      await locks.ended()
    },
  }
}
