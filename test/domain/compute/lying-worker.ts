import { jobOf } from '#domain/compute/job-run.ts'
import type { PostedTask, WorkerReply } from '#domain/compute/task.ts'
import { trialSolvers } from './trial-solvers.ts'

/** Errors that no gate may pass, by the `n` of the input; 5 is honest. */
export const lies: Readonly<Record<number, number>> = {
  1: 0.2,
  2: Number.NaN,
  3: Number.POSITIVE_INFINITY,
  4: -0.01,
}

const honest = jobOf(trialSolvers)

/** A pool entry that hands over what its own gate should have held back. */
export const job = (sent: PostedTask): WorkerReply => {
  const reply = honest(sent)
  const errorPct = lies[(sent.inputs as { n: number }).n]
  if (!reply.ok || reply.checked.reality === null || errorPct === undefined) return reply
  return { ok: true, checked: { ...reply.checked, reality: { ...reply.checked.reality, errorPct } } }
}
