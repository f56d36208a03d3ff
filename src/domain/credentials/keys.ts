import { utf8 } from '#core/bytes.ts'
import { API_KEY_BYTES, apiKey } from '#core/ids.ts'
import { hmacSha256, randomBytes, sha256OfText } from '#crypto'
import { keyOf } from '#store/layout.ts'
import type { KeyRow } from '#store/rows/account.ts'
import type { Transaction } from '#store/transaction.ts'
import type { FreshKey } from './shown-once.ts'

const ID_DIGITS = 16

/** SHA-256 of a key as presented, hex: all that is stored of it. */
export const hashOfKey = (key: string): string => sha256OfText(key)
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
