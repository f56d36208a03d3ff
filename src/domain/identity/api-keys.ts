import { under } from '#store/layout.ts'
import type { KeyRow } from '#store/rows/account.ts'
import type { Store } from '#store/store.ts'
import type { KeyItem } from './views.ts'

/** Keys of one account that are kept, revoked ones included. */
export const KEYS_MAX = 1_000

/** What a list shows of a key: never the key, nor its hash. */
export const keyItem = (row: KeyRow): KeyItem => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  created_tick: row.created_tick,
  expires_mesh_tick: row.expires_mesh_tick,
  revoked: row.revoked_tick !== null,
})

/** The keys of an account, the oldest first. */
export const keysOf = async (store: Store, zid: string): Promise<readonly KeyItem[]> => {
  const items: KeyItem[] = []
  for await (const [, hash] of store.range('keyByAccount', { ...under(zid), limit: KEYS_MAX })) {
    const row = await store.get('key', hash)
    if (row !== undefined) items.push(keyItem(row))
  }
  return items.sort((a, b) => a.created_tick - b.created_tick)
}
