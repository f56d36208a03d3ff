import { seqKey } from './key-parts.ts'
import { INDEXED_MAX } from './rows/indexed.ts'
import type { Put, Transaction } from './transaction.ts'

const put = (into: Put, slot: number, key: string): void => {
  into('eventBy', key, slot)
  into('eventBySlot', seqKey(slot), key)
}

/** Gives the next place, and drops what stands there. */
const take = (tx: Transaction): number => {
  const next = tx.get('eventByNext', 'next') ?? 0
  const slot = next % INDEXED_MAX
  const before = tx.get('eventBySlot', seqKey(slot))
  if (before !== undefined) tx.del('eventBy', before)
  tx.put('eventByNext', 'next', next + 1)
  return slot
}

/** Adds an entry, unless it stands there already. */
export const addIndexed = (tx: Transaction, key: string): void => {
  if (tx.get('eventBy', key) === undefined) put(tx.put, take(tx), key)
}

/** Adds one whose key follows from a leaf that is made with this transaction. */
export const addIndexedLate = (tx: Transaction, key: () => string): void => {
  const slot = take(tx)
  tx.late((into) => put(into, slot, key()))
}
