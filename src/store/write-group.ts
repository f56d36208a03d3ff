import type { Coming } from './coming.ts'
import { advanceLogs, type Durable } from './durable.ts'
import type { Planned } from './group.ts'

/** Tells the callers of a group, in the order in which they came. */
const tell = (attempts: readonly Planned[]): void => {
  for (const { outcome } of attempts)
    if ('accepted' in outcome) for (const hook of outcome.accepted.overlay.hooks) hook()
  for (const { job, outcome } of attempts) {
    if ('accepted' in outcome) job.resolve(outcome.accepted.result)
    else job.reject(outcome.refused)
  }
}

/** Writes a group, then takes it over and lets its callers go on. */
export const writeGroup = async (durable: Durable, coming: Coming): Promise<void> => {
  const { group, own, extended, lastTick, transfers } = coming
  if (own.length > 0) await durable.database.write([...group.rows.values(), ...own])
  durable.lastTick = lastTick
  durable.transfers = transfers
  durable.ledger.apply(group.balances)
  advanceLogs(durable, extended)
  tell(group.attempts)
}
