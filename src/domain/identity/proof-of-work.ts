import { constantTimeEqual, fromBase64Url, toBase64Url, toHex, utf8 } from '#core/bytes.ts'
import { canonicalBytes, type Json, parseCanonical } from '#core/canonical.ts'
import { purposes, withPurpose } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { CHALLENGE_TICKS, workOf } from '#core/proof-of-work.ts'
import { hmacSha256, randomBytes } from '#crypto'
import type { WorkTerms } from './identity.ts'

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

/** What a challenge binds. */
export interface ChallengeTerms {
  readonly account: string
  /** Machine whose day a claim spends; null for what spends none. Challenges of earlier releases do not have it. */
  readonly machine?: string | null
  readonly bucket: string
  readonly day: string
  readonly bits: number
  /** Mesh tick after which it is worth nothing. */
  readonly expires: number
  /** 16 random bytes, hex: what it is spent by. */
  readonly random: string
}

/** For whom work is asked. */
export interface WorkFor {
  /** An account, or what the work buys where there is none yet. */
  readonly account: string
  /** Slug of the machine whose day is spent; undefined, of an answer: the one that its challenge names, if any. */
  readonly machine?: string | null | undefined
  readonly bucket: string
  /** UTC day, `yyyy-mm-dd`. */
  readonly day: string
}

/** A challenge as it was given, and a nonce that solves it. */
export interface Work {
  readonly challenge: string
  readonly nonce: string
}

const refuse = (why: string, details: Readonly<Record<string, unknown>> = {}): never => {
  throw new Fault('INVALID_INPUT', why, details)
}

/** The MAC of a challenge's body, which no other node can make. */
const macOf = (secret: Uint8Array, body: string): Uint8Array =>
  hmacSha256(secret, withPurpose(purposes.challenge, utf8(body)))

/** The text of a challenge: canonical terms and their HMAC-SHA256 under the node's secret, both base64url. */
export const challengeText = (secret: Uint8Array, terms: ChallengeTerms): string => {
  const body = toBase64Url(canonicalBytes(terms as unknown as Json))
  return `${body}.${toBase64Url(macOf(secret, body))}`
}

const parse = (secret: Uint8Array, text: string): ChallengeTerms => {
  const [body = '', mac = '', rest] = text.length > CHALLENGE_CHARS_MAX ? [] : text.split('.')
  if (rest !== undefined) return refuse('This is not a challenge of this node.')
  let given: Uint8Array
  try {
    given = fromBase64Url(mac)
  } catch {
    return refuse('This is not a challenge of this node.')
  }
  if (!constantTimeEqual(given, macOf(secret, body))) return refuse('This is not a challenge of this node.')
  return parseCanonical(fromBase64Url(body)) as unknown as ChallengeTerms
}

const assertFor = (
  { machine = null, ...terms }: ChallengeTerms,
  { machine: named = machine, ...asked }: WorkFor,
): void => {
  if (terms.account !== asked.account) refuse('This challenge was given for another account.')
  if (terms.bucket !== asked.bucket) refuse('This challenge was given to another address.')
  if (machine !== named) refuse('This challenge was given for another machine.', { machine })
  if (terms.day !== asked.day) {
    refuse(`This challenge was given for the UTC day ${terms.day}; it is ${asked.day} now.`, { day: terms.day })
  }
}

/** Challenges of one node: made with its secret, so nothing is stored until one is spent. */
export const createProofOfWork = (secret: Uint8Array) => {
  /** ChallengeTerms for the present rung of the ladder. */
  const challenge = ({ account, machine = null, bucket, day }: WorkFor, bits: number, meshTick: number): WorkTerms => {
    const expires = meshTick + CHALLENGE_TICKS
    const terms: ChallengeTerms = { account, machine, bucket, day, bits, expires, random: toHex(randomBytes(16)) }
    return { challenge: challengeText(secret, terms), bits, expires_mesh_tick: expires }
  }

  /**
   * Checks an answer against the bits of its challenge. Spending it, once, is the caller's.
   *
   * @returns the challenge's random name, the mesh tick after which it is worth nothing, and the machine it names.
   * @throws Fault INVALID_INPUT saying what does not fit; `bits` and `given` where the work is too little.
   */
  const check = (
    work: Work,
    asked: WorkFor,
    meshTick: number,
  ): { readonly random: string; readonly expires: number; readonly machine: string | null } => {
    const terms = parse(secret, work.challenge)
    assertFor(terms, asked)
    if (meshTick > terms.expires) {
      const why = `A challenge can be answered for ${CHALLENGE_TICKS} ticks.`
      return refuse(why, { expires_mesh_tick: terms.expires })
    }
    if (!NONCE_FORM.test(work.nonce)) return refuse('The nonce is a whole number in decimal digits.')
    const given = workOf(work.challenge, work.nonce)
    if (given < terms.bits) {
      const why = `The nonce gives ${given} leading zero bits; ${terms.bits} are asked.`
      return refuse(why, { bits: terms.bits, given })
    }
    return { random: terms.random, expires: terms.expires, machine: terms.machine ?? null }
  }

  return { challenge, check }
}

export type ProofOfWork = ReturnType<typeof createProofOfWork>
