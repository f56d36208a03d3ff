import { canonical, type Json } from './canonical.ts'
import type { Claim } from './claim.ts'
import { type BundledWork, isAssuredBy } from './work/assurance.ts'
import { RATE_ONE } from './work/audit.ts'
import { readWork, workDigest } from './work/work.ts'

const same = (a: unknown, b: unknown): boolean => canonical(a as Json) === canonical(b as Json)

/**
 * Why a work is not the one behind a claim; undefined when its worker signed it, and it has the digests and the code of
 * the claim.
 *
 * @throws Fault BAD_SIGNATURE, INVALID_INPUT
 */
export const workerFault = (claim: Claim, { work, signature }: BundledWork): string | undefined => {
  if (claim.worker === null) return 'The claim names no worker.'
  if (workDigest(work) !== claim.worker.work) return 'The claim is of another work.'
  readWork({ work, signature }, claim.worker.node)
  if (work.result_digest !== claim.result_digest) return 'The work has another result.'
  if (!same(work.steps, claim.steps)) return 'The work went through other states.'
  return same(work.code, claim.code) ? undefined : 'The work was computed with other code.'
}

/** Why an assurance is not the word of the claim's node about this work; undefined when it is. */
export const assuranceFault = (claim: Claim, bundled: BundledWork): string | undefined => {
  const { assurance } = bundled
  if (!isAssuredBy(bundled, claim.node)) return 'What was checked is not signed by the node of the claim.'
  if (assurance.token_id !== claim.token_id) return 'What was checked is of another envelope.'
  return assurance.work === claim.worker?.work ? undefined : 'What was checked is of another work.'
}

/** What was checked of a contributed result, in a sentence: the requester's word. */
export const assuranceLine = ({ assurance: { samples, of, rate, audited } }: BundledWork): string => {
  const percent = (100 * rate) / RATE_ONE
  if (audited) return `By the requester's word the whole run was done again and came out the same (rate ${percent} %).`
  const seen = of === 0 ? 'the run does not step, and its outcome was checked' : `${samples} of ${of} segments, the`
  const more = of === 0 ? '' : ' first state and the end were run again'
  const one = Math.round(100 / percent)
  return `By the requester's word ${seen}${more}; one work in ${one} is audited, this one was not.`
}
