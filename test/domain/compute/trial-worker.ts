import { jobOf } from '#domain/compute/job-run.ts'
import { partRunOf } from '#domain/compute/part-run.ts'
import { trialSolvers } from './trial-solvers.ts'

/** The pool's entry for the trial solvers. */
export const job = jobOf(trialSolvers)

/** Parts of their runs. */
export const part = partRunOf(trialSolvers)
