import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import type { Reading } from '#routing/reading.ts'
import type { Calls } from '#routing/route.ts'
import type { Recipe } from '#store/rows/job.ts'
import type { OperatorOrders } from './operator-orders.ts'
import type { Pool } from './pool.ts'
import type { Prepared } from './prepared.ts'
import type { SolverOrders } from './solver-orders.ts'
import type { AutoCall, RequestContext } from './types.ts'

/** Values that one call may bring. */
const CONSTANTS_MAX = 64

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json

/** A computation as the call in words that it answers: its answer shows the reading, which no digest covers. */
export const asAuto = (prepared: Prepared, { asked, reading }: Pick<Recipe, 'asked' | 'reading'>): Prepared => {
  if (reading === undefined)
    return asked === undefined ? prepared : { ...prepared, recipe: { ...prepared.recipe, asked } }
  return {
    ...prepared,
    scope: 'auto',
    recipe: { ...prepared.recipe, reading, ...(asked !== undefined && { asked }) },
    execute: async (execution) => {
      const found = await prepared.execute(execution)
      return { ...found, extras: { ...found.extras, reading } }
    },
  }
}

/** A call in words, prepared: the computation that it stands for, and how it was read. */
export interface AutoOrder {
  readonly prepared: Prepared
  readonly reading: Reading
}

interface Collaborators {
  readonly pool: Pool
  readonly calls: Calls
  readonly orders: { readonly solver: SolverOrders; readonly operators: OperatorOrders }
}

/**
 * Reads a call in words and prepares what it means, as if that had been called directly; nothing runs and nothing is
 * held. The reading takes a thread: some of them would hold up every other call. A repeat under one Idempotency-Key is
 * held against the words, not against what they were read as.
 *
 * @throws Fault AMBIGUOUS_INPUT that asks, whatever the chosen route refuses, and as `Pool.read`.
 */
export const createAutoOrders =
  ({ pool, calls, orders }: Collaborators) =>
  async (
    { query, constants = {}, publish }: AutoCall,
    { caller, signal }: Pick<RequestContext, 'caller' | 'signal'>,
  ): Promise<AutoOrder> => {
    const count = Object.keys(constants).length
    if (count > CONSTANTS_MAX) {
      throw new Fault('INVALID_INPUT', `More than ${CONSTANTS_MAX} constants.`, {
        path: '/constants',
        limit: CONSTANTS_MAX,
      })
    }
    const routed = await pool.read({ query, constants, calls }, signal)
    const found =
      routed.kind === 'solver'
        ? orders.solver(routed.name, routed.input, caller)
        : orders.operators('compute', { ...routed.order, publish })
    const recipe = publish === undefined ? found.recipe : { ...found.recipe, publish }
    const reading: Reading = { ...routed.reading, operators: found.operators }
    const asked = digest(purposes.request, { query, constants: asJson(constants) })
    return { prepared: asAuto({ ...found, recipe }, { asked, reading: asJson(reading) }), reading }
  }

export type AutoOrders = ReturnType<typeof createAutoOrders>
