import { isWatching } from '#domain/contracts/store.ts'
import type { CarriedEvent } from '#domain/machines/event-data.ts'
import { candidatesOf } from '#numerics/contracts/fire/candidates.ts'
import type { Ready } from '#numerics/contracts/fire/ready.ts'
import type { ContractCallRow, ContractRow, WaitingFire } from '#store/rows/contract.ts'
import type { Transaction } from '#store/transaction.ts'
import { addRow } from './audit-rows.ts'
import { type Begun, heardOnly } from './begin.ts'
import { timed } from './due.ts'
import type { PullOptions, Turns } from './pull.ts'
import { freshFire, OF_EVENT, stimulusOf } from './stimuli.ts'
import type { EngineContext } from './types.ts'

/** An event of a chain, as contracts hear it. */
export interface HeardEntry extends CarriedEvent {
  readonly slug: string
  readonly seq: number
  /** Mesh tick of the entry. */
  readonly at: number
  /** Levels of calls above it; 0 for what somebody entered. */
  readonly depth: number
}

/** Events of one contract that wait for what urls give. */
const WAITING_MAX = 100

/** How far a contract has heard a chain. */
export const heardTo = ({ seqs }: Pick<ContractRow, 'seqs'>, slug: string): number => seqs[slug] ?? -1

/** What came of it for one contract, which is to be put down. */
interface Came {
  readonly kind: Begun['kind']
  readonly row: ContractRow
}

interface Collaborators {
  readonly turn: Turns
  readonly urls: (ready: Ready) => readonly string[]
}

/** Creates what lets contracts hear events and calls, in a transaction, each once. */
export const createHearing = ({ contracts }: EngineContext, { turn, urls }: Collaborators) => {
  const candidates = (ready: Ready, row: ContractRow, fire: WaitingFire, tick: number) =>
    candidatesOf(ready, row.standing.state, stimulusOf(row, fire, { tick, readings: [] }).of)

  const overlapOf = ({ definition }: Ready, id: string) => {
    const trigger = definition.transitions.find((it) => it.id === id)?.trigger
    return trigger === undefined || trigger.kind === 'always' ? 'skip' : trigger.overlap
  }

  const skipped = (tx: Transaction, row: ContractRow, { fire, cause, due }: WaitingFire, by: string): Came => ({
    kind: 'over',
    row: addRow(tx, row, { outcome: 'skipped', fire, cause, due, by }),
  })

  /** It is tried once its urls have been read. */
  const later = (tx: Transaction, row: ContractRow, fire: WaitingFire): Came =>
    row.waiting.length < WAITING_MAX
      ? { kind: 'waits', row: { ...row, waiting: [...row.waiting, fire] } }
      : skipped(tx, row, fire, 'overlap')

  /** A fire that has to wait, or finds its machine asleep, is heard by windows all the same. */
  const inTurn = (
    tx: Transaction,
    row: ContractRow,
    it: { ready: Ready; fire: WaitingFire },
    options: PullOptions,
  ): Came => {
    const { ready, fire } = it
    const [first] = candidates(ready, row, fire, tx.meshTick)
    const asleep = tx.get('machine', row.slug)?.status !== 'active'
    const waits = first !== undefined && urls(ready).length > 0
    const overlap = first === undefined ? 'skip' : overlapOf(ready, first.id)
    if (!asleep && !waits && (row.firing === null || overlap === 'replace')) {
      return turn(tx, { row, ready, fire, overlap }, options)
    }
    const stimulus = stimulusOf(row, fire, { tick: tx.meshTick, readings: [] })
    const fed = { ...row, standing: heardOnly(ready, row.standing, stimulus) }
    if (first === undefined) return { kind: 'none', row: fed }
    if (asleep) return skipped(tx, fed, fire, 'paused')
    const heard = { ...fire, at: null }
    return waits ? later(tx, fed, heard) : turn(tx, { row: fed, ready, fire: heard, overlap }, options)
  }

  return {
    /** @returns whether it computes from here. @throws TransferRefused */
    entry: (tx: Transaction, id: string, heard: HeardEntry, options: PullOptions = {}): boolean => {
      const before = tx.get('contract', id)
      const { slug, seq, name, data, at, depth } = heard
      if (before === undefined || heardTo(before, slug) >= seq || !isWatching(before)) return false
      const row = { ...before, seqs: { ...before.seqs, [slug]: seq } }
      const ready = contracts.readyIn(tx, before)
      const cause = { slug, seq }
      const fire = freshFire(row, { cause, by: OF_EVENT, since: tx.meshTick, event: { name, data }, at, depth })
      const came = inTurn(tx, row, { ready, fire }, options)
      contracts.put(tx, before, timed(ready, came.row))
      return came.kind === 'begun'
    },

    /** A call of another contract. @returns whether it computes from here. @throws TransferRefused */
    call: (tx: Transaction, call: ContractCallRow, options: PullOptions = {}): boolean => {
      const before = tx.get('contract', call.contract)
      if (before === undefined || before.status === 'frozen') return false
      const { fire: by, action, event, depth } = call
      const fire = freshFire(before, { cause: { fire: by, action }, by, since: tx.meshTick, event, depth })
      if (!isWatching(before)) {
        contracts.put(tx, before, skipped(tx, before, fire, 'paused').row)
        return false
      }
      const ready = contracts.readyIn(tx, before)
      const came = inTurn(tx, before, { ready, fire }, options)
      contracts.put(tx, before, timed(ready, came.row))
      return came.kind === 'begun'
    },
  }
}

export type Hearing = ReturnType<typeof createHearing>
