import { fromBase64Url, toBase64Url, toHex, utf8 } from '#core/bytes.ts'
import { canonicalBytes, type Json, parseCanonical } from '#core/canonical.ts'
import { purposes, withPurpose } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { hmacSha256, randomBytes, sha256 } from '#crypto'
import type { WorkTerms } from './identity.ts'

/** Mesh ticks for which a challenge can be answered. */
export const CHALLENGE_TICKS = 120
/** Leading zero bits that every challenge asks for at least. */
export const BITS_MIN = 18
/** Calls of one bucket in an hour before the ladder climbs, calls per further bit, and calls at which it ends. */
export const LADDER_FLAT = 32
export const LADDER_STEP = 4
export const LADDER_MAX = 64

const CHALLENGE_CHARS_MAX = 1_024
const NONCE_FORM = /^(0|[1-9][0-9]{0,18})$/

/** Bits asked of the call that follows `before` others of its bucket and hour; undefined when none follows. */
export const bitsAfter = (before: number): number | undefined => {
  if (before >= LADDER_MAX) return undefined
  return before < LADDER_FLAT ? BITS_MIN : BITS_MIN + Math.floor((before - LADDER_FLAT) / LADDER_STEP) + 1
}

/** Leading zero bits of bytes. */
export const leadingZeroBits = (bytes: Uint8Array): number => {
  const at = bytes.findIndex((byte) => byte !== 0)
  return at < 0 ? bytes.length * 8 : at * 8 + Math.clz32(bytes[at] ?? 0) - 24
}

/** The work of a nonce: leading zero bits of SHA-256(`tickmesh/pow/1`, 0x0A, challenge, 0x0A, nonce in decimal). */
export const workOf = (challenge: string, nonce: string): number =>
  leadingZeroBits(sha256(withPurpose(purposes.pow, utf8(`${challenge}\n${nonce}`))))

/** What a challenge binds. */
interface Terms {
  readonly account: string
  readonly bucket: string
  readonly day: string
  readonly bits: number
  readonly expires: number
  readonly random: string
}

/** For whom work is asked. */
export interface WorkFor {
  /** An account, or what the work buys where there is none yet. */
  readonly account: string
  readonly bucket: string
  /** UTC day, `yyyy-mm-dd`. */
  readonly day: string
}

const refuse = (why: string): never => {
  throw new Fault('INVALID_INPUT', why)
}

/** Compares without saying where the first difference is. */
const equalSecrets = (a: Uint8Array, b: Uint8Array): boolean => {
  let difference = a.length ^ b.length
  for (const [i, byte] of a.entries()) difference |= byte ^ (b[i] ?? 0)
  return difference === 0
}

/** Challenges of one node: made with its secret, so nothing is stored until one is spent. */
export const createProofOfWork = (secret: Uint8Array) => {
  const macOf = (body: string): Uint8Array => hmacSha256(secret, withPurpose(purposes.challenge, utf8(body)))

  /** Terms for the present rung of the ladder. */
  const challenge = ({ account, bucket, day }: WorkFor, bits: number, meshTick: number): WorkTerms => {
    const expires = meshTick + CHALLENGE_TICKS
    const terms: Terms = { account, bucket, day, bits, expires, random: toHex(randomBytes(16)) }
    const body = toBase64Url(canonicalBytes(terms as unknown as Json))
    return { challenge: `${body}.${toBase64Url(macOf(body))}`, bits, expires_mesh_tick: expires }
  }

  const parse = (text: string): Terms => {
    const [body = '', mac = '', rest] = text.length > CHALLENGE_CHARS_MAX ? [] : text.split('.')
    if (rest !== undefined) return refuse('This is not a challenge of this node.')
    let given: Uint8Array
    try {
      given = fromBase64Url(mac)
    } catch {
      return refuse('This is not a challenge of this node.')
    }
    if (!equalSecrets(given, macOf(body))) return refuse('This is not a challenge of this node.')
    return parseCanonical(fromBase64Url(body)) as unknown as Terms
  }

  /**
   * Checks an answer against the bits of its challenge. Spending it, once, is the caller's.
   *
   * @returns the challenge's random name and the mesh tick after which it is worth nothing.
   * @throws Fault INVALID_INPUT saying what does not fit.
   */
  const check = (
    work: { readonly challenge: string; readonly nonce: string },
    asked: WorkFor,
    meshTick: number,
  ): { readonly random: string; readonly expires: number } => {
    const terms = parse(work.challenge)
    if (terms.account !== asked.account || terms.bucket !== asked.bucket || terms.day !== asked.day) {
      return refuse('This challenge was given for another account, address or day.')
    }
    if (meshTick > terms.expires) return refuse(`A challenge can be answered for ${CHALLENGE_TICKS} ticks.`)
    if (!NONCE_FORM.test(work.nonce)) return refuse('The nonce is a whole number in decimal digits.')
    const bits = workOf(work.challenge, work.nonce)
    if (bits < terms.bits) return refuse(`The nonce gives ${bits} leading zero bits; ${terms.bits} are asked.`)
    return { random: terms.random, expires: terms.expires }
  }

  return { challenge, check }
}

export type ProofOfWork = ReturnType<typeof createProofOfWork>
