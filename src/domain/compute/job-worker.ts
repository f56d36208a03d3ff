import { solvers } from '#numerics/solvers/index.ts'
import { jobOf } from './job-run.ts'
import { partRunOf } from './part-run.ts'

/** The pool's entry: this node's own solvers. */
export const job = jobOf(solvers)

/** The pool's entry for parts of runs. */
export const part = partRunOf(solvers)
