import { Fault } from '#core/fault.ts'
import type { Caller } from '#domain/identity/caller.ts'
import type { AutoOrders } from './auto-orders.ts'
import type { AutoCall, OperatorCall } from './compute.ts'
import type { OperatorOrders } from './operator-orders.ts'
import type { Paces } from './paces.ts'
import type { Prepared } from './prepared.ts'
import type { SolverOrders } from './solver-orders.ts'
import type { Quote } from './views/jobs.ts'

const ROUTE = /^(?:POST\s+)?\/api\/svc\/([a-z]{1,32})$/
const REACTOR = /^(?:[A-Z]+\s+)?\/api\/svc\/reactor(?:\/[a-z]+)?$/

/**
 * What a call would cost, from the very preparation that the call itself goes through; nothing runs.
 *
 * @throws Fault NOT_FOUND for a route that computes nothing, and whatever the call would be refused with before it is
 * held.
 */
export const createQuotes = (
  orders: { readonly solver: SolverOrders; readonly operators: OperatorOrders; readonly auto: AutoOrders },
  paces: Paces,
) => {
  const prepare = (name: string, input: unknown, caller: Caller): Prepared => {
    if (name === 'auto') return orders.auto(input as AutoCall, caller).prepared
    return name === 'compute' || name === 'prove'
      ? orders.operators(name, input as OperatorCall)
      : orders.solver(name, input, caller)
  }

  return (route: string, input: unknown, caller: Caller): Quote => {
    if (REACTOR.test(route.trim())) {
      throw new Fault(
        'NOT_FOUND',
        'Making and reading a reactor costs nothing; a step costs what its solver does: quote POST /api/svc/{solver}.',
      )
    }
    const [, name] = ROUTE.exec(route.trim()) ?? []
    if (name === undefined) throw new Fault('NOT_FOUND', `No computation has the route ${route.slice(0, 64)}.`)
    const prepared = prepare(name, input, caller)
    return {
      route: prepared.route,
      price: prepared.price,
      operators: prepared.operators,
      work: prepared.work,
      work_limit: prepared.workMax,
      expected_seconds: paces.expect(prepared.kind, prepared.work),
    }
  }
}
