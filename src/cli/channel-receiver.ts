import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import {
  FRAME_KEY_BYTES,
  FRAME_LABEL,
  frameContext,
  frameNonce,
  type OpenedSession,
  readFrame,
  secureInfo,
} from '#core/channel/frame.ts'
import { exits } from './exit.ts'
import { CliError } from './problem.ts'

/** What was in a frame. */
export interface OpenedFrame {
  readonly counter: number
  readonly plain: Uint8Array
}

/** Whoever frames are encrypted for: the key is made here and never leaves this process. */
export interface FrameReceiver {
  /** X25519 key, hex. */
  readonly publicKey: string
  /** Opens a frame of a session of this receiver. @throws CliError (verification failed) for any other one */
  open(session: OpenedSession, frame: Uint8Array): Promise<OpenedFrame>
}

const buffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

const isNotOurs = (why: string): CliError =>
  new CliError(exits.verificationFailed, `the frame is not opened: ${why}`, { code: 'BAD_FRAME' })

/** Makes a receiver with a key of its own. */
export const createFrameReceiver = async (): Promise<FrameReceiver> => {
  const suite = new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() })
  const pair = await suite.kem.generateKeyPair()
  const publicKey = toHex(new Uint8Array(await suite.kem.serializePublicKey(pair.publicKey)))

  const frameKey = async (session: OpenedSession): Promise<CryptoKey> => {
    if (session.enc === null) throw isNotOurs('the session has nothing encapsulated for this key')
    const info = buffer(secureInfo(session))
    const enc = buffer(fromHex(session.enc))
    const context = await suite.createRecipientContext({ recipientKey: pair.privateKey, enc, info })
    const secret = await context.export(buffer(utf8(FRAME_LABEL)), FRAME_KEY_BYTES)
    return crypto.subtle.importKey('raw', secret, 'AES-GCM', false, ['decrypt'])
  }

  return {
    publicKey,
    open: async (session, frame) => {
      const read = readFrame(frame)
      if (read === undefined) throw isNotOurs('it has not the form of one')
      const { counter, sealed } = read
      const key = await frameKey(session)
      const additionalData = buffer(frameContext(session, counter))
      const how = { name: 'AES-GCM', iv: buffer(frameNonce(counter)), additionalData }
      try {
        return { counter, plain: new Uint8Array(await crypto.subtle.decrypt(how, key, buffer(sealed))) }
      } catch {
        throw isNotOurs('it is of another session, or was altered on its way')
      }
    },
  }
}
