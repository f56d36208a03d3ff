import { assert } from '#core/assert.ts'
import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import type { ContractRow } from '#store/rows/contract.ts'
import type { Transaction } from '#store/transaction.ts'
import type { ContractContext } from './context.ts'
import { addRow } from './engine/audit-rows.ts'

/** Who did something, as rows of the audit say it. */
export const actorOf = (caller: Caller): string => {
  if (caller.kind === 'machine') return `key:${caller.keyId}`
  assert(caller.kind !== 'anonymous', 'whoever changes a contract has an account')
  return caller.zid
}

/** A change that a person made. */
export interface Change {
  readonly caller: Caller
  readonly before: ContractRow | undefined
  readonly after: ContractRow
  /** What was done. */
  readonly what: 'created' | 'started' | 'paused' | 'resumed' | 'frozen' | 'patched' | 'rolled back' | 'skips next'
  /** For the owner's audit. */
  readonly details: Readonly<Record<string, Json>>
}

/**
 * Puts a changed contract down: its row and indexes, a row of its audit, and an entry in the chain of its machine, which
 * says openly what changed and not what of it is the owner's.
 *
 * @throws Fault MACHINE_NOT_ACTIVE, RATE_LIMITED
 */
export const change = (
  { contracts, machines }: Pick<ContractContext, 'contracts' | 'machines'>,
  tx: Transaction,
  { caller, before, after, what, details }: Change,
): ContractRow => {
  const { slug, contract, version_no, version, status } = after
  const type = before === undefined ? 'contract_created' : 'contract_changed'
  const open = { contract, what, status, version_no, version, row: after.rows }
  const { seq } = machines.write(tx, { caller, slug }, { type, open, secret: { id: after.id, name: after.name } }).entry
  const said = { outcome: 'changed', what, by: actorOf(caller), version_no, details: { ...details, seq } } as const
  const put = { ...addRow(tx, after, said), updated_tick: tx.tick }
  contracts.put(tx, before, put)
  return put
}
