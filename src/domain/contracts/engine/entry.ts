import type { Json } from '#core/canonical.ts'
import type { FireRow } from '#core/contract/fire-row.ts'
import { digest, purposes } from '#core/digest.ts'
import type { Saying } from '#domain/machines/record.ts'
import type { ContractRow } from '#store/rows/contract.ts'
import type { MachineRow } from '#store/rows/machine.ts'

type Decided = Extract<FireRow, { readonly outcome: 'fired' | 'refused' | 'failed' }>

const plain = (value: unknown): Json => value as Json

/** A fire as its machine's chain says it: to everyone by digests, and with its values where all may see those. */
export const fireEntry = (
  { is_public }: MachineRow,
  { contract }: Pick<ContractRow, 'contract'>,
  row: Omit<Decided, 'no' | 'seq' | 'tick'>,
): Omit<Saying, 'unnamed' | 'stateHash'> => {
  const { event, readings, problem } = row
  const values = { event: plain(event), readings: plain(readings), problem: plain(problem) }
  const open = {
    ...{ contract, version: row.version, fire: row.fire, cause: plain(row.cause) },
    ...{ outcome: row.outcome, from: row.from, to: row.to, transition: row.steps[0] ?? null, steps: row.steps },
    context: { before: row.before, after: row.after },
    data: event === null ? null : digest(purposes.eventData, plain(event.data)),
    readings: row.readings.map(({ oracle, tick, source, basis }) => ({ oracle, tick, source, basis })),
    computations: row.computations.map(({ bound: _, ...it }) => it),
    ...{ outbox: row.outbox, attempt: row.attempt, decided: row.mesh_tick },
  }
  return { type: 'contract_fire', ...(is_public ? { open: { ...open, values } } : { open, secret: values }) }
}
