import crypto, { type KeyObject } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/**
 * A mutant of a document with several signatures leaves most of them as they were: what was found good once, of one
 * key over the same bytes, is not computed again. What was not is, every time. Signatures themselves are judged in
 * core/crypto.
 */

const GOOD_MAX = 4_096
const good = new WeakMap<KeyObject, Set<string>>()

const { verify } = crypto

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

crypto.verify = ((algorithm: null, message: Uint8Array, key: KeyObject, signature: Uint8Array): boolean => {
  const name = `${message.length} ${latin1(message)}${latin1(signature)}`
  const known = good.get(key) ?? new Set()
  if (known.has(name)) return true
  const found = verify(algorithm, message, key, signature)
  if (found && known.size < GOOD_MAX) good.set(key, known.add(name))
  return found
}) as typeof verify
syncBuiltinESMExports()
