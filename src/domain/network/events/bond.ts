import { Fault } from '#core/fault.ts'
import { bondSchema, readBond } from '#core/work/bond.ts'
import { lastingType } from '#domain/network/event-type.ts'
import { BONDS_MAX } from '#store/bonds.ts'

/**
 * A node puts a thousand envelopes behind its works. That its locks stand their homes say, by the receipts that it
 * names; here is kept what was said, and by whom.
 */
export const bond = lastingType({
  type: 'bond',
  payload: bondSchema,
  atOnce: false,
  pushed: true,
  shard: ({ sourceNodeId }) => sourceNodeId,
  names: ({ sourceNodeId }, { bond }) => [
    { kind: 'bond', name: bond, isIt: true },
    { kind: 'node', name: sourceNodeId, isIt: false },
  ],

  check: ({ sourceNodeId }, payload) => {
    try {
      readBond(payload, sourceNodeId)
      return undefined
    } catch (cause) {
      if (cause instanceof Fault) return `/payload: ${cause.message}`
      throw cause
    }
  },

  apply: (tx, { sourceNodeId, seq, tick }, payload) => {
    // A name is its author's alone, and of two events of one author under it the first counts.
    const known = tx.get('bond', payload.bond)
    if (known !== undefined && known.seq <= seq) return
    if (known === undefined) {
      const count = tx.get('bondCount', 'all') ?? 0
      if (count >= BONDS_MAX && tx.get('ownBond', payload.bond) === undefined) return
      tx.put('bondCount', 'all', count + 1)
    }
    const fresh = { released: null, said: [], fallen: null }
    tx.put('bond', payload.bond, { ...fresh, ...known, ...payload, author: sourceNodeId, seq, at: tick })
  },
})
