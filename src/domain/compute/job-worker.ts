import { solvers } from '#numerics/solvers/index.ts'
import { jobOf } from './job-run.ts'

/** The pool's entry: this node's own solvers. */
export const job = jobOf(solvers)
