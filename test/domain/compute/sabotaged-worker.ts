import { jobOf } from '#domain/compute/job-run.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import { heat } from '#numerics/solvers/heat/index.ts'
import type { HeatInput } from '#numerics/solvers/heat/schema.ts'

const { run } = heat
if (run.kind !== 'steps') throw new Error('heat takes steps')

/** Heat whose steps conduct 1 % too well, while its check still knows the true coefficient. */
const sabotaged = {
  ...heat,
  run: { ...run, init: (input: HeatInput) => run.init({ ...input, alpha: input.alpha * 1.01 }) },
}

/** The pool's entry for a heat solver that went wrong. */
export const job = jobOf([sabotaged as unknown as Solver])
