import type { Standing } from '#core/contract/standing.ts'
import { nextDue } from '#numerics/contracts/fire/dues.ts'
import type { Ready } from '#numerics/contracts/fire/ready.ts'
import type { ContractRow } from '#store/rows/contract.ts'
import type { Transaction } from '#store/transaction.ts'
import { watchedEvents } from './store.ts'

/**
 * The mesh tick in which a contract is looked at next: when its clock moves it (jitter may have it wait longer then),
 * or a fire is to be tried that waits. Null where no clock moves it.
 */
export const lookTick = (ready: Ready, row: ContractRow): number | null => {
  const due = row.status === 'live' ? nextDue(ready, row.standing, row.armed_tick)?.tick : undefined
  const ticks = [...(due === undefined ? [] : [due]), ...row.waiting.map(({ not_before }) => not_before)]
  return ticks.length === 0 ? null : Math.min(...ticks)
}

/** Whether a contract that stands so is over. */
export const isDone = ({ definition }: Pick<Ready, 'definition'>, { state }: Standing): boolean =>
  definition.states[state]?.terminal === true

/** The last entry of each chain that a contract hears, as they stand: what is older happened before it listened. */
export const heardUpTo = (
  tx: Transaction,
  slug: string,
  ready: Pick<Ready, 'definition'>,
  known: ContractRow['seqs'] = {},
): ContractRow['seqs'] => {
  const slugs = new Set([...watchedEvents(slug, ready.definition)].map((key) => key.slice(0, key.indexOf('/'))))
  const last = (of: string): number => (tx.get('machineHead', of)?.size ?? 0) - 1
  return Object.fromEntries([...slugs].map((of) => [of, known[of] ?? last(of)]))
}
