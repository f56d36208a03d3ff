import { canonicalBytes } from '#core/canonical.ts'
import type { FireProblem, FireReading } from '#core/contract/fire-row.ts'
import type { ContractStanding } from '#core/contract/standing.ts'
import { Fault } from '#core/fault.ts'
import { EVENT_DATA_BYTES_MAX } from '#domain/machines/event-data.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import type { SeenGuard } from '#numerics/contracts/fire/candidates.ts'
import { decide, refusedFor } from '#numerics/contracts/fire/decide.ts'
import type { FireEffect } from '#numerics/contracts/fire/effects.ts'
import type { ReadyContract } from '#numerics/contracts/fire/ready.ts'
import type { Stimulus } from '#numerics/contracts/fire/stimulus.ts'
import { keyOf } from '#store/layout.ts'
import type { ContractRow, WaitingFire } from '#store/rows/contract.ts'
import type { Transaction } from '#store/transaction.ts'
import { beyondBudget, dayOf, spentOn } from './day.ts'
import type { Final, Finish, FireCourse } from './finish.ts'
import type { Readings } from './readings.ts'
import { stimulusOf } from './stimuli.ts'
import { DEPTH_MAX } from './types.ts'

/** What came of a fire that was tried in a transaction. `row` is to be put down. */
export type Begun =
  /** It has its outcome already. */
  | { readonly kind: 'known'; readonly row: ContractRow }
  | {
      readonly kind: 'none'
      readonly row: ContractRow
      readonly why: 'transition' | 'guard'
      readonly seen: readonly SeenGuard[]
    }
  | { readonly kind: 'over'; readonly row: ContractRow }
  /** It waits for another try. */
  | { readonly kind: 'waits'; readonly row: ContractRow }
  /** Its intent is written: it computes from here. */
  | { readonly kind: 'begun'; readonly row: ContractRow }

export interface Beginning {
  readonly row: ContractRow
  readonly fire: WaitingFire
  readonly ready: ReadyContract
  /** What the oracles of urls gave. */
  readonly away?: readonly FireReading[]
  /** Why it is refused whatever it decides: a transfer of it was. */
  readonly refused?: FireProblem
}

/** Reasons that may be gone at another try. */
const PASSING: ReadonlySet<string> = new Set(['stale', 'credits'])
const PASSING_CODES: ReadonlySet<string> = new Set(['NODE_BUSY', 'NODE_STOPPING', 'WORKER_LOST'])

/** Whether another try may come to something else. */
export const isPassing = ({ reason, code = '' }: FireProblem): boolean =>
  PASSING.has(reason) || (reason === 'gate' && PASSING_CODES.has(code))

/** What nobody who asks for a fire in person gets a row for. */
const OWN_FAULTS = { budget: 'BUDGET_SPENT', credits: 'INSUFFICIENT_BALANCE' } as const

/** The refusal of a call in person, where it is one that leaves no trace. */
export const personalFault = ({ cause }: Pick<WaitingFire, 'cause'>, problem: FireProblem): Fault | undefined => {
  if (!('key' in cause) || (problem.reason !== 'budget' && problem.reason !== 'credits')) return undefined
  return new Fault(OWN_FAULTS[problem.reason], problem.message)
}

/** A fire that is tried once more; undefined where none of its tries is left. */
export const retried = (
  row: ContractRow,
  fire: WaitingFire,
  { retry, now }: { readonly retry: Definition['retry']; readonly now: number },
): ContractRow | undefined => {
  const { attempts, backoff, factor, deadline } = retry
  // Whoever asked in person is told at once, and may ask again.
  if (fire.attempt >= attempts || 'key' in fire.cause || row.status === 'frozen') return undefined
  let ticks = backoff
  for (let i = 0; i < fire.attempt; i++) ticks *= factor
  const not_before = now + Math.ceil(ticks)
  if (not_before - fire.since > deadline) return undefined
  const again = { ...fire, attempt: fire.attempt + 1, not_before, at: null }
  return { ...row, waiting: [...row.waiting, again], firing: row.firing === fire.fire ? null : row.firing }
}

/** Where a contract stands once it heard a stimulus that came to nothing yet. */
export const heardOnly = (ready: ReadyContract, standing: ContractStanding, stimulus: Stimulus): ContractStanding =>
  refusedFor(ready, standing, { stimulus, steps: [], problem: { reason: 'data', message: '' } }).after

