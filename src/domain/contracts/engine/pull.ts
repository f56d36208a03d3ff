import type { FireProblem, FireReading } from '#core/contract/fire-row.ts'
import type { Trigger } from '#numerics/contracts/definition/schema.ts'
import type { Due } from '#numerics/contracts/fire/dues.ts'
import type { ReadyContract } from '#numerics/contracts/fire/ready.ts'
import { keyOf } from '#store/layout.ts'
import type { ContractRow, WaitingFire } from '#store/rows/contract.ts'
import type { Transaction } from '#store/transaction.ts'
import { addRow } from './audit-rows.ts'
import type { Begin, Begun } from './begin.ts'
import { causeOf, clockWork, ripe, timed } from './due.ts'
import { freshFire, OF_CLOCK } from './stimuli.ts'
import { ASLEEP_TICKS, type EngineContext } from './types.ts'

/** What comes of a contract when its next cause is decided. */
export interface Pulled {
  /** Whether something else of it is due in this tick. */
  readonly more: boolean
  /** It computes from here. */
  readonly begun: boolean
  /** It cannot be decided without what its urls give. */
  readonly needsAway: boolean
}

/** What was waited for before. */
export interface PullGiven {
  readonly away?: readonly FireReading[] | undefined
  /** Why the fire that is decided is refused whatever it decides. */
  readonly refused?: FireProblem | undefined
}

type Overlap = Exclude<Trigger, { kind: 'always' }>['overlap']

interface Collaborators {
  readonly begin: Begin
  /** Names of the oracles of a version that have to be waited for. */
  readonly urls: (ready: ReadyContract) => readonly string[]
  /** Ends a fire under way that another takes the place of, once that is durable. */
  readonly abort: (id: string) => void
}

/** A fire that takes its turn in a transaction: it begins, waits or is left out. */
export interface FireTurn {
  readonly row: ContractRow
  readonly ready: ReadyContract
  readonly fire: WaitingFire
  readonly overlap: Overlap
}

const nothing: Pulled = { more: false, begun: false, needsAway: false }

const marked = (row: ContractRow, trigger: string, mark: number): ContractRow => {
  const { standing } = row
  const known = standing.marks[trigger] ?? mark
  return { ...row, standing: { ...standing, marks: { ...standing.marks, [trigger]: Math.max(known, mark) } } }
}

const skipped = (tx: Transaction, row: ContractRow, { fire, cause, due }: WaitingFire, by: string): ContractRow =>
  addRow(tx, row, { outcome: 'skipped', fire, cause, due, by })

/** Creates what lets a fire take its turn beside one that is under way. */
export const createTurns = ({ begin, abort }: Pick<Collaborators, 'begin' | 'abort'>) => {
  const replaced = (tx: Transaction, row: ContractRow): ContractRow => {
    const intent = tx.get('contractIntent', row.id)
    tx.del('contractIntent', row.id)
    tx.onDurable(() => abort(row.id))
    const free = { ...row, firing: null }
    if (intent === undefined) return free
    const { fire, cause, due } = intent
    return addRow(tx, free, { outcome: 'replaced', fire, cause, due, by: 'overlap' })
  }

  return (tx: Transaction, { row, ready, fire, overlap }: FireTurn, options: PullGiven = {}): Begun => {
    const { away = [], refused } = options
    const beginning = { fire, ready, away, ...(refused === undefined ? {} : { refused }) }
    if (row.firing === null) return begin(tx, { row, ...beginning })
    const known = row.firing === fire.fire || tx.get('contractFireNo', keyOf(row.id, fire.fire)) !== undefined
    if (known) return { kind: 'known', row }
    if (overlap === 'replace') return begin(tx, { row: replaced(tx, row), ...beginning })
    if (overlap !== 'skip' && row.waiting.length < overlap.queue) {
      return { kind: 'waits', row: { ...row, waiting: [...row.waiting, fire] } }
    }
    return { kind: 'over', row: skipped(tx, row, fire, 'overlap') }
  }
}

