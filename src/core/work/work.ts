import type { Static } from 'typebox'
import { canonical, type Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { closed, fitting, hex64, signature } from '#core/schema.ts'
import { signedDocument } from '#core/signed-document.ts'
import { codeSchema } from '#core/verdict.ts'
import { attemptSchema, checkSchema, jobSchema, stepsSchema } from './job.ts'
import type { WorkOffer } from './offer.ts'

/** Form of what a worker says it computed: a claim without token. */
export const workSchema = closed(
  {
    job: jobSchema,
    attempt: attemptSchema(),
    code: codeSchema,
    result_digest: hex64(),
    steps: stepsSchema,
    check: checkSchema,
  },
  { title: 'Work' },
)
/** A finished work (trust.md, Job). */
export type ContributedWork = Static<typeof workSchema>

/** Form of a work with its worker's signature. */
export const signedWorkSchema = closed({ work: workSchema, signature: signature() }, { title: 'SignedWork' })
export type SignedWork = Static<typeof signedWorkSchema>

const document = signedDocument<'work', ContributedWork>('work', purposes.work)

/** A work's name: its digest under `tickmesh/work/1`. */
export const workDigest = document.digest

/** Digest of what the last segment of a run gives: the result and what the solver's own check found. */
export const outcomeDigest = ({ result_digest, check }: Pick<ContributedWork, 'result_digest' | 'check'>): string =>
  digest(purposes.outcome, { result_digest, check } as unknown as Json)

/** Signs a work. */
export const signWork = document.sign

/** As {@link signWork}, on the signer's thread. */
export const signWorkWith = document.signWith

const same = (a: unknown, b: unknown): boolean => canonical(a as Json) === canonical(b as Json)

/**
 * Why a work does not answer an offer, or undefined when it does. A work under other code, or of another job, is void
 * and not wrong: it is no ground for a dispute.
 */
export const voidBecause = (offer: WorkOffer, work: ContributedWork): string | undefined => {
  if (!same(work.job, offer.job) || work.attempt !== offer.attempt) return 'It is of another job or attempt.'
  if (!same(work.code, offer.code)) return 'It was computed with other code than was offered.'
  return undefined
}

/**
 * Reads a signed work of a worker. Whose it is the offer says; whether it answers it, {@link voidBecause}.
 *
 * @throws Fault INVALID_INPUT, BAD_SIGNATURE
 */
export const readWork = (value: unknown, worker: string): SignedWork => {
  const signed = fitting(signedWorkSchema, value)
  document.assertBy(signed, worker, 'worker')
  return signed
}

/** Whether two works of one worker are two answers to one question, which bars it at once (trust.md, Equivocation). */
export const areTwoAnswers = (a: ContributedWork, b: ContributedWork): boolean =>
  same(a.job, b.job) && a.attempt === b.attempt && workDigest(a) !== workDigest(b)
