import type { Change } from '#store/database.ts'
import { keyOf, under } from '#store/key-parts.ts'
import { countedWith, type IssueTotalRow, issueIn } from '#store/rows/issue.ts'
import type { Migration } from './step.ts'

/** Rows written in one batch. */
const BATCH_MAX = 1_000

/**
 * Stores of schema 1 may have been begun before ledger leaves had an index, and hold it half made at worst. The counts
 * go into the last batch: without them it is made again.
 */
export const indexIssues: Migration = {
  from: 1,
  to: 2,
  why:
    'ledger leaves get their index; leaves that wait for the end of their tick, and tables that came later, are kept ' +
    'from releases that would not see them',

  async *run(database) {
    const writer = database.peek('writer', 'state')
    const whole = database.peek('issueTotal', 'all') !== undefined
    if (whole || writer === undefined || writer.logs.seal.size === 0) return
    let total: IssueTotalRow = {}
    let batch: Change[] = []
    for await (const [key, leaf] of database.range('leaf', under('seal'))) {
      const row = issueIn(leaf)
      if (row === undefined) continue
      total = countedWith(total, row)
      batch.push({ table: 'issue', key: key.slice(keyOf('seal', '').length), row })
      if (batch.length < BATCH_MAX) continue
      yield batch
      batch = []
    }
    yield [...batch, { table: 'issueTotal', key: 'all', row: total }]
  },
}
