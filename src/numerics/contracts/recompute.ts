import { toJson } from '#core/arrays.ts'
import type { Json } from '#core/canonical.ts'
import { momentAt } from '#core/clock.ts'
import { Fault } from '#core/fault.ts'
import { meshTickStart } from '#core/tick.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import { COMPUTE, checkComputation } from '#numerics/operators/sealed.ts'
import { produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { asSealed } from '#numerics/runtime/segment.ts'
import { aided, type Solver, unitOf } from '#numerics/runtime/solver.ts'
import { solverByName } from '#numerics/solvers/index.ts'
import { boundOf } from './fire/bound.ts'
import type { ComputeOrder } from './fire/effects.ts'
import type { Recomputed } from './fire/replay.ts'

/** How a computation of a contract is done away from its node. */
export interface RecomputeOptions {
  /** The operator rows. */
  readonly registry: () => OperatorRegistry
  /** Refuses what a node does not do for callers without a key. */
  readonly keyless: boolean
  /** Leaves larger ones than those undone instead, which accuses nobody. */
  readonly isSmall?: boolean
  /** Mesh tick of which solvers that look at their node's clock are told; without one they cannot be run. */
  readonly tick?: number
}

/** A computation that only its own node could do. */
class Unrepeatable extends Error {}

const assertWork = (
  { work, limits, name }: Solver,
  input: Parameters<Solver['work']>[0],
  { keyless, isSmall = false }: RecomputeOptions,
): void => {
  const [asked, limit] = [work(input), keyless ? limits.workAnonymousMax : limits.workMax]
  if (asked > limit) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `This takes ${asked} work units; ${limit} are allowed.`, {
      work: asked,
      limit,
    })
  }
  if (isSmall && asked > limits.workAnonymousMax)
    throw new Unrepeatable(`${name} takes ${asked} work units, and ${limits.workAnonymousMax} are done here`)
}

interface Done {
  readonly kind: string
  readonly inputsDigest: string
  readonly resultDigest: string
  readonly output: Readonly<Record<string, Json>>
  readonly value: number | null
  readonly unit: string | null
}

const solved = (name: string, inputs: Json, options: RecomputeOptions): Done => {
  const found = solverByName(name)
  if (found === undefined) throw new Fault('NOT_FOUND', `There is no solver ${name}.`)
  const solver = asSealed(aided(found, options), '')
  const input = resolveInput(solver, inputs)
  const { tick } = options
  if (solver.completed !== undefined && tick === undefined) throw new Unrepeatable(`${name} looks at its node's clock`)
  const full = tick === undefined ? input : (solver.completed?.(input, momentAt(meshTickStart(tick), 0)) ?? input)
  assertWork(solver, full, options)
  solver.refuse(full)
  const { outcome, reality, ...said } = produce(solver, full)
  if (reality === null) throw new Fault('ILL_POSED', `${name} has no error that could be measured.`)
  // By way of its text: typed arrays and negative zeros stand in a result as JSON has them.
  const output = JSON.parse(JSON.stringify(toJson(outcome.output))) as Done['output']
  return { kind: name, ...said, output, unit: unitOf(solver, full) }
}

const checked = ({ operators = [], inputs }: ComputeOrder, { registry }: RecomputeOptions): Done => {
  const computation = computeOperators(registry(), { operators, inputs })
  const { output, ...digests } = checkComputation(computation)
  const { value, unit } = computation
  return { kind: COMPUTE, ...digests, output: JSON.parse(JSON.stringify(output)) as Done['output'], value, unit }
}

/**
 * Does a computation of a contract through the gate, sealing nothing: what a row would say of it, why it is refused, or
 * why it cannot be done here.
 */
export const recompute = (order: ComputeOrder, options: RecomputeOptions): Recomputed => {
  try {
    const { solver, inputs, bind } = order
    const found = solver === undefined ? checked(order, options) : solved(solver, inputs, options)
    const { kind, inputsDigest: inputs_digest, resultDigest: result_digest } = found
    return { kind, inputs_digest, result_digest, bound: boundOf(found, bind) }
  } catch (error) {
    if (error instanceof Unrepeatable) return { unavailable: error.message }
    if (!(error instanceof Fault)) throw error
    return { refused: { reason: 'gate', message: error.message, code: error.code } }
  }
}
