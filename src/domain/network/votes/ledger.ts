import { countKeys, type StakeOpRow } from '#store/rows/vote.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'

/** The locks of this node that are not at their end, as they are durable, and how they are written. */
export const createLedger = (store: Store) => {
  const open = new Map<string, StakeOpRow>()

  const put = (tx: Transaction, digest: string, row: StakeOpRow): void => {
    tx.put('stakeOp', digest, row)
    if (row.state === 'returned') tx.del('stakeOpen', digest)
    else tx.put('stakeOpen', digest, true)
    tx.onDurable(() => {
      if (row.state === 'returned') open.delete(digest)
      else open.set(digest, row)
    })
  }

  return {
    open: open as ReadonlyMap<string, StakeOpRow>,
    put,
    /** Writes a lock down before it is made. */
    begin: (digest: string, row: StakeOpRow): Promise<void> =>
      store.commit((tx) => {
        put(tx, digest, row)
        tx.put('voteCount', countKeys.ops, (tx.get('voteCount', countKeys.ops) ?? 0) + 1)
      }),
    /** Writes the next state of a lock, unless it has gone on meanwhile. */
    next: (digest: string, from: StakeOpRow, to: Partial<StakeOpRow>): Promise<void> =>
      store.commit((tx) => {
        const now = tx.get('stakeOp', digest)
        if (now?.state === from.state) put(tx, digest, { ...now, ...to })
      }),
    /** Takes back what was written down, since nothing was locked. */
    forget: (digest: string): Promise<void> =>
      store.commit((tx) => {
        if (tx.get('stakeOp', digest)?.state !== 'begun') return
        tx.del('stakeOp', digest)
        tx.del('stakeOpen', digest)
        tx.put('voteCount', countKeys.ops, (tx.get('voteCount', countKeys.ops) ?? 1) - 1)
        tx.onDurable(() => void open.delete(digest))
      }),
    /** Reads what a stop or a crash left. */
    resume: async (): Promise<void> => {
      for await (const [digest] of store.range('stakeOpen')) {
        const row = await store.get('stakeOp', digest)
        if (row !== undefined) open.set(digest, row)
      }
    },
  }
}
export type LockLedger = ReturnType<typeof createLedger>
