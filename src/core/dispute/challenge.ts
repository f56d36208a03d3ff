import type { Static } from 'typebox'
import { purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { closed, fitting, hex64, oneOf, orNull, signature } from '#core/schema.ts'
import { signedDocument } from '#core/signed-document.ts'
import { holdsWork, type WorkPlace, type WorksPublished, workPlaceSchema } from '#core/work/published.ts'
import {
  boundsOf,
  hasSegment,
  holdsState,
  type ProvenState,
  provenStateSchema,
  segmentSchema,
} from '#core/work/segments.ts'
import { type ContributedWork, outcomeDigest, workDigest } from '#core/work/work.ts'

/** Form of what a challenger says. */
export const challengeSchema = closed(
  {
    kind: oneOf(['wrong', 'unavailable'], { description: 'That a work is wrong, or that its data cannot be had.' }),
    place: workPlaceSchema,
    inputs: orNull(hex64({ description: 'inputs_digest; null where not even that can be had.' })),
    segment: orNull(segmentSchema, { description: 'The first at whose end both differ; null of an unavailable work.' }),
    own: orNull(
      hex64({
        description: "What the challenger has there: SHA-256 of the state's bytes, or the digest of its outcome.",
      }),
    ),
    before: orNull(provenStateSchema, { description: "The worker's state that both agree on, by digest." }),
    after: orNull(provenStateSchema, { description: "The worker's state at the end of the segment." }),
    commitment: hex64({ description: 'Of the value that the draw takes from the challenger.' }),
    follows: orNull(hex64(), { description: 'The challenge for want of data that this one goes on with.' }),
  },
  { title: 'ChallengeOfWork' },
)
export type ChallengeOfWork = Static<typeof challengeSchema>

/** Form of the payload of a `challenge` event: a document with its author's signature, which stands alone. */
export const signedChallengeSchema = closed({ challenge: challengeSchema, signature: signature() })
export type SignedChallenge = Static<typeof signedChallengeSchema>

const document = signedDocument<'challenge', ChallengeOfWork>('challenge', purposes.dispute)

/** Digest of a challenge under `tickmesh/dispute/1`. */
export const challengeDigest = document.digest

/** Signs a challenge. */
export const signChallenge = document.sign

/** As {@link signChallenge}, on the signer's thread. */
export const signChallengeWith = document.signWith

const refuse = (why: string): never => {
  throw new Fault('INVALID_INPUT', why)
}

/** What each kind must have and must not have. */
const assertMembers = ({ kind, inputs, segment, own, before, after, follows }: ChallengeOfWork): void => {
  if (kind === 'unavailable') {
    const empty = segment === null && own === null && before === null && after === null && follows === null
    if (!empty) refuse('/segment: who cannot have the data names no segment, digest or state.')
    return
  }
  if (segment === null) return refuse('/segment: a work is wrong in a segment.')
  if (own === null) return refuse('/own: the challenger has a digest of its own.')
  if (inputs === null) return refuse('/inputs: what is checked has inputs.')
  const states = boundsOf(2, segment)
  if ((before === null) !== (states.before === null))
    refuse('/before: the segment begins with a state iff it is there.')
  if ((after === null) !== (states.after === null)) refuse('/after: the segment ends with a state iff it is there.')
  if (after !== null && after.sha256 === own) refuse('/own: both digests are the same.')
}

/**
 * Reads the payload of a challenge by its author: form, members, signature. What it claims of the work is for
 * {@link assertProves}.
 *
 * @throws Fault INVALID_INPUT, BAD_SIGNATURE
 */
export const readChallenge = (value: unknown, author: string): SignedChallenge => {
  const signed = fitting(signedChallengeSchema, value)
  assertMembers(signed.challenge)
  document.assertBy(signed, author, 'author')
  return signed
}

/** Holds a place against the event that it names. @throws Fault INVALID_INPUT */
export const assertPlace = (place: WorkPlace, event: WorksPublished): void => {
  if (!holdsWork(event, place)) refuse('/place/path: the event does not hold the work there.')
}

const assertState = (
  name: string,
  at: ProvenState & { readonly i: number },
  work: ContributedWork,
  inputs: string,
): void => {
  if (work.steps === null || !holdsState(work.steps, inputs, at)) {
    refuse(`/${name}: the root of the work does not hold it as state ${at.i}.`)
  }
}

/**
 * Holds a challenge against the work that it is about: the work has that segment, the worker's root holds both states
 * where it says, and the challenger's digest is another one. Whether it is right, only running the segment shows.
 *
 * @param inputs inputs_digest of the offer that the worker accepted.
 * @throws Fault INVALID_INPUT naming the member.
 */
export const assertProves = (challenge: ChallengeOfWork, work: ContributedWork, inputs: string): void => {
  const { kind, place, segment, own, before, after } = challenge
  if (place.work !== workDigest(work)) return refuse('/place/work: it is another work.')
  if (kind === 'unavailable') return
  if (challenge.inputs !== inputs) return refuse('/inputs: the worker accepted other inputs.')
  if (segment === null || !hasSegment(work.steps, segment)) return refuse('/segment: the run has no such segment.')
  const at = boundsOf(work.steps?.count ?? 0, segment)
  if (before !== null && at.before !== null) assertState('before', { ...before, i: at.before }, work, inputs)
  if (after !== null && at.after !== null) assertState('after', { ...after, i: at.after }, work, inputs)
  if (after === null && own === outcomeDigest(work)) refuse('/own: both digests are the same.')
}

/** What the worker says is at the end of a challenged segment, to hold a recomputation against. */
export const claimedAt = ({ after }: Pick<ChallengeOfWork, 'after'>, work: ContributedWork): string =>
  after === null ? outcomeDigest(work) : after.sha256

/** What running a challenged segment again says of the challenge. */
export type CheckOutcome = 'upheld' | 'dismissed' | 'not_reproducible'

/** Whose digest a recomputation has: the challenger's, the worker's, or neither. */
export const outcomeOf = (recomputed: string, challenge: ChallengeOfWork, work: ContributedWork): CheckOutcome => {
  if (recomputed === claimedAt(challenge, work)) return 'dismissed'
  return recomputed === challenge.own ? 'upheld' : 'not_reproducible'
}
