import { type Durable, statesOf } from './durable.ts'
import type { Row, TableName } from './layout.ts'
import type { Balances } from './ledger.ts'
import type { LogName, LogState } from './rows/log.ts'

/** What a group is planned on: what is durable, and on top of it the group that is on its way to the disk, if any. */
export interface Ground {
  readonly lastTick: number
  readonly states: Readonly<Record<LogName, LogState>>
  read<N extends TableName>(table: N, key: string, full: string): Row<N> | undefined
  readonly balance: Balances
}

/** What is durable. It is good until the next write. */
export const durableGround = (durable: Durable): Ground => ({
  lastTick: durable.lastTick,
  states: statesOf(durable),
  read: durable.database.peek,
  balance: durable.ledger.balance,
})
