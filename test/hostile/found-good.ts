import crypto, { type KeyObject } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/**
 * A mutant of a document with several signatures leaves most of them as they were: what was found good once, of one
 * key over the same bytes, is not computed again. What was not is, every time. Signatures themselves are judged in
 * core/crypto. It holds for the whole process, so what is asked with a callback goes through as it is.
 */

const GOOD_MAX = 4_096
const good = new WeakMap<KeyObject, Set<string>>()

const { verify } = crypto

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

type Asked = readonly [algorithm: null, message: Uint8Array, key: KeyObject, signature: Uint8Array]
type Callback = (error: Error | null, found: boolean) => void

crypto.verify = ((...asked: Asked | readonly [...Asked, Callback]) => {
  const [algorithm, message, key, signature, callback] = asked
  if (callback !== undefined) return verify(algorithm, message, key, signature, callback)
  const name = `${message.length} ${latin1(message)}${latin1(signature)}`
  const known = good.get(key) ?? new Set()
  if (known.has(name)) return true
  const found = verify(algorithm, message, key, signature)
  if (found && known.size < GOOD_MAX) good.set(key, known.add(name))
  return found
}) as typeof verify
syncBuiltinESMExports()
