import { toHex, utf8 } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { API_KEY_BYTES, apiKey, apiKeyKindOf, HOUSE } from '#core/ids.ts'
import { hmacSha256, randomBytes, sha256 } from '#crypto'
import { callerOfMachineKey } from '#domain/machines/keys.ts'
import { keyOf, under } from '#store/layout.ts'
import type { KeyRow } from '#store/rows/account.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import type { Caller } from './caller.ts'
import type { FreshKey } from './shown-once.ts'
import type { KeyItem } from './views.ts'

/** Keys of one account that are kept, revoked ones included. */
export const KEYS_MAX = 1_000

const ID_DIGITS = 16

/** SHA-256 of a key as presented, hex: all that is stored of it. */
export const hashOfKey = (key: string): string => toHex(sha256(utf8(key)))
/** A key's id: the first digits of its hash. */
export const idOfHash = (hash: string): string => hash.slice(0, ID_DIGITS)

/** The shared demo key: derived, so that it can always be shown and is stored nowhere. */
export const sharedDemoKeyOf = (secret: Uint8Array): string => apiKey('demo', hmacSha256(secret, utf8('shared 1')))

/** A new key from the system's randomness. */
export const freshKey = (kind: 'account' | 'demo'): FreshKey => {
  const key = apiKey(kind, randomBytes(API_KEY_BYTES))
  const hash = hashOfKey(key)
  return { key, hash, id: idOfHash(hash) }
}

/** Stores a key by its hash. */
export const storeKey = (tx: Transaction, hash: string, row: KeyRow): void => {
  tx.put('key', hash, row)
  tx.put('keyByAccount', keyOf(row.zid, row.id), hash)
}

/** The ledger account of a minted demo key. */
export const demoAccount = (id: string): string => `demo:${id}`

/** What a list shows of a key: never the key, nor its hash. */
export const keyItem = (row: KeyRow): KeyItem => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  created_tick: row.created_tick,
  expires_mesh_tick: row.expires_mesh_tick,
  revoked: row.revoked_tick !== null,
})

const refuse = (why: string): never => {
  throw new Fault('UNAUTHENTICATED', why)
}

/**
 * Looks a presented key up by its hash, so that no secret is ever compared.
 *
 * @throws Fault UNAUTHENTICATED for a key that is malformed, unknown, revoked or over.
 */
export const createKeyring = (store: Store, sharedDemoKey: string) => {
  const sharedHash = hashOfKey(sharedDemoKey)
  const sharedId = idOfHash(sharedHash)

  const callerOfRow = ({ kind, zid, id }: KeyRow, bucket: string): Caller => {
    const account = kind === 'demo' ? demoAccount(id) : zid
    return { kind, bucket, zid, keyId: id, account, shared: false }
  }

  const callerOf = (authorization: string, bucket: string): Caller => {
    const [, key = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? []
    if (key === '') return refuse('Send Authorization: Bearer <API key>.')
    const kind = apiKeyKindOf(key)
    if (kind === undefined) return refuse('This is not an API key.')
    const hash = hashOfKey(key)
    if (kind === 'machine') return callerOfMachineKey(store, hash, bucket)
    if (hash === sharedHash) {
      return { kind: 'demo', bucket, zid: HOUSE, keyId: sharedId, account: demoAccount(sharedId), shared: true }
    }
    const row = store.peek('key', hash)
    if (row === undefined || row.revoked_tick !== null) return refuse('No such API key, or it was revoked.')
    if (row.expires_mesh_tick !== null && row.expires_mesh_tick <= store.now().meshTick)
      return refuse('The API key is over.')
    return callerOfRow(row, bucket)
  }

  const keys = async (zid: string): Promise<readonly KeyItem[]> => {
    const items: KeyItem[] = []
    for await (const [, hash] of store.range('keyByAccount', { ...under(zid), limit: KEYS_MAX })) {
      const row = await store.get('key', hash)
      if (row !== undefined) items.push(keyItem(row))
    }
    return items.sort((a, b) => a.created_tick - b.created_tick)
  }

  return { callerOf, keys, sharedId }
}
