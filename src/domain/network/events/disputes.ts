import { readChallenge, signedChallengeSchema } from '#core/dispute/challenge.ts'
import { readReveal, readRuling, revealSchema, signedRulingSchema } from '#core/dispute/statements.ts'
import { Fault } from '#core/fault.ts'
import { keepDisputed } from '#domain/network/disputes/keep.ts'
import { lastingType } from '#domain/network/event-type.ts'

/** Why a payload cannot be read; undefined when it can. */
const unread = (read: () => unknown): string | undefined => {
  try {
    read()
    return undefined
  } catch (cause) {
    if (cause instanceof Fault) return `/payload: ${cause.message}`
    throw cause
  }
}

/** A work is said to be wrong, or its data not to be had. What it comes to follows from all that is known of it. */
export const challenge = lastingType({
  type: 'challenge',
  payload: signedChallengeSchema,
  atOnce: false,
  pushed: true,
  check: ({ sourceNodeId }, payload) => unread(() => readChallenge(payload, sourceNodeId)),
  apply: () => undefined,
  keep: (put, event, at, { challenge: { place } }) =>
    keepDisputed(put, event, { type: 'challenge', about: place.work, at }),
})

/** One of the two values of a draw. */
export const reveal = lastingType({
  type: 'reveal',
  payload: revealSchema,
  atOnce: false,
  pushed: true,
  check: (_, payload) => unread(() => readReveal(payload)),
  apply: () => undefined,
  keep: (put, event, at, { challenge: about }) => keepDisputed(put, event, { type: 'reveal', about, at }),
})

/** What a member of a pool found. It proves nothing: each node goes by what it ran itself. */
export const ruling = lastingType({
  type: 'ruling',
  payload: signedRulingSchema,
  atOnce: false,
  pushed: true,
  check: ({ sourceNodeId }, payload) => unread(() => readRuling(payload, sourceNodeId)),
  apply: () => undefined,
  keep: (put, event, at, { ruling: said }) => keepDisputed(put, event, { type: 'ruling', about: said.challenge, at }),
})
