import { Fault } from '#core/fault.ts'
import { price } from '#core/price.ts'
import { askedOf } from '#domain/compute/job-run.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import type { ComputeOrder } from '#numerics/contracts/fire/effects.ts'
import type { Recomputed } from '#numerics/contracts/fire/replay.ts'
import { type RecomputeOptions, recompute } from '#numerics/contracts/recompute.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { operatorsOf } from '#numerics/runtime/solver.ts'
import { solvers } from '#numerics/solvers/index.ts'

/** Does a computation of a contract in this process, without a node, by the rows that lie beside its code. */
export const computeHere = (order: ComputeOrder, options: Omit<RecomputeOptions, 'registry'>): Recomputed =>
  recompute(order, { ...options, registry: loadRegistry })

/** Credits of a computation; of one that could not be priced, none: it would be refused. */
export const creditsHere = ({ solver, operators = [], inputs }: ComputeOrder): number => {
  try {
    if (solver === undefined) return price(computeOperators(loadRegistry(), { operators, inputs }).operators.length - 1)
    const asked = askedOf(solvers, { name: solver, inputs })
    return price(operatorsOf(asked.solver, asked.input).length)
  } catch (error) {
    if (error instanceof Fault) return 0
    throw error
  }
}
