import { ed25519 } from '@noble/curves/ed25519.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 as nobleSha256, sha512 } from '@noble/hashes/sha2.js'
import { randomBytes as drawBytes } from '@noble/hashes/utils.js'
import type { CryptoPort } from './crypto.ts'

export { ed25519KeyIsSound } from './sound-key.ts'

const { BASE, Fn } = ed25519.Point
const ORDER = Fn.ORDER

/** A little-endian integer. */
const littleEndian = (bytes: Uint8Array): bigint => {
  let value = 0n
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i] as number)
  return value
}

export const sha256: CryptoPort['sha256'] = (data) => nobleSha256(data)

export const hmacSha256: CryptoPort['hmacSha256'] = (key, data) => hmac(nobleSha256, key, data)

export const randomBytes: CryptoPort['randomBytes'] = (count) => drawBytes(count)

export const ed25519PublicKey: CryptoPort['ed25519PublicKey'] = (seed) => ed25519.getPublicKey(seed)

export const ed25519Sign: CryptoPort['ed25519Sign'] = (seed, message) => ed25519.sign(message, seed)

/**
 * RFC 8032 section 5.1.7 without the cofactor, its last step done on bytes: R' = S·B − k·A is encoded and compared.
 * noble's own `verify` multiplies by the cofactor in both of its modes, so it would accept what Node's refuses.
 */
export const ed25519Verify: CryptoPort['ed25519Verify'] = (publicKey, message, signature) => {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  const encodedR = signature.subarray(0, 32)
  const s = littleEndian(signature.subarray(32))
  if (s >= ORDER) return false
  let a: InstanceType<typeof ed25519.Point>
  try {
    // Lenient decoding, as OpenSSL's: whether the key itself is acceptable was judged when it was registered.
    a = ed25519.Point.fromBytes(publicKey, true)
  } catch {
    return false
  }
  const hash = sha512.create().update(encodedR).update(publicKey).update(message).digest()
  const k = littleEndian(hash) % ORDER
  const recomputedR = BASE.multiplyUnsafe(s).subtract(a.multiplyUnsafe(k)).toBytes()
  return recomputedR.every((byte, i) => byte === encodedR[i])
}
