import { Fault } from '#core/fault.ts'
import { canBeOffered, ESTIMATE_TICKS_MAX, UNITS_PER_TICK } from '#core/work/estimate.ts'
import { workDigest } from '#core/work/work.ts'
import type { Economy } from '#domain/economy/economy.ts'
import type { Elsewhere, ElsewhereOrder } from './elsewhere.ts'
import type { Parts } from './parts.ts'
import { preferenceOf } from './prefer.ts'
import type { Prepared } from './prepared.ts'
import type { SolverOrders } from './solver-orders.ts'
import type { Checked } from './task.ts'
import type { Computed, RequestContext } from './types.ts'

/** What another node cannot do now this one does, where a caller only preferred the other. */
const passing: ReadonlySet<string> = new Set(['NO_WORKER', 'BOND_FULL'])

/** How a computation is to leave this node. */
interface Leaving {
  readonly consent: boolean
  /** Whether it is computed here where no other node takes it. */
  readonly orHere: boolean
}

const orderOf = (parts: Parts, { kind, recipe, inputsDigest, work }: Prepared, consent: boolean): ElsewhereOrder => {
  const code = recipe.what === 'solver' ? parts.codeOf(recipe.name) : undefined
  if (code === undefined) throw new Fault('INVALID_INPUT', `${kind} is computed here alone: other nodes run solvers.`)
  const { steps } = parts.sizeOf(recipe.name, recipe.inputs)
  return { kind: recipe.name, inputs: recipe.inputs, inputsDigest, code, workUnits: work, steps, consent }
}

/** Refuses what may not leave this node. @throws Fault CONSENT_REQUIRED, WORK_LIMIT_EXCEEDED {limit} */
const assertMayLeave = ({ consent, workUnits: work }: ElsewhereOrder): void => {
  if (!consent) throw new Fault('CONSENT_REQUIRED')
  if (canBeOffered(work)) return
  const limit = ESTIMATE_TICKS_MAX * UNITS_PER_TICK
  throw new Fault('WORK_LIMIT_EXCEEDED', `This takes ${work} work units; ${limit} can be offered.`, { work, limit })
}

/** A computation that another node does: what it costs, who owns it and how it is sealed stay as they are. */
const awayRun = (elsewhere: Elsewhere, prepared: Prepared, order: ElsewhereOrder, orHere: boolean): Prepared => {
  let done: Checked | undefined
  return {
    ...prepared,
    away: true,
    execute: async (execution) => {
      try {
        done = await elsewhere.run(order, execution)
        return done
      } catch (cause) {
        if (orHere && cause instanceof Fault && passing.has(cause.code)) return prepared.execute(execution)
        throw cause
      }
    },
    record: (tx, tokenId) => {
      prepared.record?.(tx, tokenId)
      if (done?.contributed !== undefined) elsewhere.sealed(tx, workDigest(done.contributed.work.work), tokenId)
    },
  }
}

/** A call that another node is to compute. */
export interface OfferCall {
  /** The solver. */
  readonly name: string
  readonly input: unknown
  /** Whether its pool and whoever disputes it may read the inputs. */
  readonly consent: boolean
}

interface SolvingOf {
  readonly parts: Parts
  readonly orders: (...of: Parameters<SolverOrders>) => Promise<Prepared>
  readonly economy: Pick<Economy, 'hold'>
  readonly launch: (prepared: Prepared, asking: RequestContext) => Promise<Computed>
}

/** Calls of solvers, here or by another node. */
export const createSolving = ({ parts, orders, economy, launch }: SolvingOf) => {
  let elsewhere: Elsewhere | undefined

  /** @throws Fault INVALID_INPUT for what is no run of a solver; CONSENT_REQUIRED, WORK_LIMIT_EXCEEDED, NO_WORKER. */
  const away = (prepared: Prepared, { consent, orHere }: Leaving): Prepared => {
    const order = orderOf(parts, prepared, consent)
    assertMayLeave(order)
    if (elsewhere !== undefined && elsewhere.candidates > 0) return awayRun(elsewhere, prepared, order, orHere)
    if (orHere) return prepared
    throw new Fault('NO_WORKER')
  }

  return {
    join: (given: Elsewhere): void => {
      elsewhere = given
    },
    solve: async (name: string, input: unknown, asking: RequestContext): Promise<Computed> => {
      const prepared = await orders(name, input, asking.caller)
      const { mesh } = preferenceOf(asking.prefer)
      return launch(mesh === undefined ? prepared : away(prepared, { ...mesh, orHere: true }), asking)
    },
    offer: async ({ name, input, consent }: OfferCall, asking: RequestContext): Promise<Computed> => {
      const prepared = await orders(name, input, asking.caller)
      // Who may not pay for it is told that, and not who is there.
      if (prepared.price > 0) economy.hold(asking.caller, prepared.price).release()
      const leaving = away(prepared, { consent, orHere: false })
      return launch(leaving, { ...asking, prefer: 'respond-async, where=mesh' })
    },
  }
}
