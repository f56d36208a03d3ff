import { bondReleaseSchema } from '#core/work/bond.ts'
import { lastingType } from '#domain/network/event-type.ts'
import { endOf } from '#store/bonds.ts'
import type { Transaction } from '#store/transaction.ts'
import { agreedSuccession } from './succession.ts'

/** Keys that followed one another, at most, between a bond and its release. */
const SUCCESSORS_FOLLOWED = 16

/** Whether a node is another one, or took its place, or that of one that did. */
export const actsFor = (tx: Pick<Transaction, 'get'>, node: string, of: string): boolean => {
  let at: string | undefined = of
  for (let step = 0; step <= SUCCESSORS_FOLLOWED && at !== undefined; step += 1) {
    if (at === node) return true
    at = agreedSuccession(tx.get('successor', at))?.new_node
  }
  return false
}

/**
 * A node's bond answers for no more works. Its locks end by what each home finds, never before what was said; of
 * several releases the first stops the offers, and the latest end counts.
 */
export const bondRelease = lastingType({
  type: 'bond.release',
  payload: bondReleaseSchema,
  atOnce: false,
  shard: ({ sourceNodeId }) => sourceNodeId,
  names: (_, { bond }) => [{ kind: 'bond', name: bond, isIt: false }],

  check: ({ tick }, { unlocks_at }) =>
    unlocks_at >= tick ? undefined : 'It ends before it was said: a lock ends no earlier than its release.',

  apply: (tx, { sourceNodeId, tick }, { bond, unlocks_at }) => {
    const row = tx.get('bond', bond)
    if (row === undefined || !actsFor(tx, sourceNodeId, row.author)) return
    const before = row.released ?? { at: tick, unlocks_at: 0, told: 0 }
    const released = {
      at: Math.min(before.at, tick),
      // Whatever its author says, a home counts the ticks itself.
      unlocks_at: Math.max(unlocks_at, endOf(row, tx.get('bondLoad', bond), tick)),
      told: Math.max(before.told, unlocks_at),
    }
    tx.put('bond', bond, { ...row, released })
  },
})
