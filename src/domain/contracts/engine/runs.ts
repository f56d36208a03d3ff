import type { FireProblem } from '#core/contract/fire-row.ts'
import { Fault } from '#core/fault.ts'
import { msOf } from '#core/time.ts'
import { refusedFor } from '#numerics/contracts/fire/decide.ts'
import { keyOf } from '#store/layout.ts'
import type { ContractIntentRow, ContractRow } from '#store/rows/contract.ts'
import type { Transaction } from '#store/transaction.ts'
import { effectProblem, isPassing, personalFault, retried } from './begin.ts'
import { type Computed, createComputing, type HeldComputation } from './compute.ts'
import { timed } from './due.ts'
import { type Course, type Final, type Finish, TransferRefused } from './finish.ts'
import { createRunQueue, type RunQueue } from './queue.ts'
import { stimulusOf } from './stimuli.ts'
import { type EngineContext, RUNS_MAX, RUNS_PER_OWNER_MAX } from './types.ts'

/** How often a fire that is through looks whether the log takes leaves again, in milliseconds. */
const OPEN_POLL_MS = 250

/** Fires that were begun and are to come to their end. */
export interface Runs extends Pick<RunQueue, 'over' | 'abort' | 'size'> {
  /** Takes up a fire whose intent is durable. */
  take(id: string): void
  /** Takes up all that an earlier start left. */
  resume(): Promise<void>
  /** Why a fire that somebody asked for in person left no trace; forgotten once it was told. */
  refusalOf(fire: string): Fault | undefined
  stop(): Promise<void>
}

interface Collaborators {
  readonly finish: Finish
  /** Called when there may be something else to do. */
  readonly onOver: () => void
}

