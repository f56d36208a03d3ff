import { recent } from '#core/recent.ts'
import { under } from '#store/layout.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'

/** Machines that a list looks at before it gives up finding public ones. */
const SCAN_MAX = 10_000
/** The newest ones, whose names are kept: nearly every list ends among them. */
const NEWEST_KEPT = 256
/** Accounts whose machines are kept by name. */
const ACCOUNTS_KEPT = 256
/** Rows of a list. */
export const LIST_MAX = 100

/** Names of machines in the order of lists. What a machine is, and who may see it, is read each time. */
export interface ListedMachines {
  /** Part of each plan that founds a machine or makes one someone's, or no longer: what is kept is read again. */
  changedBy(tx: Pick<Transaction, 'onDurable'>): void
  /** Machines in which an account has a role. */
  of(zid: string): Promise<readonly string[]>
  /** All machines, the newest first, until `take` wants no more. */
  newest(take: (slug: string) => boolean): Promise<void>
}

type Newest = (readonly [key: string, slug: string])[]

/** Nothing is kept yet. */
export const createListed = (store: Pick<Store, 'range'>): ListedMachines => {
  let revision = 0
  let newest: Newest | undefined
  let own = recent<string, readonly string[]>(ACCOUNTS_KEPT)

  /** What was read while something changed is of one moment still, but no longer of this one. */
  const keepIfSame = async <T>(read: () => Promise<T>, keep: (it: T) => void): Promise<T> => {
    const before = revision
    const found = await read()
    if (revision === before) keep(found)
    return found
  }

  return {
    changedBy: (tx) =>
      tx.onDurable(() => {
        revision += 1
        newest = undefined
        own = recent(ACCOUNTS_KEPT)
      }),
    of: async (zid) => {
      const kept = own.get(zid)
      if (kept !== undefined) return kept
      const read = async () => {
        const slugs: string[] = []
        for await (const [, slug] of store.range('machineByZid', { ...under(zid), limit: LIST_MAX })) slugs.push(slug)
        return slugs
      }
      return keepIfSame(read, (slugs) => own.set(zid, slugs))
    },
    newest: async (take) => {
      const read = async () => {
        const rows: Newest = []
        for await (const row of store.range('machineByGenesis', { reverse: true, limit: NEWEST_KEPT })) rows.push(row)
        return rows
      }
      const first = newest ?? (await keepIfSame(read, (rows) => (newest = rows)))
      for (const [, slug] of first) if (!take(slug)) return
      const last = first[NEWEST_KEPT - 1]
      if (last === undefined) return
      const rest = { lt: last[0], reverse: true, limit: SCAN_MAX - NEWEST_KEPT }
      for await (const [, slug] of store.range('machineByGenesis', rest)) if (!take(slug)) return
    },
  }
}
