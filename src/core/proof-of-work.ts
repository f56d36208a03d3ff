import { sha256 } from '#crypto'
import { assert } from './assert.ts'
import { utf8 } from './bytes.ts'
import { purposes, withPurpose } from './digest.ts'

/** What is to be solved: a nonce whose work reaches the bits. */
export interface WorkToDo {
  readonly challenge: string
  readonly bits: number
}

/** Mesh ticks for which a challenge can be answered. */
export const CHALLENGE_TICKS = 120

/** Which part of all nonces a search goes through: lane 0 to lanes − 1, none of which meets another. */
export const LANES_MAX = 900

const ZERO = 0x30
const NINE = 0x39
const FIRST_LANE = 100
/** Digits of a nonce behind those of its lane: a trillion nonces, which is 2^40 of work and more than is ever asked. */
const COUNTER_DIGITS = 12

/** Leading zero bits of bytes. */
export const leadingZeroBits = (bytes: Uint8Array): number => {
  let at = 0
  while (at < bytes.length && bytes[at] === 0) at += 1
  return at === bytes.length ? at * 8 : at * 8 + Math.clz32(bytes[at] ?? 0) - 24
}

const messageOf = (challenge: string, nonce: string): Uint8Array =>
  withPurpose(purposes.pow, utf8(`${challenge}\n${nonce}`))

/** The work of a nonce: leading zero bits of SHA-256(`tickmesh/pow/1`, 0x0A, challenge, 0x0A, nonce in decimal). */
export const workOf = (challenge: string, nonce: string): number => leadingZeroBits(sha256(messageOf(challenge, nonce)))

/** Hashes that a nonce of so many bits takes on average. */
export const expectedHashes = (bits: number): number => {
  let hashes = 1
  for (let i = 0; i < bits; i++) hashes *= 2
  return hashes
}

/** A search that goes on from where it stopped. */
export interface WorkSearch {
  /** Tries so many nonces at most. @returns the first one that reaches the bits; undefined when none of them does. */
  go(tries: number): string | undefined
  /** Nonces tried so far. */
  readonly tried: number
}

/**
 * Searches one lane of nonces in order. The message is laid out once and only its last digits change, so that a try
 * costs its hash and little else.
 */
export const searchWork = ({ challenge, bits }: WorkToDo, lane: number): WorkSearch => {
  assert(Number.isSafeInteger(lane) && lane >= 0 && lane < LANES_MAX, 'a lane is one of those that there are')
  const message = messageOf(challenge, `${FIRST_LANE + lane}${'0'.repeat(COUNTER_DIGITS)}`)
  const last = message.length - 1
  let tried = 0
  const advance = (): void => {
    let at = last
    while (message[at] === NINE) {
      message[at] = ZERO
      at -= 1
    }
    assert(at > last - COUNTER_DIGITS, 'a lane is never searched to its end')
    message[at] = (message[at] ?? 0) + 1
  }
  const nonce = (): string => {
    const digits = message.subarray(last + 1 - COUNTER_DIGITS - 3)
    return String.fromCharCode(...digits)
  }
  return {
    get tried() {
      return tried
    },
    go: (tries) => {
      for (let i = 0; i < tries; i++) {
        if (tried > 0) advance()
        tried += 1
        if (leadingZeroBits(sha256(message)) >= bits) return nonce()
      }
      return undefined
    },
  }
}
