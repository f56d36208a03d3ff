import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { OPERATORS_MAX, price } from '#core/price.ts'
import type { HeldOrder } from '#domain/compute/held.ts'
import type { Prepared } from '#domain/compute/prepared.ts'
import type { Weigh } from '#numerics/contracts/checker/cost.ts'
import { solverByName } from '#numerics/solvers/index.ts'
import type { ContractContext } from './context.ts'

/** Whether a value is known before a fire: it holds no expression at any depth. */
const isPlain = (value: Json): boolean => {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isPlain)
  return !Object.hasOwn(value, '$') && Object.values(value).every(isPlain)
}

/** Credits by what is computed alone, whatever the inputs. */
const plainPrice = ({ solver, operators = [] }: HeldOrder): number | undefined => {
  const named = solver === undefined ? operators : solverByName(solver)?.operators
  const count = named?.filter((it) => it !== 'KO42').length ?? 0
  return count < 1 || count > OPERATORS_MAX ? undefined : price(count)
}

/**
 * What actions of a definition cost, and how long they take on this machine, for whoever deploys it: by the very
 * preparation that runs go through, where all inputs are known.
 */
export const weightsOf = (
  { compute: { held } }: Pick<ContractContext, 'compute'>,
  caller: Caller,
): { readonly priceOf: Weigh; readonly secondsOf: Weigh } => {
  const prepared = (order: HeldOrder): Prepared | undefined => {
    if (!isPlain(order.inputs as Json)) return undefined
    try {
      return held.prepare(order, caller)
    } catch (cause) {
      // It would be refused at each fire, which is for the fire to say.
      if (cause instanceof Fault) return undefined
      throw cause
    }
  }
  return {
    priceOf: (action) => {
      if (action.kind !== 'compute') return 0
      const order = action as unknown as HeldOrder
      return prepared(order)?.price ?? plainPrice(order)
    },
    secondsOf: (action) => {
      if (action.kind !== 'compute') return 0
      const it = prepared(action as unknown as HeldOrder)
      return it === undefined ? undefined : held.secondsOf(it)
    },
  }
}