/** Creates what brings fires that compute to their end. */
export const createRuns = (context: EngineContext, { finish, onOver }: Collaborators): Runs => {
  const { store, contracts, clock, sleep, log } = context
  const computing = createComputing(context)
  const refusals = new Map<string, Fault>()

  const courseOf = (intent: ContractIntentRow, id: string): Course => {
    const { version_no, readings, standing, seqs, begun_tick: tick } = intent
    return { fire: intent, ready: contracts.ready({ id, version_no }), version_no, standing, readings, seqs, tick }
  }

  /** Ends a fire in a transaction in which it is still the one under way. */
  const ended = (
    tx: Transaction,
    { id, fire }: { readonly id: string; readonly fire: string },
    end: (row: ContractRow) => ContractRow,
  ): void => {
    const [before, intent] = [tx.get('contract', id), tx.get('contractIntent', id)]
    if (before === undefined || intent?.fire !== fire) return
    tx.del('contractIntent', id)
    const row = { ...before, firing: null }
    // It ends by the version it began with, whatever came since: a fire that was named before comes to nothing more.
    const known = tx.get('contractFireNo', keyOf(id, fire)) !== undefined
    const after = known ? row : end(row)
    contracts.put(tx, before, timed(contracts.readyIn(tx, after), after))
  }

  const withdrawn = async (id: string, course: Course, fault: Fault): Promise<void> => {
    refusals.set(course.fire.fire, fault)
    await store.commit((tx) => ended(tx, { id, fire: course.fire.fire }, (row) => row))
  }

  /** The end of a fire that seals nothing: it was refused, or nothing leads on. */
  const endRefused = async (
    id: string,
    course: Course,
    { decision, took_ms }: { decision: Final; took_ms: number },
  ) => {
    const { fire, ready } = course
    const problem = decision.kind === 'refused' ? decision.problem : undefined
    const passing = problem !== undefined && isPassing(problem)
    await store.commit((tx) =>
      ended(tx, { id, fire: fire.fire }, (row) => {
        const { retry } = ready.definition
        const again = passing ? retried(row, fire, { retry, now: tx.meshTick }) : undefined
        if (again !== undefined) return again
        const failed = passing && fire.attempt > 0
        return finish(tx, row, { ...course, decision, failed, computations: [], charged: 0, took_ms })
      }),
    )
  }

  const endFired = async (
    id: string,
    course: Course,
    { decision, held, took_ms }: { decision: Final; held: readonly HeldComputation[]; took_ms: number },
  ): Promise<void> => {
    const { fire } = course
    await store.commit((tx) =>
      ended(tx, { id, fire: fire.fire }, (row) => {
        const effects = decision.kind === 'fired' ? decision.effects : []
        const problem = effectProblem(tx, row, { fire, effects })
        if (problem !== undefined) throw new RefusedLate(problem)
        const computations = held.map(({ run, said }) => ({ ...said, token_id: run.seal(tx) }))
        const charged = held.reduce((sum, { run }) => sum + run.credits, 0)
        return finish(tx, row, { ...course, decision, computations, charged, took_ms })
      }),
    )
  }

  const refusedBy = (cause: unknown): FireProblem | undefined => {
    if (cause instanceof RefusedLate || cause instanceof TransferRefused) return cause.problem
    if (cause instanceof Fault && cause.code === 'INSUFFICIENT_BALANCE') {
      return { reason: 'credits', message: cause.message, code: cause.code }
    }
    return undefined
  }

  const settle = async (
    id: string,
    course: Course,
    { decision, held, took_ms }: Computed & { took_ms: number },
  ): Promise<void> => {
    const { fire, ready, standing } = course
    const row = contracts.peek(id)
    // Its guard was true when it began, on the very same values.
    if (decision.kind === 'none' || row === undefined) return
    const stimulus = stimulusOf(row, fire, course)
    const refuse = async (problem: FireProblem, refused: Final): Promise<void> => {
      const fault = personalFault(fire, problem)
      if (fault !== undefined) return withdrawn(id, course, fault)
      return endRefused(id, course, { decision: refused, took_ms })
    }
    if (decision.kind === 'refused') return refuse(decision.problem, decision)
    try {
      await endFired(id, course, { decision, held, took_ms })
    } catch (cause) {
      const problem = refusedBy(cause)
      if (problem === undefined) throw cause
      await refuse(problem, refusedFor(ready, standing, { stimulus, steps: decision.steps, problem }))
    }
  }

  /** While witnesses are asked how far the log was, or the clock is behind, what is through waits. */
  const untilOpen = async (signal: AbortSignal): Promise<void> => {
    while ((store.held !== undefined || store.clockBehind) && !signal.aborted) await sleep(OPEN_POLL_MS, signal)
  }

  const run = async (id: string, signal: AbortSignal): Promise<void> => {
    const [row, intent] = [contracts.peek(id), store.peek('contractIntent', id)]
    const machine = row === undefined ? undefined : store.peek('machine', row.slug)
    if (row === undefined || intent === undefined || machine === undefined) return
    const held: HeldComputation[] = []
    const start = clock.now()
    try {
      const course = courseOf(intent, id)
      const computed = await computing({ row, machine, course }, held, signal)
      await untilOpen(signal)
      signal.throwIfAborted()
      await settle(id, course, { ...computed, took_ms: msOf(clock.now() - start) })
    } finally {
      for (const it of held) it.run.release()
    }
  }

  const queue = createRunQueue({ most: RUNS_MAX, perOwner: RUNS_PER_OWNER_MAX }, async (id, signal) => {
    try {
      await run(id, signal)
    } catch (error) {
      // The intent stands: it is taken up again with the next start.
      if (!signal.aborted) log.error({ contract: id, error }, 'contract_fire_failed')
    }
    onOver()
  })

  const take = (id: string): void => {
    const row = contracts.peek(id)
    if (row !== undefined) queue.add(id, store.peek('machine', row.slug)?.owner_zid ?? '')
  }

  return {
    take,
    over: queue.over,
    abort: queue.abort,
    get size() {
      return queue.size
    },
    resume: async () => {
      for await (const [id] of store.range('contractIntent')) take(id)
    },
    refusalOf: (fire) => {
      const fault = refusals.get(fire)
      refusals.delete(fire)
      return fault
    },
    stop: () => queue.stop(new Fault('NODE_STOPPING')),
  }
}

/** A refusal that only the commit could see. */
class RefusedLate extends Error {
  readonly problem: FireProblem

  constructor(problem: FireProblem) {
    super(problem.message)
    this.problem = problem
  }
}
