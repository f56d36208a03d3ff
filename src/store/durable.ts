import type { Signer } from '#core/keys.ts'
import type { Change, Database } from './database.ts'
import type { Ledger } from './ledger.ts'
import type { Extension, GrowingLog } from './merkle-log.ts'
import type { CommitMoment } from './overlay.ts'
import type { WriterRow } from './rows/basis.ts'
import { type LogName, type LogState, logNames } from './rows/log.ts'

export interface WriterOptions {
  readonly database: Database
  readonly ledger: Ledger
  readonly logs: Readonly<Record<LogName, GrowingLog>>
  readonly state: WriterRow
  readonly signer: Signer
  /** The present, with `behind` measured against a node tick. */
  readonly moment: (lastTick: number) => CommitMoment
}

/** Extensions of the logs in one batch. */
export type Extended = Partial<Record<LogName, Extension>>

/** What is on disk, as the writer knows it; changed only after the write that makes it so. */
export interface Durable extends Omit<WriterOptions, 'state'> {
  lastTick: number
  transfers: number
}

/** Logs as they stand after extensions. */
export const statesOf = ({ logs }: Durable, extended: Extended = {}): Readonly<Record<LogName, LogState>> => ({
  seal: extended.seal?.state ?? logs.seal.state,
  events: extended.events?.state ?? logs.events.state,
})

/** The writer's row as a batch leaves it. */
export const writerRow = (
  durable: Durable,
  next: { readonly lastTick?: number; readonly transfers?: number },
  extended: Extended = {},
): Change => {
  const { lastTick, transfers } = durable
  return { table: 'writer', key: 'state', row: { lastTick, transfers, ...next, logs: statesOf(durable, extended) } }
}

/** Takes durable extensions over. */
export const advanceLogs = ({ logs }: Durable, extended: Extended): void => {
  for (const name of logNames) {
    const extension = extended[name]
    if (extension !== undefined) logs[name].advance(extension)
  }
}
