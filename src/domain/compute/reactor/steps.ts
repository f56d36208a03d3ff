import { assert } from '#core/assert.ts'
import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { msOf } from '#core/time.ts'
import type { Pool } from '#domain/compute/pool.ts'
import type { Execution, Prepared } from '#domain/compute/prepared.ts'
import type { SolverOrders } from '#domain/compute/solver-orders.ts'
import { type Computable, isChecked } from '#domain/compute/task.ts'
import type { ComputePorts, ReactorMachines } from '#domain/compute/types.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import type { Recipe } from '#store/rows/job.ts'
import type { ReactorRow } from '#store/rows/reactor.ts'
import type { Transaction } from '#store/transaction.ts'
import { assertMaySpend } from './create.ts'
import type { ReactorStore } from './reactor-store.ts'
import { endedFault, entryOf, lasting, refusedBy, type Taken, takenOf } from './taken.ts'
import type { StepOrder } from './types.ts'

/** Name of the endpoint, for Idempotency-Keys. */
const STEP_SCOPE = 'reactor-step'

interface Collaborators {
  readonly reactorStore: ReactorStore
  readonly solvers: readonly Solver[]
  readonly orders: SolverOrders
  readonly pool: Pool
  readonly machines: ReactorMachines
}

type Ports = Pick<ComputePorts, 'store' | 'economy' | 'clock'>

const NOT_SEALED = 'The contract of the reactor says that steps are not sealed.'

/** The solver of a reactor, if it computes the bits that it was begun with. @throws Fault REACTOR_ENDED */
export const sameSolver = (solvers: readonly Solver[], { id, kind, solver }: ReactorRow): Solver => {
  const found = solvers.find((it) => it.name === kind && `${it.name}@${it.revision}` === solver)
  if (found !== undefined) return found
  throw new Fault('REACTOR_ENDED', `It was begun with ${solver}, which is not here any more.`, { reactor: id })
}

/** The computation of the next step; a refusal of it ends the reactor where the state alone is the reason. */
const createStretches =
  ({ reactorStore, solvers, orders }: Pick<Collaborators, 'reactorStore' | 'solvers' | 'orders'>) =>
  async (row: ReactorRow, caller: Caller): Promise<Prepared | Fault> => {
    const { id, step } = row
    const [state, kept] = [await reactorStore.stateAt(id, step), reactorStore.stepAt(id, step)]
    // Between the look at the row and this one another step may have been taken.
    if (state === undefined || kept === undefined) return new Fault('REACTOR_BUSY', undefined, { reactor: id, step })
    try {
      sameSolver(solvers, row)
      const prepared = orders(row.kind, JSON.parse(state), caller)
      if (prepared.inputsDigest === kept.inputs_digest) return prepared
      return new Fault('REACTOR_ENDED', 'The state that is stored is not the one that was digested.', {
        reactor: id,
        step,
      })
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      if (lasting.has(cause.code)) await reactorStore.end(id, refusedBy(cause))
      return cause
    }
  }

/** Steps that are not sealed cost nothing, and share the budget of calls without a key. */
const takeBudget = ({ economy }: Ports, caller: Caller, work: number): void => {
  try {
    economy.keyless(caller.bucket, work)
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    const why = 'Steps that are not sealed cost nothing and share the budget of calls without a key.'
    throw new Fault(cause.code, `${why} ${cause.message}`, cause.details)
  }
}

/** Who asks for which step, from which state on. */
interface Asked {
  readonly order: StepOrder
  readonly caller: Caller
  readonly from: ReactorRow
  readonly work: number
}

/** Takes the reactor for one step, if it stands before it. @throws Fault STEP_TAKEN, REACTOR_ENDED, REACTOR_BUSY */
const enter = (ports: Ports, reactorStore: ReactorStore, { order, caller, from, work }: Asked): (() => void) => {
  const { id } = from
  const row = reactorStore.newest(id)
  const { step, terms } = row
  if (order.step !== undefined && order.step !== step + 1) {
    const detail = `The reactor stands before step ${step + 1}, not before step ${order.step}.`
    throw new Fault('STEP_TAKEN', detail, { reactor: id, step, next: step + 1, asked: order.step })
  }
  const over = endedFault(row)
  if (over !== undefined) throw over
  if (reactorStore.busy.has(id) || step !== from.step) throw new Fault('REACTOR_BUSY', undefined, { reactor: id, step })
  assertMaySpend(caller)
  if (!terms.seal) takeBudget(ports, caller, work)
  reactorStore.busy.add(id)
  return () => void reactorStore.busy.delete(id)
}

/** Writes a step down: row, state and entry, all in the batch of its seal where there is one. */
const createRecorder =
  ({ reactorStore, machines }: Pick<Collaborators, 'reactorStore' | 'machines'>) =>
  (tx: Transaction, taken: Taken, { caller, tokenId }: { caller: Caller; tokenId: string | null }): void => {
    const { row, step, next } = taken
    const before = tx.get('reactor', row.id)
    if (before === undefined || before.step !== row.step - 1 || before.ended !== null) throw new Fault('REACTOR_BUSY')
    const saying = { type: 'reactor_step', open: entryOf(taken, tokenId), stateHash: step.state }
    const seq = row.slug === null ? null : machines.write(tx, { caller, slug: row.slug }, saying).entry.seq
    reactorStore.put(tx, { ...row, moved_tick: tx.tick }, { ...step, tick: tx.tick, token_id: tokenId, seq }, next)
  }

