import type { Static } from 'typebox'
import { assert } from '#core/assert.ts'
import { fromHex, toHex } from '#core/bytes.ts'
import { digest, purposes } from '#core/digest.ts'
import { closed, count, hex64, integer, oneOf } from '#core/schema.ts'
import { hmacSha256 } from '#crypto'
import { jobSchema } from './job.ts'

/** Audit rates are whole millionths, so that every engine decides alike. */
export const RATE_ONE = 1_000_000
/** r: the rate of a requester that sets none, and the least that it may set. */
export const RATE_DEFAULT = 20_000
export const RATE_MIN = 5_000
/** The rate of a worker without a record, whose runs are seen whole or not at all. */
export const RATE_NEW = 100_000

/**
 * The rate at which works of a worker are run again whole, in millionths: r where samples see the steps, else
 * max(r, min(10 %, 1/(1 + v))).
 *
 * @param v whole-run works of this worker found right since its last wrong one.
 */
export const auditRate = (
  v: number,
  { r = RATE_DEFAULT, steps }: { readonly r?: number; readonly steps: boolean },
): number => {
  assert(Number.isSafeInteger(v) && v >= 0, 'v is a count')
  const least = Math.max(r, RATE_MIN)
  return steps ? least : Math.max(least, Math.min(RATE_NEW, Math.floor(RATE_ONE / (1 + v))))
}

/** What an offer commits to: which of its works are audited, before anybody knows their digests. */
export const auditCommitment = (q: string, rate: number): string => digest(purposes.audit, { q, rate })

/** Whether a work is audited: HMAC-SHA256(q, work digest) < rate · 2^256. */
export const isAudited = (q: string, rate: number, work: string): boolean => {
  const drawn = BigInt(`0x${toHex(hmacSha256(fromHex(q), fromHex(work)))}`)
  return drawn * BigInt(RATE_ONE) < BigInt(rate) << 256n
}

/** What a requester can have found when a job closes. */
export const auditFindings = ['right', 'wrong', 'not_audited', 'no_work'] as const

/** Form of the payload of a `close` event. */
export const closeSchema = closed(
  {
    job: jobSchema,
    q: hex64({ description: '32 random bytes, committed to in the offer.' }),
    rate: integer({ minimum: RATE_MIN, maximum: RATE_ONE, description: 'Millionths.' }),
    found: closed({
      audit: oneOf(auditFindings, { description: 'What running it again whole gave, where it was audited.' }),
      samples: count({ maximum: 4_096, description: 'Segments run again.' }),
      of: count({ maximum: 4_096, description: 'Segments of the run; 0 for one that does not step.' }),
    }),
  },
  { title: 'JobClosed' },
)
export type JobClosed = Static<typeof closeSchema>

/** Why a close does not fit the commitment or the work that it closes; undefined when it does. */
export const closeFault = (
  { q, rate, found }: JobClosed,
  { audit, work }: { readonly audit: string; readonly work: string | null },
): string | undefined => {
  if (auditCommitment(q, rate) !== audit) return 'q and rate are not those that the offer committed to.'
  if ((work === null) !== (found.audit === 'no_work')) return 'It says of a work what the job does not have.'
  if (work === null) return undefined
  const audited = isAudited(q, rate, work)
  return audited === (found.audit === 'not_audited') ? 'The work was not audited as q and rate say.' : undefined
}
