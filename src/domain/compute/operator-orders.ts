import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { price } from '#core/price.ts'
import { fieldEquations } from '#numerics/equations.ts'
import type { Computation, Order } from '#numerics/operators/computation.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import { COMPUTE, judgeComputation, orderDigest, solverOf } from '#numerics/operators/sealed.ts'
import type { OperatorCall } from './compute.ts'
import type { Prepared } from './prepared.ts'
import type { Computable } from './task.ts'

/** Work units of a computation by operators: a handful of operations and their re-evaluation at 50 digits. */
export const OPERATORS_WORK = 1
/** Of one with uncertain inputs: thousands of draws, if the tangent is doubted, which is known once it has run. */
export const UNCERTAIN_WORK = 10

/** Work units of an order, known before it runs. */
export const operatorsWork = ({ uncertainties }: Pick<Order, 'uncertainties'>): number =>
  (uncertainties ?? undefined) === undefined ? OPERATORS_WORK : UNCERTAIN_WORK

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
  steps: plain(it.steps),
})

/** Judges the measured error and digests the result, as a worker does for a solver. */
const checkedOf = (computation: Computation): Computable => {
  const { reality, output, inputsDigest, resultDigest } = judgeComputation(computation)
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

/** @throws Fault INVALID_INPUT when no operator of the order is of the domain that the caller names. */
const assertDomain = (registry: OperatorRegistry, { operators }: Computation, named: string | undefined): void => {
  if (named === undefined) return
  const domains = [...new Set(operators.slice(1).map((id) => registry.operator(id).row.domain))]
  if (domains.includes(named.trim().toLowerCase())) return
  const message = `is not the domain of these operators: ${domains.join(', ')}`
  throw new Fault('INVALID_INPUT', `/domain ${message}`, { errors: [{ path: '/domain', message }] })
}

/**
 * Resolves, prices and evaluates an order. It takes less time than a thread's round trip, so it runs here: resolving
 * and evaluating are one walk, while judging, holding and sealing keep their order.
 *
 * @throws Fault of the pipeline (400), before anything is held.
 */
export const createOperatorOrders =
  (registry: OperatorRegistry) =>
  (endpoint: 'compute' | 'prove', { publish, domain, ...order }: OperatorCall): Prepared => {
    const computation = computeOperators(registry, order)
    assertDomain(registry, computation, domain)
    return {
      endpointId: `compute.${endpoint}`,
      route: `POST /api/svc/${endpoint}`,
      kind: COMPUTE,
      recipe: {
        what: 'operators',
        name: endpoint,
        inputs: plain(computation.order),
        ...(publish === undefined ? {} : { publish }),
      },
      inputsDigest: orderDigest(computation),
      operators: computation.operators,
      price: price(computation.operators.length - 1),
      work: operatorsWork(computation.order),
      workMax: operatorsWork(computation.order),
      execute: async ({ signal }) => {
        signal.throwIfAborted()
        return checkedOf(computation)
      },
    }
  }

export type OperatorOrders = ReturnType<typeof createOperatorOrders>
