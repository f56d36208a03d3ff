import { ERROR_PCT_MAX } from '#core/claim.ts'
import type { ContributedWork } from './work.ts'

/** What a work says of a result that a check measured. */
export const saidOf = ({
  resultDigest,
  reality: { against, errorPct: measured },
}: {
  readonly resultDigest: string
  readonly reality: { readonly against: string; readonly errorPct: number }
}): Pick<ContributedWork, 'result_digest' | 'check'> => ({
  result_digest: resultDigest,
  check: { against, measured, bound: ERROR_PCT_MAX },
})
