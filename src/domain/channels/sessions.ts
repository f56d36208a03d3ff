import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import { canonicalBytes, type Json } from '#core/canonical.ts'
import {
  FRAME_KEY_BYTES,
  FRAME_LABEL,
  frameContext,
  frameNonce,
  frameOf,
  type OpenedSession,
  openedBytes,
  type SecureSession,
  secureInfo,
} from '#core/channel/frame.ts'
import { Fault } from '#core/fault.ts'
import { refuseInput } from '#core/input.ts'
import { TICK_NS } from '#core/tick.ts'
import { NS_PER_SECOND } from '#core/time.ts'
import { randomBytes, sha256 } from '#crypto'
import type { HeldRuns } from '#domain/compute/held.ts'
import type { Sealed } from '#domain/compute/types.ts'
import type { Signer } from '#ports/crypto.ts'
import type { ChannelDoorPorts } from './links.ts'
import type { ChannelRequest } from './types.ts'

export interface SecurePorts extends ChannelDoorPorts {
  readonly held: Pick<HeldRuns, 'recall'>
  /** The identity key: its signature says whose frames they are. */
  readonly signer: Pick<Signer, 'sign'>
}

/** Sessions of one channel, and of the node: they are held in memory. */
export const SESSIONS_PER_CHANNEL_MAX = 16
export const SESSIONS_MAX = 16_384
const SESSION_BYTES = 32
/** A session that is not used for so long is over: 15 minutes, in mesh ticks. */
const IDLE_TICKS = Number((900n * NS_PER_SECOND + TICK_NS - 1n) / TICK_NS)

interface Session {
  readonly channel: string
  readonly session: string
  /** The salt of the channel's links when it was opened: closing and rotating end sessions as they end links. */
  readonly salt: string
  readonly key: CryptoKey
  /** The first mesh tick at which it is over. */
  until: number
}

/** A session as it is told, with the signature of the node's identity key. */
export interface SignedSession extends OpenedSession {
  readonly signature: string
}

/** An encrypted frame, and the seal that is in it. */
export interface SecureFrame {
  readonly bytes: Uint8Array
  readonly sealed: Sealed
}

/** What both sides make the frame key of: the receiver's X25519 key, or the API key that was presented. */
export interface SecureOrder {
  readonly publicKey?: string | undefined
  readonly bearer?: string | undefined
}

/** Loaded with the first session that needs it: a node starts without. */
const loadSuite = async () => {
  const { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } = await import('@hpke/core')
  return new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() })
}

const aesKey = (bytes: BufferSource): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt'])

const buffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

/** The frame key by HPKE as sender. @throws Fault INVALID_INPUT for a key of which nothing secret comes. */
const keyForReceiver = async (it: SecureSession & { readonly public_key: string }) => {
  const suite = await loadSuite()
  try {
    const recipientPublicKey = await suite.kem.deserializePublicKey(buffer(fromHex(it.public_key)))
    const sender = await suite.createSenderContext({ recipientPublicKey, info: buffer(secureInfo(it)) })
    const secret = await sender.export(buffer(utf8(FRAME_LABEL)), FRAME_KEY_BYTES)
    return { key: await aesKey(secret), enc: toHex(new Uint8Array(sender.enc)) }
  } catch {
    return refuseInput([{ path: '/public_key', message: 'is no X25519 key that a secret can be shared with' }])
  }
}

/** The frame key of the API key presented: HKDF-SHA256, the session's 32 bytes as salt. */
const keyOfBearer = async (it: SecureSession, bearer: string): Promise<CryptoKey> => {
  const material = await crypto.subtle.importKey('raw', buffer(utf8(bearer)), 'HKDF', false, ['deriveBits'])
  const how = { name: 'HKDF', hash: 'SHA-256', salt: buffer(fromHex(it.session)), info: buffer(secureInfo(it)) }
  return aesKey(await crypto.subtle.deriveBits(how, material, FRAME_KEY_BYTES * 8))
}