/** Computes a stretch in a thread, and what its step is. */
const createComputation =
  ({ clock }: Ports, { reactorStore, pool }: Pick<Collaborators, 'reactorStore' | 'pool'>) =>
  async (row: ReactorRow, inputs: Json, { execution, work }: { execution: Execution; work: number }) => {
    const start = clock.now()
    try {
      const checked = await pool.run({ name: row.kind, inputs, goesOn: true }, execution)
      if (!isChecked(checked)) {
        throw new Fault('ILL_POSED', `Step ${row.step + 1} has no error that could be measured: ${checked.unsealed}`)
      }
      const { continued } = checked
      assert(continued !== null, 'a step says how it goes on')
      const took_ms = msOf(clock.now() - start)
      return { checked, taken: takenOf(row, { checked, continued }, { took_ms, work }) }
    } catch (cause) {
      // Whoever left before it was known leaves no trace.
      if (cause instanceof Fault && lasting.has(cause.code) && !execution.signal.aborted) {
        await reactorStore.end(row.id, refusedBy(cause))
      }
      throw cause
    }
  }

/** What is kept of a step that was not sealed: where it is, and not its result. */
const recalling =
  (reactorStore: ReactorStore): NonNullable<Prepared['recall']> =>
  (answer) => {
    const { id, step } = answer as { readonly id?: string; readonly step?: number }
    if (id === undefined || step === undefined) return undefined
    const { value = null } = reactorStore.stepAt(id, step) ?? {}
    const none = { output: '{}', precisionActual: null, check: null, reason: `${NOT_SEALED} Its result is not kept.` }
    return {
      kind: 'unsealed',
      value,
      unit: reactorStore.peek(id)?.unit ?? '',
      extras: { reactor: { id, step } },
      ...none,
    }
  }

/** Prepares steps: each is one computation of the reactor's solver, whole or not at all. */
export const createSteps = (ports: Ports, parts: Collaborators) => {
  const { reactorStore } = parts
  const stretchOf = createStretches(parts)
  const record = createRecorder(parts)
  const compute = createComputation(ports, parts)

  const recipeOf = ({ id, kind, step }: ReactorRow, order: StepOrder, asked: string): Recipe => ({
    what: 'reactor',
    name: kind,
    inputs: { reactor: id, step: step + 1 },
    asked,
    ...(order.publish === undefined ? {} : { publish: order.publish }),
  })

  const runs = (row: ReactorRow, inner: Prepared, caller: Caller): Pick<Prepared, 'execute' | 'record'> => {
    let taken: Taken | undefined
    return {
      execute: async (execution): Promise<Computable> => {
        const done = await compute(row, inner.recipe.inputs, { execution, work: inner.work })
        const extras = { ...done.checked.extras, reactor: { id: row.id, step: row.step + 1 } }
        taken = done.taken
        if (row.terms.seal) return { ...done.checked, extras }
        execution.signal.throwIfAborted()
        await ports.store.commit((tx) => {
          record(tx, done.taken, { caller, tokenId: null })
          execution.keep(tx, extras.reactor)
        })
        return { ...done.checked, extras, reality: null, unsealed: NOT_SEALED }
      },
      record: (tx, tokenId) => {
        assert(taken !== undefined, 'what is sealed was computed')
        record(tx, taken, { caller, tokenId })
      },
    }
  }

  /** A step that is refused: whoever has its answer already is given it again, and everyone else the refusal. */
  const refused = (fault: Fault, enterOnce: () => () => void): Pick<Prepared, 'execute' | 'enter'> => ({
    enter: () => {
      enterOnce()()
      throw fault
    },
    execute: () => Promise.reject(fault),
  })

  /** A step of a reactor as a computation that has not begun. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
  return async (order: StepOrder, caller: Caller): Promise<Prepared> => {
    const row = reactorStore.find(order.reactor, caller, 'step')
    const inner = endedFault(row) ?? (await stretchOf(row, caller))
    const { operators, work, workMax } = inner instanceof Fault ? { operators: [], work: 0, workMax: 0 } : inner
    const asked = digest(purposes.request, { reactor: row.id, step: order.step ?? null })
    const enterOnce = (): (() => void) => enter(ports, reactorStore, { order, caller, from: row, work })
    return {
      ...{ scope: STEP_SCOPE, kind: row.kind, recipe: recipeOf(row, order, asked) },
      ...{ inputsDigest: asked, operators, price: row.price, work, workMax, recall: recalling(reactorStore) },
      ...(inner instanceof Fault ? refused(inner, enterOnce) : { enter: enterOnce, ...runs(row, inner, caller) }),
    }
  }
}
