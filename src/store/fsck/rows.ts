import { blobName } from '#store/blobs.ts'
import { SCHEMA, type TableName } from '#store/layout.ts'
import { CorruptRow, decodeRow, parseDatabaseKey } from '#store/rows.ts'
import type { Fsck } from './report.ts'

/** Every row has a table, a sum that fits and a body that can be read; every blob has the name of its bytes. */
export const checkRows = async ({ database, counts, step }: Fsck): Promise<void> => {
  for await (const [full, stored] of database.raw()) {
    step('rows')
    counts.rows += 1
    const place = parseDatabaseKey(full)
    if (place === undefined) throw new CorruptRow('unknown', full, 'no table has this prefix')
    const { table, key } = place
    const row = decodeRow<TableName>(table, key, stored)
    if (table === 'blob') {
      counts.blobs += 1
      if (blobName(row as Uint8Array) !== key) throw new CorruptRow(table, key, 'the bytes have another SHA-256')
    }
  }
  const version = database.peek('schema', 'version')
  if (version !== SCHEMA) throw new CorruptRow('schema', 'version', `it is ${version}; this release knows ${SCHEMA}`)
}
