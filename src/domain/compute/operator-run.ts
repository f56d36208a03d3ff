import type { Json } from '#core/canonical.ts'
import type { Computation, Order } from '#numerics/operators/computation.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import { COMPUTE, checkComputation, solverOf } from '#numerics/operators/sealed.ts'
import { fieldEquations } from '#numerics/runtime/equations.ts'
import type { Computable, Task } from './task.ts'

const plain = (value: unknown): Json => value as Json

/** What the answer tells of a computation beside its result: how each input was read, and the recorded steps. */
const extrasOf = (it: Computation): Readonly<Record<string, Json>> => ({
  order: plain(it.order),
  domain: it.domain,
  bindings: plain(it.bindings),
  constants: plain(it.constants),
  operator_objects: plain(
    it.equations.map(({ id, name, equation }) => {
      const link = it.chain.find((one) => one.id === id)
      return { id, name, domain: link?.domain ?? 'kernel', equation }
    }),
  ),
  branches: plain(
    it.chain
      .filter(({ others }) => others.length > 0)
      .map(({ id, output, value, unit, others }) => ({ operator: id, symbol: output, taken: value, unit, others })),
  ),
  steps: plain(it.steps),
})

/**
 * Checks the measured error and digests the result, as a worker does for a solver. Uncertainties are propagated here:
 * of a computation that has some, this is for a thread.
 *
 * @throws Fault PRECISION_NOT_MET; OUT_OF_RANGE for uncertainties too large.
 */
export const checkedOf = (computation: Computation): Computable => {
  const { reality, output, inputsDigest, resultDigest } = checkComputation(computation)
  return {
    kind: COMPUTE,
    solver: solverOf(computation.order),
    kernels: [],
    operators: computation.operators,
    inputs: JSON.stringify(computation.order),
    output: JSON.stringify(output),
    inputsDigest,
    evidenceDigest: null,
    resultDigest,
    steps: null,
    value: computation.value,
    unit: computation.unit,
    field: fieldEquations(undefined, 0),
    extras: extrasOf(computation),
    continued: null,
    reality,
  }
}

/** Computes and checks an order, in whichever thread. @throws Fault of the pipeline; as {@link checkedOf}. */
export const runOperators = (registry: OperatorRegistry, order: Order): Computable =>
  checkedOf(computeOperators(registry, order))

/** An order as a thread takes it: as it was given, so that the answer tells how each input was read. */
export const operatorTask = (registry: string, order: Order): Task => ({
  name: COMPUTE,
  inputs: plain(order),
  registry,
})

/** Whether an order, from whomever, has plain numbers alone: then no part of it can be uncertain. */
export const isCertain = ({ inputs, uncertainties }: Partial<Order>): boolean =>
  (uncertainties ?? undefined) === undefined && Object.values(inputs ?? {}).every((it) => typeof it === 'number')
