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
  // What there is none of is not said: most fires of a private machine then have nothing to seal.
  const values: Record<string, Json> = {}
  if (event !== null) values['event'] = plain(event)
  if (problem !== null) values['problem'] = plain(problem)
  if (readings.length > 0) values['readings'] = plain(readings)
  // In the order of their names, in which a canonical text is written fastest.
  const open = {
    attempt: row.attempt,
    cause: plain(row.cause),
    computations: row.computations.map(({ bound: _, ...it }) => it),
    context: { after: row.after, before: row.before },
    contract,
    data: event === null ? null : digest(purposes.eventData, plain(event.data)),
    decided: row.mesh_tick,
    fire: row.fire,
    from: row.from,
    outbox: row.outbox,
    outcome: row.outcome,
    readings: row.readings.map(({ oracle, tick, source, basis }) => ({ basis, oracle, source, tick })),
    source: 'node',
    steps: row.steps,
    to: row.to,
    transition: row.steps[0] ?? null,
    ...(is_public ? { values } : {}),
    version: row.version,
  }
  return is_public ? { type: 'contract_fire', open } : { type: 'contract_fire', open, secret: values }
}
