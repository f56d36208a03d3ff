import { blobName } from '#store/blobs.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Database } from '#store/database.ts'
import type { Rows, TableName } from '#store/layout.ts'
import { StoreRefused } from '#store/open.ts'
import { SCHEMA } from '#store/rows/basis.ts'
import { decodeRow, parseDatabaseKey } from '#store/rows.ts'
import type { Fsck } from './report.ts'

/** Every row has a table, a sum that fits and a body that can be read; every blob has the name of its bytes. */
export const checkRows = async (
  database: Database,
  { counts, step }: Pick<Fsck<Rows>, 'counts' | 'step'>,
): Promise<void> => {
  for await (const [full, stored] of database.raw()) {
    step('rows')
    counts.rows += 1
    const parsed = parseDatabaseKey(full)
    if (parsed === undefined) throw new CorruptRow('unknown', full, 'no table has this prefix')
    const { table, key } = parsed
    const row = decodeRow<TableName>(table, key, stored)
    if (table === 'blob') {
      counts.blobs += 1
      if (blobName(row as Uint8Array) !== key) throw new CorruptRow(table, key, 'the bytes have another SHA-256')
    }
  }
  // A first start that ended before its first write was whole: the next one begins anew.
  if (counts.rows === 0) throw new StoreRefused('the database holds no data of a node yet')
  const version = database.peek('schema', 'version')
  if (typeof version === 'number' && version < SCHEMA) {
    throw new StoreRefused(`the data have schema ${version}, and this release checks ${SCHEMA}: run tickmesh upgrade`)
  }
  if (version !== SCHEMA) throw new CorruptRow('schema', 'version', `it is ${version}; this release knows ${SCHEMA}`)
}
