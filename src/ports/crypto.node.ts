import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  randomBytes as drawBytes,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import type { CryptoPort } from './crypto.ts'
import { ed25519Recompute, encodesSmallOrder } from './edwards.ts'
import { countHashed } from './tally.ts'

export { ed25519KeyIsSound } from './edwards.ts'

/** Parsed keys that are kept: parsing costs as much as the signature. Private ones are found by the seed's hash. */
const PUBLIC_KEYS_MAX = 4_096
const PRIVATE_KEYS_MAX = 64
const SECRET_KEYS_MAX = 64
/** Random bytes that are drawn at once: a draw costs the same for sixteen. Longer ones are drawn by themselves. */
const DRAWN_BYTES = 4_096
const SHARED_DRAW_BYTES_MAX = 64

// DER headers of an Ed25519 key (RFC 8410): PKCS #8 before the seed, SubjectPublicKeyInfo before the raw public key.
const pkcs8Header = Buffer.from('302e020100300506032b657004220420', 'hex')
const spkiHeader = Buffer.from('302a300506032b6570032100', 'hex')

const publicKeys = new Map<string, KeyObject>()
const secretKeys = new Map<string, KeyObject>()
const privateKeys = new Map<string, { readonly key: KeyObject; readonly publicKey: Uint8Array }>()

/** The oldest entry makes room: insertion order is age. */
const remember = <T>(cache: Map<string, T>, name: string, value: T, countMax: number): T => {
  if (cache.size >= countMax) {
    const oldest = cache.keys().next()
    if (!oldest.done) cache.delete(oldest.value)
  }
  cache.set(name, value)
  return value
}

const plain = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes)

const publicKeyObject = (raw: Uint8Array): KeyObject => {
  const name = Buffer.from(raw).toString('latin1')
  const known = publicKeys.get(name)
  if (known !== undefined) return known
  const key = createPublicKey({ key: Buffer.concat([spkiHeader, raw]), format: 'der', type: 'spki' })
  return remember(publicKeys, name, key, PUBLIC_KEYS_MAX)
}

const privateKeyOf = (seed: Uint8Array): { readonly key: KeyObject; readonly publicKey: Uint8Array } => {
  if (seed.length !== 32) throw new RangeError('An Ed25519 seed has 32 bytes.')
  const name = hash('sha256', seed, 'base64')
  const known = privateKeys.get(name)
  if (known !== undefined) return known
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Header, seed]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  const publicKey = plain(spki.subarray(spkiHeader.length))
  return remember(privateKeys, name, { key, publicKey }, PRIVATE_KEYS_MAX)
}

const DIGEST_BYTES = 32

/** A digest comes as a text of its bytes: Node makes a short string in half the time that a Buffer takes it. */
export const sha256: CryptoPort['sha256'] = (data) => {
  countHashed(data.length)
  const text = hash('sha256', data, 'binary')
  const digest = new Uint8Array(DIGEST_BYTES)
  for (let i = 0; i < DIGEST_BYTES; i++) digest[i] = text.charCodeAt(i)
  return digest
}

/** Without bytes in between, which cost as much as the hash of a short text. */
export const sha256OfText: CryptoPort['sha256OfText'] = (text) => {
  countHashed(Buffer.byteLength(text))
  return hash('sha256', text, 'hex')
}

/** The key that was used last, which most often is the next one's too: two that are equal need no hash to be found. */
let last: { readonly bytes: Uint8Array; readonly key: KeyObject } | undefined

const secretKeyOf = (bytes: Uint8Array): KeyObject => {
  if (last?.bytes.length === bytes.length && last.bytes.every((byte, i) => byte === bytes[i])) return last.key
  const name = hash('sha256', bytes, 'base64')
  const key = secretKeys.get(name) ?? remember(secretKeys, name, createSecretKey(bytes), SECRET_KEYS_MAX)
  last = { bytes: plain(bytes), key }
  return key
}

/** An empty key cannot be kept as one. */
export const hmacSha256: CryptoPort['hmacSha256'] = (key, data) =>
  plain(
    createHmac('sha256', key.length === 0 ? key : secretKeyOf(key))
      .update(data)
      .digest(),
  )

let drawn: Uint8Array = new Uint8Array()
let used = 0

/** Each byte is given once, and its place is cleared. */
export const randomBytes: CryptoPort['randomBytes'] = (count) => {
  if (count > SHARED_DRAW_BYTES_MAX) return plain(drawBytes(count))
  if (used + count > drawn.length) {
    drawn = plain(drawBytes(DRAWN_BYTES)) // a Buffer's slices are of its own memory
    used = 0
  }
  const bytes = drawn.slice(used, used + count)
  drawn.fill(0, used, used + count)
  used += count
  return bytes
}

export const ed25519PublicKey: CryptoPort['ed25519PublicKey'] = (seed) => plain(privateKeyOf(seed).publicKey)

export const ed25519Sign: CryptoPort['ed25519Sign'] = (seed, message) =>
  plain(sign(null, message, privateKeyOf(seed).key))

/**
 * OpenSSL refuses S ≥ L, recomputes R without the cofactor and compares its bytes, which is the rule. From 3.5 on it
 * also refuses a key or an R of small order, which 3.0 (Node 22) does not; the rule says nothing of R's order, so in
 * those cases, which no honest signer makes, R is recomputed here and every Node gives one answer.
 */
export const ed25519Verify: CryptoPort['ed25519Verify'] = (publicKey, message, signature) => {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  if (verify(null, message, publicKeyObject(publicKey), signature)) return true
  const unusual = encodesSmallOrder(publicKey) || encodesSmallOrder(signature.subarray(0, 32))
  return unusual && ed25519Recompute(publicKey, message, signature)
}
