import { toHex } from '#core/bytes.ts'
import { sha256 } from '#crypto'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import type { LentRows } from '#store/lent.ts'
import { rowKind } from '#store/row-kind.ts'

/** Keys of values that their SHA-256 names begin with this. */
const BYTES = 'bytes/'

const fail = (table: keyof LentRows, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** Each value has the bytes that its row says, and the sums are right. */
const checkLent = async ({ database, step }: Fsck<LentRows>): Promise<void> => {
  let [rows, bytes] = [0, 0]
  for await (const [key, row] of database.range('lent')) {
    step('accounts')
    const value = database.peek('lentBytes', key) ?? fail('lentBytes', key, 'the row is missing')
    if (value.length !== row.size || toHex(sha256(value)) !== row.sha256) fail('lentBytes', key, 'it holds other bytes')
    if (key.startsWith(BYTES) && key !== `${BYTES}${row.sha256}`) fail('lent', key, 'it names other bytes')
    rows += 1
    bytes += row.size
  }
  if ((await database.count('lentBytes')) !== rows) fail('lentBytes', '', 'there are bytes without a row')
  const total = database.peek('lentTotal', 'all') ?? { rows: 0, bytes: 0 }
  if (total.rows !== rows || total.bytes !== bytes) fail('lentTotal', 'all', 'it counts other rows than there are')
}

/** Data of works that are kept, for whoever checks them, until nobody can dispute them any more. */
export const lent = rowKind<LentRows>({
  tables: {
    lent: { prefix: 'kn', form: 'json', key: 'kind / name' },
    lentBytes: { prefix: 'kb', form: 'bytes', key: 'as of `lent`' },
    lentTotal: { prefix: 'kt', form: 'json', key: 'the word `all`' },
  },
  since: { schema: 3, note: 'it came later and changed no other row: a store of before has none' },
  check: checkLent,
})