const gone = (): Fault => new Fault('GONE', 'There is no such session: it was idle too long, or the node began anew.')

/** Sessions by the hash of what opens them, so that no secret is ever compared. */
const hashOf = (session: string): string => toHex(sha256(utf8(session)))

/** Creates the sessions in which the frames of a channel are encrypted. */
export const createSecureChannels = ({ channels, store, held, signer }: SecurePorts) => {
  const sessions = new Map<string, Session>()

  const isLive = ({ until, channel, salt }: Session): boolean =>
    until > store.now().meshTick && channels.peek(channel)?.row.link_salt === salt

  const sweep = (): void => {
    for (const [hash, it] of sessions) if (!isLive(it)) sessions.delete(hash)
  }

  const assertRoom = (channel: string): void => {
    sweep()
    const own = [...sessions.values()].filter((it) => it.channel === channel).length
    if (own < SESSIONS_PER_CHANNEL_MAX && sessions.size < SESSIONS_MAX) return
    const limit = own < SESSIONS_PER_CHANNEL_MAX ? SESSIONS_MAX : SESSIONS_PER_CHANNEL_MAX
    throw new Fault('CAPACITY_EXCEEDED', `There are ${limit} sessions, and all are in use.`, { limit })
  }

  const keyed = async (it: SecureSession, bearer: string | undefined) => {
    const { public_key } = it
    if (public_key !== null) return keyForReceiver({ ...it, public_key })
    if (bearer === undefined) throw new Fault('PUBLIC_KEY_REQUIRED')
    return { key: await keyOfBearer(it, bearer), enc: null }
  }

  return {
    /**
     * Opens a session for the frames of a channel.
     *
     * @throws Fault NOT_FOUND, SCOPE_REQUIRED, CHANNEL_CLOSED, PUBLIC_KEY_REQUIRED, INVALID_INPUT, CAPACITY_EXCEEDED
     */
    openSecure: async (
      { caller, id: channel }: ChannelRequest,
      { publicKey, bearer }: SecureOrder,
    ): Promise<SignedSession> => {
      const { row, head } = channels.find(channel, caller, 'tick')
      if (head.status === 'closed') throw new Fault('CHANNEL_CLOSED', 'A closed channel has no sessions.')
      assertRoom(channel)
      const session = toHex(randomBytes(SESSION_BYTES))
      const bound: SecureSession = { channel, session, public_key: publicKey ?? null }
      const { key, enc } = await keyed(bound, bearer)
      const until = store.now().meshTick + IDLE_TICKS
      const opened: OpenedSession = { ...bound, enc, expires_tick: until }
      const signature = toHex(await signer.sign(openedBytes(opened)))
      // Others may have opened one while this one was made.
      assertRoom(channel)
      sessions.set(hashOf(session), { channel, session, salt: row.link_salt, key, until })
      return { ...opened, signature }
    },
    /**
     * The newest envelope, encrypted: the same bytes until the next tick.
     *
     * @throws Fault UNAUTHENTICATED, GONE, NOT_FOUND before the first tick
     */
    pullSecure: async (channel: string, session: string | undefined): Promise<SecureFrame> => {
      if (session === undefined) throw new Fault('UNAUTHENTICATED', 'Frames are for a session: `session` is missing.')
      const it = sessions.get(hashOf(session))
      if (it === undefined || it.channel !== channel || !isLive(it)) throw gone()
      it.until = store.now().meshTick + IDLE_TICKS
      const standing = channels.peek(channel)?.head
      if (standing?.head == null) throw new Fault('NOT_FOUND', 'The channel has not ticked yet.')
      const { sealed: counter, head } = standing
      const sealed = await held.recall(head.token_id)
      const iv = buffer(frameNonce(counter))
      const additionalData = buffer(frameContext(it, counter))
      const plain = buffer(canonicalBytes(sealed.evidence as unknown as Json))
      const bytes = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, it.key, plain)
      return { bytes: frameOf(counter, new Uint8Array(bytes)), sealed }
    },
  }
}