/** Why what a fire does beyond its contract cannot be done; undefined where it can. */
export const effectProblem = (
  tx: Transaction,
  row: ContractRow,
  { fire, effects }: { readonly fire: WaitingFire; readonly effects: readonly FireEffect[] },
): FireProblem | undefined => {
  const owner = tx.get('machine', row.slug)?.owner_zid
  const problemOf = (effect: FireEffect): FireProblem | undefined => {
    if (effect.kind !== 'emit' && effect.kind !== 'call') return undefined
    if (fire.depth >= DEPTH_MAX) {
      return { reason: 'chain', message: `Fires set each other off ${DEPTH_MAX} levels deep at most.` }
    }
    const bytes = canonicalBytes(effect.data).length
    if (bytes > EVENT_DATA_BYTES_MAX) {
      const message = `The data of ${effect.event} have ${bytes} bytes; ${EVENT_DATA_BYTES_MAX} are the most.`
      return { reason: 'range', message }
    }
    if (effect.kind === 'emit') return undefined
    const called = tx.get('contract', effect.contract)
    const machine = called === undefined ? undefined : tx.get('machine', called.slug)
    if (machine !== undefined && (machine.owner_zid === owner || machine.is_public)) return undefined
    return { reason: 'value', message: `There is no contract ${effect.contract} that this one may call.` }
  }
  for (const effect of effects) {
    const problem = problemOf(effect)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Creates what tries a fire in a transaction: it ends there, or, where it has to compute, is written down as begun. */
export const createBegin = ({ readings, finish }: { readonly readings: Readings; readonly finish: Finish }) => {
  const intend = (tx: Transaction, { row, fire, ready }: Beginning, course: FireCourse, stimulus: Stimulus): Begun => {
    const { standing, seqs, tick: begun_tick, version_no } = course
    const { zones } = row
    const known = { version_no, ...(zones && { zones }), readings: course.readings, standing, seqs, begun_tick }
    tx.put('contractIntent', row.id, { ...fire, ...known })
    return { kind: 'begun', row: { ...row, standing: heardOnly(ready, standing, stimulus), firing: fire.fire } }
  }

  /** The end of a fire that needed nothing but a decision. */
  const end = (tx: Transaction, row: ContractRow, course: FireCourse, decision: Final): Begun => {
    const { fire, ready, standing } = course
    const problem = decision.kind === 'refused' ? decision.problem : undefined
    if (problem !== undefined && isPassing(problem)) {
      const stimulus = stimulusOf(row, fire, course)
      const heard = { ...row, standing: heardOnly(ready, standing, stimulus) }
      const again = retried(heard, fire, { retry: ready.definition.retry, now: tx.meshTick })
      if (again !== undefined) return { kind: 'waits', row: again }
    }
    const failed = problem !== undefined && isPassing(problem) && fire.attempt > 0
    const ending = { ...course, decision, failed, computations: [], charged: 0, took_ms: 0 }
    return { kind: 'over', row: finish(tx, row, ending) }
  }

  /** @throws Fault BUDGET_SPENT to whoever asks in person; TransferRefused */
  return (tx: Transaction, beginning: Beginning): Begun => {
    const { row, fire, ready, away = [], refused } = beginning
    if (tx.get('contractFireNo', keyOf(row.id, fire.fire)) !== undefined) return { kind: 'known', row }
    const tick = tx.meshTick
    const read = [...away, ...readings.here(tx, row, { ready, now: tick })]
    const { version_no, standing, seqs } = row
    const course: FireCourse = { fire, ready, version_no, standing, readings: read, seqs, tick }
    const stimulus = stimulusOf(row, fire, course)
    const decision = decide(ready, standing, stimulus, [])
    if (decision.kind === 'none') return { ...decision, row: { ...row, standing: decision.after } }
    if (decision.kind === 'refused') return end(tx, row, course, decision)
    const steps = decision.kind === 'fired' ? decision.steps : [decision.order.transition]
    const beyond = beyondBudget(ready.definition, spentOn(row, dayOf(tick)), { credits: 0 })
    const problem: FireProblem | undefined =
      beyond !== undefined
        ? { reason: 'budget', message: beyond }
        : (refused ??
          (decision.kind === 'fired' ? effectProblem(tx, row, { fire, effects: decision.effects }) : undefined))
    if (problem === undefined) {
      return decision.kind === 'fired' ? end(tx, row, course, decision) : intend(tx, beginning, course, stimulus)
    }
    const fault = personalFault(fire, problem)
    if (fault !== undefined) throw fault
    return end(tx, row, course, refusedFor(ready, standing, { stimulus, steps, problem }))
  }
}

export type Begin = ReturnType<typeof createBegin>
