import { ed25519 } from '@noble/curves/ed25519.js'

/** Keys whose soundness is remembered; the check costs a scalar multiplication, and peers' keys come again and again. */
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
