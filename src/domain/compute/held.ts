import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { codesOf, Fault } from '#core/fault.ts'
import { secondsOf } from '#core/time.ts'
import { breathe } from '#core/wait.ts'
import type { Transaction } from '#store/transaction.ts'
import type { Answers } from './answers.ts'
import type { OperatorOrders } from './operator-orders.ts'
import type { Paces } from './paces.ts'
import type { Pool } from './pool.ts'
import type { Execution, Prepared } from './prepared.ts'
import { type Minted, passed, type Sealer, type Sealing } from './seal.ts'
import type { SolverOrders } from './solver-orders.ts'
import { isRefusal } from './tally.ts'
import { type Checked, isChecked } from './task.ts'
import type { ComputePorts, Sealed } from './types.ts'

/** A computation as a contract says it: of one solver, or of operators. */
export interface HeldOrder {
  readonly solver?: string | undefined
  readonly operators?: readonly string[] | undefined
  readonly inputs: Readonly<Record<string, Json>>
  /** Whether the result is to say how a next run takes up there: of a solver whose answer is a state. */
  readonly goesOn?: boolean | undefined
}

/** A result that passed the gate, and whose price is kept back until it is sealed or let go. */
export interface HeldRun {
  readonly checked: Checked
  readonly credits: number
  /** Whatever has to be waited for before its seal: that the owner of the node has what it spends. */
  ready(): Promise<void>
  /** Burns its price and mints its envelope in a transaction. @returns the token id. @throws Fault as a seal. */
  seal(tx: Transaction): string
  /** The same, with what was minted, which is known once the transaction is durable. */
  mint(tx: Transaction): Sealing
  /** Gives the price back; nothing once it was sealed. */
  release(): void
}

/** Computations whose seals are part of a larger act, and stand or fall with it. */
export interface HeldRuns {
  /** Validates and prices; nothing runs and nothing is held. @throws Fault of the solver or the operators. */
  prepare(order: HeldOrder, caller: Caller): Prepared
  /** How long it should take here. */
  secondsOf(prepared: Prepared): number
  /**
   * How long an order takes here, from its inputs to what passes the gate: what is computed at once is computed, to
   * see, since closed forms of one price are a thousand times apart. Of anything else, how long it should take. Nothing
   * is held, and nothing is refused.
   *
   * @param prepared of that order.
   */
  measuredSecondsOf(prepared: Prepared, order: HeldOrder, caller: Caller): Promise<number>
  /**
   * Holds the price, runs and checks.
   *
   * @throws Fault INSUFFICIENT_BALANCE, of the solver, of the gate, NODE_BUSY; ILL_POSED for what has no error that
   * could be measured; the signal's reason.
   */
  run(prepared: Prepared, caller: Caller, signal: AbortSignal): Promise<HeldRun>
  /** What a run came to, as an answer, once its seal is durable. */
  answer(run: Pick<HeldRun, 'checked'>, minted: Minted): Sealed
  /** The same of an envelope that is stored; who may see it is the asker's to know. @throws Fault NOT_FOUND */
  recall(tokenId: string): Promise<Sealed>
}

/** Refusals of the gate itself. */
const gateCodes: ReadonlySet<string> = new Set(codesOf('gate'))

interface Collaborators {
  readonly orders: { readonly solver: SolverOrders; readonly operators: OperatorOrders }
  readonly within: Sealer['within']
  readonly paces: Paces
  readonly pool: Pool
  readonly answers: Pick<Answers, 'fresh' | 'recall'>
}

const NEVER_ENDED = new AbortController().signal

/** An execution of which nothing is told or kept. */
const quietly = (signal: AbortSignal): Execution => ({ signal, onReport: () => undefined, keep: () => undefined })

const unmeasured = (kind: string, why: string): Fault =>
  new Fault('ILL_POSED', `${kind} has no error that could be measured: ${why}`)

/** Computations of one node that are sealed in a transaction of somebody else's. */
export const createHeldRuns = (
  { economy, clock, meter, tally }: Pick<ComputePorts, 'economy' | 'clock' | 'meter' | 'tally'>,
  { orders, within, paces, pool, answers }: Collaborators,
): HeldRuns => {
  const refused = (kind: string, cause: unknown): void => {
    const result = cause instanceof Fault ? cause.code : 'error'
    meter.count('seals_total', { solver: kind, result })
    if (gateCodes.has(result)) meter.count('gate_rejections_total', { solver: kind, code: result })
    if (isRefusal(cause)) tally.refused()
  }

  const measure = async (prepared: Prepared, signal: AbortSignal): Promise<Checked> => {
    const start = clock.now()
    const checked = await prepared.execute(quietly(signal))
    paces.learn(prepared, secondsOf(clock.now() - start))
    if (!isChecked(checked)) throw unmeasured(prepared.kind, checked.unsealed)
    signal.throwIfAborted()
    return checked
  }

  const prepare: HeldRuns['prepare'] = ({ solver, operators = [], inputs, goesOn = false }, caller) => {
    const plain =
      solver === undefined ? orders.operators('compute', { operators, inputs }) : orders.solver(solver, inputs, caller)
    const task = { name: plain.kind, inputs: plain.recipe.inputs, goesOn }
    const prepared = goesOn ? { ...plain, execute: (it: Execution) => pool.run(task, it) } : plain
    if (prepared.price === 0) throw unmeasured(prepared.kind, 'with these inputs it can have no envelope.')
    return prepared
  }

  /** Runs to its end, or to what it is refused for, which whoever asks for it is told then. */
  const runTried = async (prepared: Prepared): Promise<void> => {
    try {
      await prepared.execute(quietly(NEVER_ENDED))
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
    }
  }

  return {
    answer: ({ checked }, minted) => answers.fresh(checked, minted),
    recall: answers.recall,
    prepare,
    secondsOf: (prepared) => paces.expect(prepared).seconds,
    measuredSecondsOf: async (prepared, order, caller) => {
      if (prepared.atOnce !== true) return paces.expect(prepared).seconds
      await breathe()
      // Its preparation went before: the first evaluation of a form reads and compiles, and says nothing of the others.
      const start = clock.now()
      await runTried(prepare(order, caller))
      return secondsOf(clock.now() - start)
    },
    run: async (prepared, caller, signal) => {
      const { kind, price } = prepared
      const hold = economy.hold(caller, price)
      try {
        const checked = await measure(prepared, signal)
        const nonced = passed({ checked, hold, also: () => undefined })
        const mint = (tx: Transaction): Sealing => {
          tx.onDurable(() => {
            meter.count('seals_total', { solver: kind, result: 'sealed' })
            meter.count('credits_burned', { asset: hold.funding }, price)
          })
          return within(tx, nonced)
        }
        return {
          checked,
          credits: price,
          ready: () => economy.cover(hold),
          mint,
          seal: (tx) => mint(tx).tokenId,
          release: hold.release,
        }
      } catch (cause) {
        hold.release()
        refused(kind, cause)
        throw cause
      }
    },
  }
}
