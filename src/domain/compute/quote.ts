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
  const plain = (kind: string, input: unknown, { caller }: By): Prepared =>
    kind === 'compute' || kind === 'prove'
      ? orders.operators(kind, input as OperatorCall)
      : orders.solver(kind, input, caller)

  const quoted = (prepared: Prepared): Quote => {
    const { price, operators, work, workMax } = prepared
    const { seconds, range } = paces.expect(prepared)
    return {
      price,
      operators,
      work,
      work_limit: workMax,
      expected_seconds: seconds,
      expected_range: range,
    }
  }

  return async (kind: string, input: unknown, by: By): Promise<Quote> => {
    if (kind !== 'auto') return quoted(plain(kind, input, by))
    const { prepared, reading, readingDigest } = await orders.auto(input as AutoCall, by)
    return { ...quoted(prepared), reading, reading_digest: readingDigest }
  }
}
