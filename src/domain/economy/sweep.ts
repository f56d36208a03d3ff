import { seqKey, type TableName } from '#store/layout.ts'
import type { Store } from '#store/store.ts'

/** Rows that one sweep removes at most, so that it never holds the writer up. */
const SWEEP_MAX = 1_000

/** Removes lapsed answers, quotas and nonces. Returns how many rows went. */
export const createSweep = (store: Store) => async (): Promise<number> => {
  const before = { lt: seqKey(store.now().meshTick), limit: SWEEP_MAX }
  const gone: { readonly table: TableName; readonly key: string }[] = []
  for await (const [key, name] of store.range('idempotencyByExpiry', before)) {
    gone.push({ table: 'idempotencyByExpiry', key }, { table: 'idempotency', key: name })
  }
  for await (const [key, name] of store.range('txNonceByExpiry', before)) {
    gone.push({ table: 'txNonceByExpiry', key }, { table: 'txNonce', key: name })
  }
  for await (const [key] of store.range('quota', before)) gone.push({ table: 'quota', key })
  if (gone.length > 0) await store.commit((tx) => gone.forEach(({ table, key }) => void tx.del(table, key)))
  return gone.length
}
