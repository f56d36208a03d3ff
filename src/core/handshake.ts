import { hmacSha256, sha256 } from '#crypto'
import { constantTimeEqual, fromHex, toHex, utf8 } from './bytes.ts'
import { purposes, withPurpose } from './digest.ts'
import { isNodeId } from './ids.ts'

/** Mesh ticks that a handshake may be off, either way. */
export const HANDSHAKE_WINDOW_TICKS = 120

/** What a checked handshake says, or the code of its refusal. */
export type HandshakeVerdict =
  | {
      readonly ok: true
      readonly sender: string
      readonly meshTick: number
      /** The MAC in hex: what a replay cache remembers. */
      readonly mac: string
    }
  | {
      readonly ok: false
      readonly code: 'MISSING_HANDSHAKE' | 'BAD_HANDSHAKE' | 'STALE_HANDSHAKE'
      readonly why: string
    }

const macOf = (secret: Uint8Array, sender: string, meshTick: string, body: Uint8Array): Uint8Array =>
  hmacSha256(secret, withPurpose(purposes.handshake, utf8(`${sender}\n${meshTick}\n${toHex(sha256(body))}`)))

/** The header `x-node-handshake` for exactly these body bytes: `v1;<sender>;<mesh tick>;<hex MAC>`. */
export const makeHandshake = (
  secret: Uint8Array,
  { sender, meshTick, body }: { readonly sender: string; readonly meshTick: number; readonly body: Uint8Array },
): string => `v1;${sender};${meshTick};${toHex(macOf(secret, sender, String(meshTick), body))}`

const form = /^v1;([1-9A-HJ-NP-Za-km-z]{1,64});(0|[1-9][0-9]{0,15});([0-9a-f]{64})$/

/** What a handshake is checked against. */
export interface HandshakeQuestion {
  /** The header as it came; undefined when it did not. */
  readonly header: string | undefined
  /** The exact body bytes. */
  readonly body: Uint8Array
  /** The mesh secret, and the previous one while it is being rotated. */
  readonly secrets: readonly Uint8Array[]
  /** The receiver's mesh tick. */
  readonly meshTick: number
}

/**
 * Checks a handshake in the order of protocol.md: header, syntax, window, MAC in constant time. The replay cache and
 * everything about the event come after it and are the caller's.
 */
export const checkHandshake = ({ header, body, secrets, meshTick }: HandshakeQuestion): HandshakeVerdict => {
  if (header === undefined || header === '') {
    return { ok: false, code: 'MISSING_HANDSHAKE', why: 'The header x-node-handshake is missing.' }
  }
  const match = form.exec(header)
  const [, sender = '', tickText = '', hex = ''] = match ?? []
  const claimed = Number(tickText)
  if (match === null || !isNodeId(sender) || !Number.isSafeInteger(claimed)) {
    return { ok: false, code: 'BAD_HANDSHAKE', why: 'The header is v1;<node id>;<mesh tick>;<64 hex digits>.' }
  }
  if (Math.abs(claimed - meshTick) > HANDSHAKE_WINDOW_TICKS) {
    const why = `The handshake is of mesh tick ${claimed}, more than ${HANDSHAKE_WINDOW_TICKS} from ${meshTick}.`
    return { ok: false, code: 'STALE_HANDSHAKE', why }
  }
  const mac = fromHex(hex)
  // Every secret is tried, whichever fits, so the time says nothing of it.
  const fits = secrets.map((secret) => constantTimeEqual(mac, macOf(secret, sender, tickText, body)))
  if (!fits.includes(true)) return { ok: false, code: 'BAD_HANDSHAKE', why: 'The MAC does not fit this body.' }
  return { ok: true, sender, meshTick: claimed, mac: hex }
}
