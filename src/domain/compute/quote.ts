import { Fault } from '#core/fault.ts'
import type { AutoOrders } from './auto-orders.ts'
import type { Asking, AutoCall, OperatorCall } from './compute.ts'
import type { OperatorOrders } from './operator-orders.ts'
import type { Paces } from './paces.ts'
import type { Prepared } from './prepared.ts'
import type { SolverOrders } from './solver-orders.ts'
import type { Quote } from './views/jobs.ts'

const ROUTE = /^(?:POST\s+)?\/api\/svc\/([a-z]{1,32})$/
const REACTOR = /^(?:[A-Z]+\s+)?\/api\/svc\/reactor(?:\/[a-z]+)?$/

type By = Pick<Asking, 'caller' | 'signal'>

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
  const prepare = async (name: string, input: unknown, by: By): Promise<Prepared> => {
    if (name === 'auto') return (await orders.auto(input as AutoCall, by)).prepared
    return name === 'compute' || name === 'prove'
      ? orders.operators(name, input as OperatorCall)
      : orders.solver(name, input, by.caller)
  }

  return async (route: string, input: unknown, by: By): Promise<Quote> => {
    if (REACTOR.test(route.trim())) {
      throw new Fault(
        'NOT_FOUND',
        'Making and reading a reactor costs nothing; a step costs what its solver does: quote POST /api/svc/{solver}.',
      )
    }
    const [, name] = ROUTE.exec(route.trim()) ?? []
    if (name === undefined) throw new Fault('NOT_FOUND', `No computation has the route ${route.slice(0, 64)}.`)
    const prepared = await prepare(name, input, by)
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
