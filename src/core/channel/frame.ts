import { concat } from '#core/bytes.ts'
import { canonicalBytes } from '#core/canonical.ts'
import { purposes, signedBytes } from '#core/digest.ts'

/** The byte in front of every frame. */
const FRAME_VERSION = 1
/** Bytes of the counter, of a nonce, and of the tag at the end of what is sealed. */
const COUNTER_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** What the receiver exports the frame key as, and how many bytes it has. */
export const FRAME_LABEL = 'frame'
export const FRAME_KEY_BYTES = 32

/** A session of a channel, as its key is bound to it. */
export interface SecureSession {
  /** Id of the channel. */
  readonly channel: string
  /** 32 random bytes, hex. */
  readonly session: string
  /** The receiver's X25519 key, hex; null where the key presented is what both sides share. */
  readonly public_key: string | null
}

/** What the key of a session is bound to: `tickmesh/secure/1`, 0x0A, JCS{channel, session, public_key}. */
export const secureInfo = ({ channel, session, public_key }: SecureSession): Uint8Array =>
  signedBytes(purposes.secure, { channel, session, public_key })

/** A session as its node tells it to whoever opened it. */
export interface OpenedSession extends SecureSession {
  /** What the sender of HPKE encapsulated, hex; null without a key of the receiver. */
  readonly enc: string | null
  /** The first mesh tick at which it is over, unless it is used before. */
  readonly expires_tick: number
}

/** What the node's identity key signs of a session: this is what tells the receiver who the sender is. */
export const openedBytes = ({ channel, session, public_key, enc, expires_tick }: OpenedSession): Uint8Array =>
  signedBytes(purposes.secure, { channel, session, public_key, enc, expires_tick })

const counterBytes = (counter: number): Uint8Array => {
  const bytes = new Uint8Array(COUNTER_BYTES)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(counter))
  return bytes
}

/** The nonce of a frame: four bytes of nought, and the counter. */
export const frameNonce = (counter: number): Uint8Array =>
  concat(new Uint8Array(NONCE_BYTES - COUNTER_BYTES), counterBytes(counter))

/** What is sealed with a frame and not in it: JCS{channel, session, counter}. */
export const frameContext = (
  { channel, session }: Pick<SecureSession, 'channel' | 'session'>,
  counter: number,
): Uint8Array => canonicalBytes({ channel, session, counter })

/** A frame: 0x01, the counter as u64 big-endian, ciphertext and tag. */
export const frameOf = (counter: number, sealed: Uint8Array): Uint8Array =>
  concat(Uint8Array.of(FRAME_VERSION), counterBytes(counter), sealed)

/** A frame taken apart; undefined for bytes that are none. */
export const readFrame = (bytes: Uint8Array): { readonly counter: number; readonly sealed: Uint8Array } | undefined => {
  if (bytes.length < 1 + COUNTER_BYTES + TAG_BYTES || bytes[0] !== FRAME_VERSION) return undefined
  const counter = new DataView(bytes.buffer, bytes.byteOffset + 1).getBigUint64(0)
  if (counter > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
  return { counter: Number(counter), sealed: bytes.subarray(1 + COUNTER_BYTES) }
}
