import type { FireProblem } from '#core/contract/fire-row.ts'
import { isWatching } from '#domain/contracts/store.ts'
import { contextDigest } from '#numerics/contracts/fire/decide.ts'
import { keyOf } from '#store/layout.ts'
import type { ContractCallRow, ContractRow, WaitingFire } from '#store/rows/contract.ts'
import type { Transaction } from '#store/transaction.ts'
import { addRow, pausedByFailures, type RowSaying } from './audit-rows.ts'
import { type HeardEntry, heardTo } from './hear.ts'
import { freshFire, OF_EVENT } from './stimuli.ts'
import type { EngineContext } from './types.ts'

/** What is said to the owner; what it was stands in the log of the node, and is no business of readers of audits. */
const PROBLEM: FireProblem = { reason: 'node', message: 'The node could not decide it; its log says why.' }

type Failed = Extract<RowSaying, { readonly outcome: 'fired' | 'refused' | 'failed' }>

const sayingOf = (row: ContractRow, { fire, cause, by, event, at }: WaitingFire): Failed => {
  const { version_no, version, seqs, standing } = row
  const { state, context } = standing
  const digest = contextDigest(context)
  return {
    ...{ outcome: 'failed', fire, cause, by, version_no, version, due: null, lateness_ticks: 0, attempt: 0 },
    ...{
      event: event as Failed['event'],
      at,
      asked: null,
      heard: seqs,
      readings: [],
      from: state,
      to: state,
      steps: [],
    },
    ...{ computations: [], charged: 0, took_ms: 0, problem: PROBLEM, context, before: digest, after: digest },
    ...{ outbox: 0, seq: null },
  }
}

/**
 * Creates what writes down that a contract could not be told something, for a bug or for rows that cannot be read: the
 * fire has failed, and nothing else of the contract moves.
 */
export const createUntold = ({ contracts }: EngineContext) => {
  /** Failures in a row after which a contract is paused; undefined where its version cannot be read. */
  const mostOf = (tx: Transaction, row: ContractRow): number | undefined => {
    try {
      return contracts.readyIn(tx, row).definition.budget.failures_in_row
    } catch {
      return undefined
    }
  }

  const fail = (tx: Transaction, before: ContractRow, { row, fire }: { row: ContractRow; fire: WaitingFire }): void => {
    const failures = row.failures + 1
    const failed = { ...addRow(tx, row, sayingOf(row, fire)), failures, updated_tick: tx.tick }
    const after = pausedByFailures(tx, failed, mostOf(tx, before))
    contracts.put(tx, before, after === failed ? failed : { ...after, next: null })
  }

  return {
    /** Of an entry, which counts as heard from then on. */
    entry: (tx: Transaction, id: string, heard: HeardEntry): void => {
      const before = tx.get('contract', id)
      const { slug, seq, name, data, at, depth } = heard
      if (before === undefined || heardTo(before, slug) >= seq || !isWatching(before)) return
      const row = { ...before, seqs: { ...before.seqs, [slug]: seq } }
      const event = { name, data }
      const cause = { slug, seq }
      fail(tx, before, { row, fire: freshFire(row, { cause, by: OF_EVENT, since: tx.meshTick, event, at, depth }) })
    },
    /** Of a call. */
    call: (tx: Transaction, { contract, fire: by, action, event, depth }: ContractCallRow): void => {
      const before = tx.get('contract', contract)
      if (before === undefined || before.status === 'frozen') return
      const fire = freshFire(before, { cause: { fire: by, action }, by, since: tx.meshTick, event, depth })
      if (tx.get('contractFireNo', keyOf(contract, fire.fire)) !== undefined) return
      fail(tx, before, { row: before, fire })
    },
  }
}

/** Writes down what could not be told. */
export type Untold = ReturnType<typeof createUntold>
