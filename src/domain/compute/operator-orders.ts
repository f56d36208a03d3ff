import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { price } from '#core/price.ts'
import type { Computation } from '#numerics/operators/computation.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import { COMPUTE, orderDigest } from '#numerics/operators/sealed.ts'
import { checkedOf, operatorTask } from './operator-run.ts'
import type { Pool } from './pool.ts'
import type { Prepared } from './prepared.ts'
import type { OperatorCall } from './types.ts'

/** Work units of a computation by operators: a handful of operations and their re-evaluation at 50 digits. */
export const OPERATORS_WORK = 1
/** Of one with uncertain inputs: thousands of draws, if the tangent is doubted, which is known once it has run. */
export const UNCERTAIN_WORK = 10

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
 * and evaluating are one walk, while checking, holding and sealing keep their order. What uncertain inputs make of the
 * result takes up to half a second, so such an order is run by a thread, whole.
 *
 * @throws Fault of the pipeline (400), before anything is held.
 */
export const createOperatorOrders =
  (registry: OperatorRegistry, pool: Pool) =>
  (scope: 'compute' | 'prove', { publish, domain, ...order }: OperatorCall): Prepared => {
    const computation = computeOperators(registry, order)
    assertDomain(registry, computation, domain)
    const certain = computation.propagate === undefined
    const work = certain ? OPERATORS_WORK : UNCERTAIN_WORK
    return {
      scope,
      kind: COMPUTE,
      recipe: {
        what: 'operators',
        name: scope,
        inputs: computation.order as unknown as Json,
        ...(publish === undefined ? {} : { publish }),
      },
      inputsDigest: orderDigest(computation),
      operators: computation.operators,
      price: price(computation.operators.length - 1),
      work,
      workMax: work,
      ...(certain && { atOnce: true }),
      execute: async (execution) => {
        execution.signal.throwIfAborted()
        return certain ? checkedOf(computation) : pool.run(operatorTask(registry.version, order), execution)
      },
    }
  }

export type OperatorOrders = ReturnType<typeof createOperatorOrders>
