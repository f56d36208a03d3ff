import type { FireProblem } from '#core/contract/fire-row.ts'
import { Fault } from '#core/fault.ts'
import { refusedFor } from '#numerics/contracts/fire/decide.ts'
import { keyOf } from '#store/layout.ts'
import type { ContractRow } from '#store/rows/contract.ts'
import type { Transaction } from '#store/transaction.ts'
import { effectProblem, isPassing, personalFault, retried } from './begin.ts'
import type { FireComputed } from './compute.ts'
import { timed } from './due.ts'
import { type Final, type Finish, type FireCourse, TransferRefused } from './finish.ts'
import { stimulusOf } from './stimuli.ts'
import type { EngineContext } from './types.ts'

/** A fire that was begun, and its contract. */
export interface BegunFire {
  readonly id: string
  readonly course: FireCourse
}

/** A refusal that only the commit could see. */
class RefusedLate extends Error {
  readonly problem: FireProblem

  constructor(problem: FireProblem) {
    super(problem.message)
    this.problem = problem
  }
}

/** Why a commit refuses the fire, where the fire is the reason. */
const refusedBy = (cause: unknown): FireProblem | undefined => {
  if (cause instanceof RefusedLate || cause instanceof TransferRefused) return cause.problem
  if (!(cause instanceof Fault) || cause.code !== 'INSUFFICIENT_BALANCE') return undefined
  return { reason: 'credits', message: cause.message, code: cause.code }
}

/** Creates what ends fires that were begun, each in one transaction in which it is still the one under way. */
const createCommits = ({ store, contracts }: EngineContext, finish: Finish) => {
  const ended = (tx: Transaction, { id, course }: BegunFire, end: (row: ContractRow) => ContractRow): void => {
    const { fire } = course.fire
    const [before, intent] = [tx.get('contract', id), tx.get('contractIntent', id)]
    if (before === undefined || intent?.fire !== fire) return
    tx.del('contractIntent', id)
    const row = { ...before, firing: null }
    const known = tx.get('contractFireNo', keyOf(id, fire)) !== undefined
    const after = known ? row : end(row)
    contracts.put(tx, before, timed(contracts.readyIn(tx, after), after))
  }

  return {
    /** It leaves no trace. */
    withdrawn: (it: BegunFire): Promise<void> => store.commit((tx) => ended(tx, it, (row) => row)),
    /** It seals nothing. */
    refused: (it: BegunFire, { decision, took_ms }: { decision: Final; took_ms: number }): Promise<void> => {
      const { course } = it
      const { fire, ready } = course
      const passing = decision.kind === 'refused' && isPassing(decision.problem)
      return store.commit((tx) =>
        ended(tx, it, (row) => {
          const { retry } = ready.definition
          const again = passing ? retried(row, fire, { retry, now: tx.meshTick }) : undefined
          if (again !== undefined) return again
          const failed = passing && fire.attempt > 0
          return finish(tx, row, { ...course, decision, failed, computations: [], charged: 0, took_ms })
        }),
      )
    },
    /** Seals, charge, state, row, entry and what it sends: all or nothing. */
    fired: (it: BegunFire, { decision, held, took_ms }: FireComputed<Final> & { took_ms: number }): Promise<void> => {
      const { course } = it
      return store.commit((tx) =>
        ended(tx, it, (row) => {
          const effects = decision.kind === 'fired' ? decision.effects : []
          const problem = effectProblem(tx, row, { fire: course.fire, effects })
          if (problem !== undefined) throw new RefusedLate(problem)
          const computations = held.map(({ run, said }) => ({ ...said, token_id: run.seal(tx) }))
          const charged = held.reduce((sum, { run }) => sum + run.credits, 0)
          return finish(tx, row, { ...course, decision, computations, charged, took_ms })
        }),
      )
    },
  }
}

/** Creates what brings a fire that has computed to its outcome. @param onWithdrawn told why one leaves no trace */
export const createEnds = (
  context: EngineContext,
  { finish, onWithdrawn }: { readonly finish: Finish; readonly onWithdrawn: (fire: string, why: Fault) => void },
) => {
  const commits = createCommits(context, finish)

  const refuse = (it: BegunFire, problem: FireProblem, of: { decision: Final; took_ms: number }): Promise<void> => {
    const { fire } = it.course
    const why = personalFault(fire, problem)
    if (why === undefined) return commits.refused(it, of)
    onWithdrawn(fire.fire, why)
    return commits.withdrawn(it)
  }

  return async (it: BegunFire, computed: FireComputed & { readonly took_ms: number }): Promise<void> => {
    const { decision, took_ms } = computed
    const row = context.contracts.peek(it.id)
    // On the very values that it began with there was a transition to take: there still is.
    if (decision.kind === 'none' || row === undefined) return
    if (decision.kind === 'refused') return refuse(it, decision.problem, { decision, took_ms })
    try {
      await commits.fired(it, { ...computed, decision })
    } catch (cause) {
      const problem = refusedBy(cause)
      if (problem === undefined) throw cause
      const { course } = it
      const stimulus = stimulusOf(row, course.fire, course)
      const refused = refusedFor(course.ready, course.standing, { stimulus, steps: decision.steps, problem })
      await refuse(it, problem, { decision: refused, took_ms })
    }
  }
}
