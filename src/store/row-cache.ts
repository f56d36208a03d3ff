import { recent } from '#core/recent.ts'
import { type Row, type TableName, tables } from './layout.ts'
import { databaseKey, decodeRow } from './rows.ts'

/** Rows that are kept, and the bytes that one of them may have: keys, accounts, counts. */
const ROWS_MAX = 8_192
const ROW_BYTES_MAX = 1_024

const isKept = (table: TableName): boolean => tables[table].form !== 'bytes' && tables[table].kept !== false

const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) {
    for (const it of Object.values(value)) frozen(it)
    Object.freeze(value)
  }
  return value
}

/** A row as it was written; undefined where one was removed. */
interface Written {
  readonly table: TableName
  readonly key: string
  readonly row?: unknown
  /** The database key, of whoever has made it already. */
  readonly full?: string
}

/** Small rows as they were read last, so that what every call asks for is not looked up and parsed for every call. */
export interface RowCache {
  /** @param of the database key, and what reads the row as it is stored. @throws CorruptRow */
  read<N extends TableName>(
    table: N,
    key: string,
    of: { readonly full: string; readonly stored: () => Uint8Array | undefined },
  ): Row<N> | undefined
  /** The same of a row that comes later: it is kept if nothing was written meanwhile. @throws CorruptRow */
  readLater<N extends TableName>(
    table: N,
    key: string,
    stored: () => Promise<Uint8Array | undefined>,
  ): Promise<Row<N> | undefined>
  /**
   * Forgets what was written, or knows it from now on where its kind is kept as written. Until then what was read
   * before counts, as without a cache.
   */
  written(changes: Iterable<Written>): void
  /** Forgets what may have been written. */
  failed(changes: Iterable<Written>): void
}

/** An empty cache; rows in it are frozen, for many read the same one. */
export const createRowCache = (): RowCache => {
  const rows = recent<string, unknown>(ROWS_MAX)
  /** Writes that are over: what was asked for before the end of one, and came after it, may be of before. */
  let writes = 0
  const read = <N extends TableName>(table: N, key: string, { bytes, kept }: { bytes: Uint8Array; kept: boolean }) => {
    const row = decodeRow(table, key, bytes)
    const isSmall = bytes.length <= ROW_BYTES_MAX && isKept(table)
    if (kept && isSmall) rows.set(databaseKey(table, key), frozen(row))
    return row
  }
  return {
    read: <N extends TableName>(
      table: N,
      key: string,
      { full, stored }: { readonly full: string; readonly stored: () => Uint8Array | undefined },
    ) => {
      const known = rows.get(full) as Row<N> | undefined
      if (known !== undefined) return known
      const bytes = stored()
      return bytes === undefined ? undefined : read(table, key, { bytes, kept: true })
    },
    readLater: async <N extends TableName>(table: N, key: string, stored: () => Promise<Uint8Array | undefined>) => {
      const known = rows.get(databaseKey(table, key)) as Row<N> | undefined
      if (known !== undefined) return known
      const before = writes
      const bytes = await stored()
      return bytes === undefined ? undefined : read(table, key, { bytes, kept: before === writes })
    },
    written: (changes) => {
      writes += 1
      for (const { table, key, row, full = databaseKey(table, key) } of changes) {
        if (tables[table].kept === 'as written' && row !== undefined) rows.set(full, frozen(row))
        else if (isKept(table)) rows.delete(full)
      }
    },
    failed: (changes) => {
      writes += 1
      for (const { table, key } of changes) if (isKept(table)) rows.delete(databaseKey(table, key))
    },
  }
}