export type FireTurns = ReturnType<typeof createTurns>

/** Creates what decides the next cause of a contract that the clock has brought up. */
export const createPull = (
  { store, contracts }: EngineContext,
  { begin, turn, urls }: Pick<Collaborators, 'begin' | 'urls'> & { readonly turn: FireTurns },
) => {
  /** What was missed while the node did not run is told as such. */
  const startTick = store.now().meshTick

  const put = (tx: Transaction, before: ContractRow, after: ContractRow, begun = false): Pulled => {
    const next = timed(contracts.readyIn(tx, after), after)
    const more = next.next !== null && next.next <= tx.meshTick
    const stands = after.standing === before.standing && after.waiting === before.waiting && after.rows === before.rows
    // What was not moved now is not moved by another look in the same tick.
    const stuck = more && stands && after.firing === before.firing
    contracts.put(tx, before, stuck ? { ...next, next: tx.meshTick + 1 } : next)
    return { ...nothing, begun, more: more && !stuck }
  }

  const overlapOf = (ready: ReadyContract, { trigger }: Due): Overlap =>
    ready.triggers.get(trigger)?.trigger.overlap ?? 'skip'

  const clocked = (tx: Transaction, given: ContractRow, ready: ReadyContract, options: PullGiven): Begun => {
    const { dues, missed } = clockWork(ready, given, tx.meshTick)
    let row = given
    for (const { trigger, from, to, count, tick } of missed) {
      const reason = tick < startTick ? 'down' : 'catch-up'
      row = marked(addRow(tx, row, { outcome: 'missed', trigger, from, to, count, reason }), trigger, to)
    }
    const wanted: WaitingFire[] = []
    for (const due of dues) {
      const fire = freshFire(row, { cause: causeOf(row, due), by: OF_CLOCK, due: due.due, since: tx.meshTick })
      row = marked(row, due.trigger, due.due)
      if (row.skip?.trigger === due.trigger && row.skip.due === due.due) {
        row = skipped(tx, { ...row, skip: null }, fire, row.skip.by)
      } else wanted.push(fire)
    }
    const [first, ...rest] = wanted
    const [due] = dues
    if (first === undefined || due === undefined) return { kind: 'none', row, why: 'transition', seen: [] }
    const overlap = overlapOf(ready, due)
    if (row.firing === null || overlap === 'replace') {
      // What follows does so whatever the first does with the state: it came due when that stood.
      return turn(tx, { row: { ...row, waiting: [...row.waiting, ...rest] }, ready, fire: first, overlap }, options)
    }
    // Behind a fire under way each waits, or is left out, in its order.
    let last: Begun = { kind: 'none', row, why: 'transition', seen: [] }
    for (const fire of wanted) last = turn(tx, { row: last.row, ready, fire, overlap }, options)
    return last
  }

  /** @throws TransferRefused */
  return (tx: Transaction, id: string, options: PullGiven = {}): Pulled => {
    const before = tx.get('contract', id)
    if (before === undefined) return nothing
    if (before.status !== 'live' || before.done) return put(tx, before, before)
    if (tx.get('machine', before.slug)?.status !== 'active') {
      contracts.put(tx, before, { ...before, next: tx.meshTick + ASLEEP_TICKS })
      return nothing
    }
    const ready = contracts.readyIn(tx, before)
    if (options.away === undefined && urls(ready).length > 0) return { ...nothing, needsAway: true }
    const waiting = ripe(before, tx.meshTick)
    if (waiting === undefined) {
      const { row, kind } = clocked(tx, before, ready, options)
      return put(tx, before, row, kind === 'begun')
    }
    const { away = [], refused } = options
    const row = { ...before, waiting: before.waiting.filter((it) => it !== waiting) }
    const begun = begin(tx, { row, fire: waiting, ready, away, ...(refused === undefined ? {} : { refused }) })
    return put(tx, before, begun.row, begun.kind === 'begun')
  }
}

export type Pull = ReturnType<typeof createPull>
