import type { AutoOrders } from './auto-orders.ts'
import type { OperatorOrders } from './operator-orders.ts'
import type { Paces } from './paces.ts'
import type { Prepared } from './prepared.ts'
import type { SolverOrders } from './solver-orders.ts'
import type { AutoCall, OperatorCall, RequestContext } from './types.ts'
import type { Quote } from './views/jobs.ts'

type By = Pick<RequestContext, 'caller' | 'signal'>

/**
 * What a call would cost, from the very preparation that the call itself goes through; nothing runs.
 *
 * @throws Fault NOT_FOUND for the name of no solver, and whatever the call would be refused with before it is held.
 */
export const createQuotes = (
  orders: { readonly solver: SolverOrders; readonly operators: OperatorOrders; readonly auto: AutoOrders },
  paces: Paces,
) => {
  const prepare = async (kind: string, input: unknown, by: By): Promise<Prepared> => {
    if (kind === 'auto') return (await orders.auto(input as AutoCall, by)).prepared
    return kind === 'compute' || kind === 'prove'
      ? orders.operators(kind, input as OperatorCall)
      : orders.solver(kind, input, by.caller)
  }

  return async (kind: string, input: unknown, by: By): Promise<Quote> => {
    const prepared = await prepare(kind, input, by)
    return {
      price: prepared.price,
      operators: prepared.operators,
      work: prepared.work,
      work_limit: prepared.workMax,
      expected_seconds: paces.expect(prepared.kind, prepared.work),
    }
  }
}
