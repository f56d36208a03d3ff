import type { Json } from '#core/canonical.ts'
import { momentAt } from '#core/clock.ts'
import { Fault } from '#core/fault.ts'
import { price } from '#core/price.ts'
import { meshTickStart } from '#core/tick.ts'
import { askedOf, computableOf } from '#domain/compute/job-run.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { checkedOf } from '#domain/compute/operator-run.ts'
import type { Computable } from '#domain/compute/task.ts'
import { boundOf } from '#numerics/contracts/fire/bound.ts'
import type { ComputeOrder } from '#numerics/contracts/fire/effects.ts'
import type { Recomputed } from '#numerics/contracts/fire/replay.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { produce } from '#numerics/runtime/gate.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import { operatorsOf } from '#numerics/runtime/solver.ts'
import { solvers } from '#numerics/solvers/index.ts'

/** How a computation of a contract is done in this process, without a node. */
export interface ContractWorkOptions {
  /** Keeps to the work that is done for callers without a key. */
  readonly keyless: boolean
  /** Mesh tick of which solvers that look at their node's clock are told; without one they cannot be run. */
  readonly tick?: number
}

const assertWork = ({ work, limits }: Solver, input: Parameters<Solver['work']>[0], { keyless }: ContractWorkOptions): void => {
  const [asked, limit] = [work(input), keyless ? limits.workAnonymousMax : limits.workMax]
  if (asked <= limit) return
  throw new Fault('WORK_LIMIT_EXCEEDED', `This takes ${asked} work units; ${limit} are allowed.`, {
    work: asked,
    limit,
  })
}

const solved = (name: string, inputs: Json, options: ContractWorkOptions): Computable => {
  const { solver, input } = askedOf(solvers, { name, inputs })
  const { tick } = options
  if (solver.completed !== undefined && tick === undefined) throw new Unrepeatable(`${name} looks at its node's clock`)
  const full = tick === undefined ? input : (solver.completed?.(input, momentAt(meshTickStart(tick), 0)) ?? input)
  assertWork(solver, full, options)
  solver.refuse(full)
  return computableOf({ solver, input: full }, produce(solver, full))
}

/** A computation that only its own node could do. */
class Unrepeatable extends Error {}

const checked = ({ solver, operators = [], inputs }: ComputeOrder, options: ContractWorkOptions): Computable =>
  solver === undefined
    ? checkedOf(computeOperators(loadRegistry(), { operators, inputs }))
    : solved(solver, inputs, options)

/**
 * Does a computation of a contract here, through the gate, sealing nothing: what a row would say of it, or why it is
 * refused.
 */
export const computeHere = (order: ComputeOrder, options: ContractWorkOptions): Recomputed => {
  try {
    const found = checked(order, options)
    if (found.reality === null) throw new Fault('ILL_POSED', `${found.kind} has no error that could be measured.`)
    const { kind, inputsDigest, resultDigest, value, unit } = found
    const output = JSON.parse(found.output) as Readonly<Record<string, Json>>
    const bound = boundOf({ output, value, unit }, order.bind)
    return { kind, inputs_digest: inputsDigest, result_digest: resultDigest, bound }
  } catch (error) {
    if (error instanceof Unrepeatable) return { unavailable: error.message }
    if (!(error instanceof Fault)) throw error
    return { refused: { reason: 'gate', message: error.message, code: error.code } }
  }
}

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
