import { crc32 } from 'node:zlib'
import { assert } from '#core/assert.ts'
import type { RawRow } from '#store/database.ts'
import { SEPARATOR } from '#store/key-parts.ts'
import { BLOCK_BYTES } from './format.ts'
import { damaged } from './refused.ts'

/** Length of the key (u16) and of the row (u32), big-endian; then both. */
const ROW_HEADER_BYTES = 6
const SEPARATOR_BYTE = SEPARATOR.charCodeAt(0)
const KEY_BYTES_MAX = 65_535
const PREFIX_CHARS_MAX = 8
const SUM_BYTES = 4

/** Rows one behind the other. */
export const encodeRows = (rows: readonly RawRow[]): Uint8Array => {
  let bytes = 0
  for (const [key, value] of rows) bytes += ROW_HEADER_BYTES + key.length + value.length
  const whole = Buffer.allocUnsafe(bytes)
  let at = 0
  for (const [key, value] of rows) {
    assert(key.length <= KEY_BYTES_MAX, 'a key is within its bound')
    whole.writeUInt16BE(key.length, at)
    whole.writeUInt32BE(value.length, at + 2)
    whole.set(key, at + ROW_HEADER_BYTES)
    whole.set(value, at + ROW_HEADER_BYTES + key.length)
    at += ROW_HEADER_BYTES + key.length + value.length
  }
  return whole
}

/** Bytes that a row takes in a block. */
export const rowBytes = ([key, value]: RawRow): number => ROW_HEADER_BYTES + key.length + value.length

/** The rows of a block. They are views of it. @throws BackupRefused for bytes that are no whole rows. */
export const decodeRows = (raw: Uint8Array): readonly RawRow[] => {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.length)
  const rows: RawRow[] = []
  let at = 0
  while (at < raw.length) {
    // A block ends with the row that fills it. Without this a small archive could unfold to endless empty rows.
    if (at >= BLOCK_BYTES) throw damaged('rows', 'a block goes on after it is full')
    if (at + ROW_HEADER_BYTES > raw.length) throw damaged('rows', 'a row is cut short')
    const keyEnd = at + ROW_HEADER_BYTES + view.getUint16(at)
    const end = keyEnd + view.getUint32(at + 2)
    if (end > raw.length) throw damaged('rows', 'a row is cut short')
    if (keyEnd === at + ROW_HEADER_BYTES) throw damaged('rows', 'a row has no key')
    rows.push([raw.subarray(at + ROW_HEADER_BYTES, keyEnd), raw.subarray(keyEnd, end)])
    at = end
  }
  return rows
}

/** The prefix of the table that a row is of. @throws BackupRefused for a key that no table has. */
export const prefixOf = (key: Uint8Array): string => {
  const end = key.subarray(0, PREFIX_CHARS_MAX + 1).indexOf(SEPARATOR_BYTE)
  const prefix = end < 1 ? '' : String.fromCharCode(...key.subarray(0, end))
  if (!/^[a-z]+$/.test(prefix)) throw damaged('rows', 'a key is of no table')
  return prefix
}

/** Whether a row is what was written: the sum that each one carries over key and body. */
export const isSound = ([key, value]: RawRow): boolean => {
  if (value.length < SUM_BYTES) return false
  const sum = new DataView(value.buffer, value.byteOffset).getUint32(0)
  return sum === crc32(value.subarray(SUM_BYTES), crc32(key))
}
