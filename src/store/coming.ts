import type { Change } from './database.ts'
import { type Durable, type Extended, statesOf, writerRow } from './durable.ts'
import type { Ground } from './ground.ts'
import type { Settled } from './group.ts'
import { keyOf, seqKey } from './key-parts.ts'
import type { Row, TableName } from './layout.ts'
import { logNames } from './rows/log.ts'
import { databaseKey } from './rows.ts'

/** Tables that the writer fills by itself. No plan reads them so far, so they are looked through only when one does. */
const ownTables: ReadonlySet<TableName> = new Set(['leaf', 'leafByHash', 'node', 'balance', 'transfer', 'writer'])

/** What a group on its way will have made of everything. */
export interface Coming {
  readonly group: Settled
  readonly extended: Extended
  readonly lastTick: number
  readonly transfers: number
  /** Rows of {@link ownTables}. */
  readonly own: readonly Change[]
}

const extensions = ({ logs }: Durable, { leaves, due, tick }: Settled): Extended => {
  const extended: Extended = {}
  for (const name of logNames) {
    // What the end of the tick will append opens the tick in the seal log before any leaf does.
    if (leaves[name].length > 0 || (due && name === 'seal')) extended[name] = logs[name].extend(leaves[name], tick)
  }
  return extended
}

/** What a group will make of everything. Nothing else may be on its way, for its leaves go onto the durable logs. */
export const comingOf = (durable: Durable, group: Settled): Coming => {
  const { balances, leaves, due, tick } = group
  const extended = extensions(durable, group)
  const appends = due || logNames.some((name) => leaves[name].length > 0)
  const lastTick = appends ? Math.max(durable.lastTick, tick) : durable.lastTick
  const transfers = durable.transfers + group.transfers.length
  const own = [
    ...Object.values(extended).flatMap((it) => it.changes),
    ...[...balances].map(([key, row]): Change => ({ table: 'balance', key, row })),
    ...group.transfers.map((it, i): Change => {
      return { table: 'transfer', key: seqKey(durable.transfers + i), row: { ...it, tick } }
    }),
  ]
  if (own.length + group.rows.size > 0) own.push(writerRow(durable, { lastTick, transfers }, extended))
  return { group, extended, lastTick, transfers, own }
}

/** What will be durable with a group. It is good until the write after that group. */
export const groundOf = (durable: Durable, { group, extended, lastTick, own }: Coming): Ground => {
  let indexed: ReadonlyMap<string, Change> | undefined
  const index = () => (indexed ??= new Map(own.map((it) => [databaseKey(it.table, it.key), it])))
  return {
    lastTick,
    states: statesOf(durable, extended),
    read: <N extends TableName>(table: N, key: string, full: string): Row<N> | undefined => {
      const change = (ownTables.has(table) ? index().get(full) : undefined) ?? group.rows.get(full)
      return change === undefined ? durable.database.peek(table, key, full) : (change.row as Row<N> | undefined)
    },
    balance: (asset, account) => group.balances.get(keyOf(asset, account)) ?? durable.ledger.balance(asset, account),
  }
}
