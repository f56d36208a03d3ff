import { Fault } from '#core/fault.ts'
import { endingOf } from '#domain/compute/job.ts'
import { isRefusal } from '#domain/compute/tally.ts'
import type { Unsealed } from '#domain/compute/types.ts'
import type { BatchOutcomeRow } from '#store/rows/batch.ts'
import type { JobProblem } from '#store/rows/job.ts'

/** What ends the calls of a batch that its caller has given up. */
export const givenUp = (): Fault =>
  new Fault('JOB_CANCELLED', 'The batch was cancelled before this call was sealed; nothing was charged for it.')

const isGivenUp = (cause: unknown): cause is Fault => cause instanceof Fault && cause.code === 'JOB_CANCELLED'

/** What came of a call that did not seal. */
export const outcomeOf = (cause: unknown): BatchOutcomeRow => {
  if (isGivenUp(cause)) {
    return { outcome: 'refused', problem: { code: cause.code, detail: cause.message, details: {} } }
  }
  const problem = endingOf(cause).problem as JobProblem
  return { outcome: isRefusal(cause) ? 'refused' : 'failed', problem }
}

/** A good result that the store could not write. */
export const unwritten = ({ reason }: Unsealed): BatchOutcomeRow => ({
  outcome: 'failed',
  problem: { code: 'STORE_FAILED', detail: reason, details: {} },
})
