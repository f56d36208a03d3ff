import { crc32 } from 'node:zlib'
import { fromUtf8 } from '#core/bytes.ts'
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

/** @param full the database key */
const sumOf = (full: string, body: Uint8Array): number => crc32(body, crc32(full))

/** Room for the row that is being encoded; a longer one gets memory of its own. */
const SCRATCH_BYTES = 65_536
const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)
/** What one unit of a string may become in UTF-8. */
export const UTF8_BYTES_MAX = 3

/**
 * The stored form of a row in memory that the next call writes over: for rows that are handed on at once.
 *
 * @param full the database key
 */
export const encodeRowShared = <N extends TableName>(table: N, full: string, row: Row<N>): Uint8Array => {
  const body = tables[table].form === 'bytes' ? (row as Uint8Array) : JSON.stringify(row)
  const isText = typeof body === 'string'
  const bytesMax = SUM_BYTES + full.length * UTF8_BYTES_MAX + body.length * (isText ? UTF8_BYTES_MAX : 1)
  const whole = bytesMax <= SCRATCH_BYTES ? scratch : Buffer.allocUnsafeSlow(bytesMax)
  // Key and body stand side by side while they are summed, which is then one call; the sum takes the key's place.
  const at = SUM_BYTES + whole.write(full, SUM_BYTES)
  if (!isText) whole.set(body, at)
  const end = at + (isText ? whole.write(body, at) : body.length)
  whole.writeUInt32BE(crc32(whole.subarray(SUM_BYTES, end)), at - SUM_BYTES)
  return whole.subarray(at - SUM_BYTES, end)
}

/**
 * The stored form of a row: CRC-32 over database key and body (big-endian), then the body. LevelDB does not check its
 * blocks when it reads, so each row carries a sum of its own; hashes and signatures are another matter.
 */
export const encodeRow = <N extends TableName>(table: N, key: string, row: Row<N>): Uint8Array =>
  new Uint8Array(encodeRowShared(table, databaseKey(table, key), row))

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
