import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'

/** Keys whose soundness is remembered: the check costs a scalar multiplication, and peers' keys come again. */
const SOUND_KEYS_MAX = 4_096
const soundKeys = new Set<string>()

/**
 * Whether a raw public key may be registered: canonical encoding (y < p, no negative zero), not of small order,
 * torsion-free. No platform's own verifier asks this, so both ports share this one answer.
 */
export const ed25519KeyIsSound = (publicKey: Uint8Array): boolean => {
  if (publicKey.length !== 32) return false
  const name = publicKey.join()
  if (soundKeys.has(name)) return true
  let sound = false
  try {
    const point = ed25519.Point.fromBytes(publicKey, false)
    sound = !point.isSmallOrder() && point.isTorsionFree()
  } catch {
    return false
  }
  if (!sound) return false
  if (soundKeys.size >= SOUND_KEYS_MAX) soundKeys.clear()
  soundKeys.add(name)
  return true
}

const { BASE, Fn } = ed25519.Point
const ORDER = Fn.ORDER

/** A little-endian integer. */
const littleEndian = (bytes: Uint8Array): bigint => {
  let value = 0n
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i] as number)
  return value
}

/**
 * The one rule, by hand: RFC 8032 section 5.1.7 without the cofactor, its last step done on bytes. S < L, and
 * R' = S·B − k·A is encoded and compared. noble's own `verify` multiplies by the cofactor in both of its modes, so it
 * would accept what a platform refuses.
 */
export const ed25519Recompute = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean => {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  const encodedR = signature.subarray(0, 32)
  const s = littleEndian(signature.subarray(32))
  if (s >= ORDER) return false
  let a: InstanceType<typeof ed25519.Point>
  try {
    // Lenient decoding: whether the key itself is acceptable was checked when it was registered.
    a = ed25519.Point.fromBytes(publicKey, true)
  } catch {
    return false
  }
  const hash = sha512.create().update(encodedR).update(publicKey).update(message).digest()
  const k = littleEndian(hash) % ORDER
  const recomputedR = BASE.multiplyUnsafe(s).subtract(a.multiplyUnsafe(k)).toBytes()
  return recomputedR.every((byte, i) => byte === encodedR[i])
}

/** The y of every point of small order, little-endian hex: 0, 1, p − 1, p, p + 1 and the two of order 8. */
const smallOrderY: ReadonlySet<string> = new Set([
  `00${'00'.repeat(31)}`,
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
])

/** Whether 32 bytes encode, canonically or not, a point of small order. */
export const encodesSmallOrder = (encoded: Uint8Array): boolean => {
  const last = encoded[31] as number
  // The last bytes of the seven, sign aside: nearly all inputs leave here.
  if (![0x00, 0x7f, 0x05, 0x7a].includes(last & 0x7f)) return false
  const digits = Array.from(encoded, (byte, i) => (i === 31 ? byte & 0x7f : byte).toString(16).padStart(2, '0'))
  return smallOrderY.has(digits.join(''))
}
