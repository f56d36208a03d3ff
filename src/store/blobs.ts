import { assert } from '#core/assert.ts'
import { fromUtf8, toHex } from '#core/bytes.ts'
import { sha256 } from '#crypto'
import type { Store } from './store.ts'
import type { Put } from './transaction.ts'

/** Bytes of one blob: a large field as text still fits. */
export const BLOB_BYTES_MAX = 64 * 1_048_576

/** A blob's name: SHA-256 of its bytes, hex. */
export const blobName = (bytes: Uint8Array): string => toHex(sha256(bytes))

/** Adds a content-addressed value to a batch, and gives its name. Equal values are kept once. */
export const putBlob = (put: Put, bytes: Uint8Array): string => {
  assert(bytes.length <= BLOB_BYTES_MAX, 'a blob is within its bound')
  const name = blobName(bytes)
  put('blob', name, bytes)
  return name
}

/** A durable value by its name, or undefined. */
export const readBlob = (store: Pick<Store, 'get'>, name: string): Promise<Uint8Array | undefined> =>
  store.get('blob', name)

/** A durable text by its name; undefined when there is none, or no name. */
export const readText = async (store: Pick<Store, 'get'>, name: string | null): Promise<string | undefined> => {
  const bytes = name === null ? undefined : await readBlob(store, name)
  return bytes === undefined ? undefined : fromUtf8(bytes)
}
