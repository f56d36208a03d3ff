import { readChallenge, type SignedChallenge, signedChallengeSchema } from '#core/dispute/challenge.ts'
import { readReveal, readRuling, revealSchema, signedRulingSchema } from '#core/dispute/statements.ts'
import { Fault } from '#core/fault.ts'
import type { WorkPlace } from '#core/work/published.ts'
import { disputedKey, keepDisputed } from '#domain/network/disputes/keep.ts'
import { lastingType, type Peek } from '#domain/network/event-type.ts'

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

/** Who published a work, as far as its event is here. */
const requesterOf = ({ event }: WorkPlace, peek: Peek): string | undefined =>
  peek('disputed', disputedKey('work', event, event))?.author

/** A work is said to be wrong, or its data not to be had. What it comes to follows from all that is known of it. */
export const challenge = lastingType({
  type: 'challenge',
  payload: signedChallengeSchema,
  atOnce: false,
  pushed: true,
  shard: (_, { challenge: { place } }, peek) => requesterOf(place, peek),
  names: (_, { challenge: { place } }) => [{ kind: 'work', name: place.event, isIt: false }],
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
  shard: 'nowhere',
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
  shard: (_, { ruling: { work, challenge: about } }, peek) => {
    const row = peek('disputed', disputedKey('challenge', work, about))
    return row === undefined ? undefined : requesterOf((row.payload as SignedChallenge).challenge.place, peek)
  },
  check: ({ sourceNodeId }, payload) => unread(() => readRuling(payload, sourceNodeId)),
  apply: () => undefined,
  keep: (put, event, at, { ruling: said }) => keepDisputed(put, event, { type: 'ruling', about: said.challenge, at }),
})
