import { Level } from 'level'
import { fsck } from '#store/fsck/fsck.ts'
import type { BadRecord } from '#store/fsck/report.ts'
import type { Row, TableName } from '#store/layout.ts'
import { databaseDirectory } from '#store/lock.ts'
import { decodeRow, encodeRow, parseDatabaseKey } from '#store/rows.ts'

/** Works on the bytes of a store, behind its back, while no node runs on it. */
export const rawOf = async <T>(
  directory: string,
  work: (level: Level<string, Uint8Array>) => Promise<T>,
): Promise<T> => {
  const level = new Level<string, Uint8Array>(databaseDirectory(directory), {
    ...{ keyEncoding: 'utf8', valueEncoding: 'view', compression: false },
  })
  await level.open()
  try {
    return await work(level)
  } finally {
    await level.close()
  }
}

/** All rows of a table, by their keys in the database. */
export const rowsOf = (directory: string, table: TableName) =>
  rawOf(directory, async (level) => {
    const rows: (readonly [string, Uint8Array])[] = []
    for await (const [key, value] of level.iterator()) {
      if (parseDatabaseKey(key)?.table === table) rows.push([key, new Uint8Array(value)])
    }
    return rows
  })

/** What the check of a store finds while a row is another one, or none; the row is put back. */
export const spoiled = async (
  directory: string,
  [key, value]: readonly [string, Uint8Array],
  wrong: Uint8Array | undefined,
): Promise<BadRecord | null> => {
  await rawOf(directory, (level) => (wrong === undefined ? level.del(key) : level.put(key, wrong)))
  const { bad } = await fsck({ directory })
  await rawOf(directory, (level) => level.put(key, value))
  return bad
}

/** The same for the first row of a table, with a sum that fits. */
export const changed = async <N extends TableName>(
  directory: string,
  table: N,
  edit: (row: Row<N>) => Row<N>,
): Promise<BadRecord | null> => {
  const [first] = await rowsOf(directory, table)
  if (first === undefined) throw new Error(`${table} has no row`)
  const [key, value] = first
  const name = parseDatabaseKey(key)?.key ?? ''
  return spoiled(directory, first, encodeRow(table, name, edit(decodeRow(table, name, value))))
}
