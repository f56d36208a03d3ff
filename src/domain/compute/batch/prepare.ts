import type { BatchCall } from '#core/batch/forms.ts'
import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { breathe } from '#core/wait.ts'
import type { OperatorOrders } from '#domain/compute/operator-orders.ts'
import type { Prepared } from '#domain/compute/prepared.ts'
import type { SolverOrders } from '#domain/compute/solver-orders.ts'
import type { OperatorCall } from '#domain/compute/types.ts'
import type { BatchCallRecord, BatchRow } from '#store/rows/batch.ts'
import type { AskedCall } from './sweep.ts'
import { type BatchOrder, PREPARED_AT_ONCE, type PreparedCall, type RoutedCall } from './types.ts'

/** What makes computations of calls. */
export interface BatchOrders {
  readonly solver: SolverOrders
  readonly operators: OperatorOrders
  /** A kept recipe as a computation again. @throws Fault */
  readonly again: (of: { readonly recipe: BatchCallRecord['recipe']; readonly caller: Caller }) => Promise<Prepared>
}

/** Kinds that seal for whoever calls and read no words: a claim of theirs is of the very inputs that were sent. */
const isTaken = ({ kind }: RoutedCall): boolean => kind !== 'auto' && kind !== 'prove'

const preparedOf = ({ solver, operators }: BatchOrders, routed: RoutedCall, caller: Caller): Prepared => {
  const { kind, input, route } = routed
  if (!isTaken(routed)) throw new Fault('INVALID_INPUT', `A batch takes solvers and operators, and not ${route}.`)
  const prepared = kind === 'compute' ? operators('compute', input as OperatorCall) : solver(kind, input, caller)
  if (prepared.price > 0) return prepared
  throw new Fault('INVALID_INPUT', 'This can have no envelope as it is asked for, and a batch only has what is sealed.')
}

/** A refusal of one call with its place. */
const placed = (cause: unknown, index: number): unknown =>
  cause instanceof Fault
    ? new Fault(cause.code, `Call ${index}: ${cause.message}`, { ...cause.details, index }, { title: cause.title })
    : cause

const one = (
  orders: BatchOrders,
  { routed }: Pick<BatchOrder, 'routed'>,
  { asked, caller }: { asked: AskedCall; caller: Caller },
) => {
  const read = routed(asked)
  const prepared = preparedOf(orders, read, caller)
  const call: BatchCall = {
    route: read.route,
    input: asked.input as Json,
    inputs_digest: prepared.inputsDigest,
  }
  return { call, prepared }
}

/** Validates and prices every call; nothing is held. @throws Fault of the first that is refused, with its `index`. */
export const prepareAll = async (
  orders: BatchOrders,
  order: Pick<BatchOrder, 'routed'> & { readonly calls: readonly AskedCall[] },
  caller: Caller,
): Promise<readonly PreparedCall[]> => {
  const all: PreparedCall[] = []
  for (const [index, asked] of order.calls.entries()) {
    try {
      all.push(one(orders, order, { asked, caller }))
    } catch (cause) {
      throw placed(cause, index)
    }
    if (index % PREPARED_AT_ONCE === PREPARED_AT_ONCE - 1) await breathe()
  }
  return all
}

/** A call as it is kept. */
export const recordOf = ({ call, prepared: { price, recipe } }: PreparedCall): BatchCallRecord => ({
  ...call,
  price,
  recipe,
})

/**
 * A call of before a restart, made again. @throws Fault where it cannot be, or where it would be another computation:
 * the tree of the calls is signed.
 */
export const prepareAgain = async (
  orders: BatchOrders,
  { caller }: Pick<BatchRow, 'caller'>,
  { recipe, ...call }: BatchCallRecord,
): Promise<PreparedCall> => {
  const prepared = await orders.again({ recipe, caller })
  if (prepared.inputsDigest === call.inputs_digest && prepared.price === call.price) return { call, prepared }
  throw new Fault('GONE', 'This node computes it in another way since it was restarted.')
}
