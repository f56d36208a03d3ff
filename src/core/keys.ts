import { base32nopad, base58 } from '@scure/base'
import { ed25519KeyIsSound, ed25519PublicKey, ed25519Sign, ed25519Verify, sha256 } from '#crypto'
import type { Signer } from '#ports/crypto.ts'
import { concat, fromHex, toHex } from './bytes.ts'
import type { Json } from './canonical.ts'
import { type Purpose, signedBytes } from './digest.ts'
import { Fault } from './fault.ts'

export type { Signer }

/** Bytes of a SHA-256 that a ZID keeps. */
const ZID_BYTES = 20
/** libp2p peer id of an Ed25519 key: identity multihash of the protobuf {Type: Ed25519, Data: 32 bytes}. */
const peerIdHeader = Uint8Array.of(0x00, 0x24, 0x08, 0x01, 0x12, 0x20)
const SIGNATURE_HEX = /^[0-9a-f]{128}$/

/** The identity of an account: `zid1` and the base32 of the first 20 bytes of SHA-256 over its raw public key. */
export const zidOf = (publicKey: Uint8Array): string =>
  `zid1${base32nopad.encode(sha256(publicKey).subarray(0, ZID_BYTES)).toLowerCase()}`

/** The node id of a raw public key: the libp2p peer id, which contains the key whole. */
export const nodeIdOf = (publicKey: Uint8Array): string => base58.encode(concat(peerIdHeader, publicKey))

/** The raw public key inside a node id. @throws Fault INVALID_INPUT for anything but an Ed25519 peer id. */
export const publicKeyOf = (nodeId: string): Uint8Array => {
  const refuse = (): never => {
    throw new Fault('INVALID_INPUT', 'This is not a node id.')
  }
  if (nodeId.length !== 52) return refuse()
  let bytes: Uint8Array
  try {
    bytes = base58.decode(nodeId)
  } catch {
    return refuse()
  }
  const headerFits = peerIdHeader.every((byte, i) => byte === bytes[i])
  if (bytes.length !== peerIdHeader.length + 32 || !headerFits) return refuse()
  return bytes.slice(peerIdHeader.length)
}

/** Lets only a sound key in: canonical, not of small order, torsion-free. @throws Fault BAD_PUBLIC_KEY */
export const assertSoundKey = (publicKey: Uint8Array): void => {
  if (!ed25519KeyIsSound(publicKey)) throw new Fault('BAD_PUBLIC_KEY')
}

/** The raw public key inside a node id, if it is a sound one. @throws Fault INVALID_INPUT, BAD_PUBLIC_KEY */
export const soundKeyOf = (nodeId: string): Uint8Array => {
  const publicKey = publicKeyOf(nodeId)
  assertSoundKey(publicKey)
  return publicKey
}

/** The raw public key of a 32-byte seed. */
export const publicKeyOfSeed = (seed: Uint8Array): Uint8Array => ed25519PublicKey(seed)

/** Signs a value under a purpose; 128 hex digits. @throws Fault NOT_CANONICAL */
export const signValue = (seed: Uint8Array, purpose: Purpose, value: Json): string =>
  toHex(ed25519Sign(seed, signedBytes(purpose, value)))

/** As {@link signValue}, through a signer that may work on another thread. */
export const signValueWith = (signer: Signer, purpose: Purpose, value: Json): Promise<string> =>
  signer.sign(signedBytes(purpose, value)).then(toHex)

/**
 * Whether a hex signature over (purpose, value) verifies under the one Ed25519 rule. Does not check the key: that is
 * done once, by {@link assertSoundKey}, where it is registered or pinned.
 *
 * @throws Fault NOT_CANONICAL when the value has no canonical form.
 */
export const verifyValue = (publicKey: Uint8Array, purpose: Purpose, value: Json, signature: string): boolean =>
  SIGNATURE_HEX.test(signature) && ed25519Verify(publicKey, signedBytes(purpose, value), fromHex(signature))

/**
 * As {@link verifyValue}, under the key that a node id contains, which must be sound: such a document brings its own
 * key along, so this is where that key enters.
 *
 * @throws Fault INVALID_INPUT for what is no node id; NOT_CANONICAL when the value has no canonical form.
 */
export const verifyByNode = (nodeId: string, purpose: Purpose, value: Json, signature: string): boolean => {
  const publicKey = publicKeyOf(nodeId)
  return verifyValue(publicKey, purpose, value, signature) && ed25519KeyIsSound(publicKey)
}
