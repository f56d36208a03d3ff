import { crc32 } from 'node:zlib'
import { fromUtf8, utf8 } from '#core/bytes.ts'
import { CorruptRow } from './corrupt-row.ts'
import { SEPARATOR } from './key-parts.ts'
import { type Row, type TableName, tables } from './layout.ts'

const SUM_BYTES = 4

/** The database key of a row. */
export const databaseKey = (table: TableName, key: string): string => `${tables[table].prefix}${SEPARATOR}${key}`

const tableByPrefix = new Map(Object.entries(tables).map(([name, { prefix }]) => [prefix, name as TableName]))

/** Table and key of a database key; undefined for a prefix that no table has. */
export const parseDatabaseKey = (text: string): { readonly table: TableName; readonly key: string } | undefined => {
  const split = text.indexOf(SEPARATOR)
  const table = tableByPrefix.get(text.slice(0, split))
  return table === undefined ? undefined : { table, key: text.slice(split + 1) }
}

const sumOf = (key: string, body: Uint8Array): number => crc32(body, crc32(key))

/**
 * The stored form of a row: CRC-32 over database key and body (big-endian), then the body. LevelDB does not check its
 * blocks when it reads, so each row carries a sum of its own; hashes and signatures are another matter.
 */
export const encodeRow = <N extends TableName>(table: N, key: string, row: Row<N>): Uint8Array => {
  const body = tables[table].form === 'bytes' ? (row as Uint8Array) : utf8(JSON.stringify(row))
  const whole = new Uint8Array(SUM_BYTES + body.length)
  new DataView(whole.buffer).setUint32(0, sumOf(databaseKey(table, key), body))
  whole.set(body, SUM_BYTES)
  return whole
}

/** @throws CorruptRow when the sum does not fit or the body is not JSON. */
export const decodeRow = <N extends TableName>(table: N, key: string, stored: Uint8Array): Row<N> => {
  if (stored.length < SUM_BYTES) throw new CorruptRow(table, key, 'the row is cut short')
  const body = stored.subarray(SUM_BYTES)
  const sum = new DataView(stored.buffer, stored.byteOffset).getUint32(0)
  if (sum !== sumOf(databaseKey(table, key), body)) throw new CorruptRow(table, key, 'the checksum does not fit')
  if (tables[table].form === 'bytes') return new Uint8Array(body) as Row<N>
  try {
    return JSON.parse(fromUtf8(body)) as Row<N>
  } catch {
    throw new CorruptRow(table, key, 'the row is not JSON')
  }
}
