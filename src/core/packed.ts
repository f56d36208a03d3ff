import { arrayTypeOf, doublesOf, littleEndianBytes, type TypedArray } from './arrays.ts'
import { concat, fromUtf8, utf8 } from './bytes.ts'
import { canonical, type Json } from './canonical.ts'
import { Fault } from './fault.ts'

/** Bytes of a value of which arrays of numbers travel as they lie: a result of a large grid still fits. */
const PACKED_BYTES_MAX = 64 * 1_048_576

const LINE_FEED = 0x0a
const widths = { f64: 8, i32: 4, u8: 1 } as const
type Width = keyof typeof widths

const refuse = (why: string): never => {
  throw new Fault('INVALID_INPUT', why)
}

const headOf = (value: unknown, arrays: TypedArray[]): Json => {
  const type = arrayTypeOf(value)
  if (type !== undefined) {
    arrays.push(value as TypedArray)
    return { $array: { type, length: (value as TypedArray).length } }
  }
  if (Array.isArray(value)) return value.map((part) => headOf(part, arrays))
  if (value === null || typeof value !== 'object') return value as Json
  const entries = Object.entries(value).filter(([, part]) => part !== undefined)
  return Object.fromEntries(entries.map(([name, part]) => [name, headOf(part, arrays)]))
}

/** A head as text: members keep their order, which whoever shows a result shows. @throws Fault NOT_CANONICAL */
const textOf = (head: Json): string => {
  canonical(head)
  return JSON.stringify(head)
}

/**
 * A value of JSON and typed arrays as bytes: the JSON in which each array stands as its type and length, a line feed,
 * then the arrays, little-endian, in the order of that text.
 *
 * @throws Fault NOT_CANONICAL for what is neither.
 */
export const packed = (value: unknown): Uint8Array => {
  const arrays: TypedArray[] = []
  const head = utf8(`${textOf(headOf(value, arrays))}\n`)
  return concat(head, ...arrays.map(littleEndianBytes))
}

const headFrom = (bytes: Uint8Array): Json => {
  let text: string
  let head: Json
  try {
    text = fromUtf8(bytes)
    head = JSON.parse(text) as Json
  } catch {
    return refuse('The head is not JSON in UTF-8.')
  }
  return textOf(head) === text ? head : refuse('The head has another spelling.')
}

interface Reading {
  readonly bytes: Uint8Array
  at: number
}

const arrayFrom = (reading: Reading, about: Json): TypedArray => {
  const { type, length } = (about ?? {}) as { readonly type?: unknown; readonly length?: unknown }
  // One spelling alone: a member more, or in another order, would be other bytes for the same value.
  const isForm = Object.keys(about ?? {}).join() === 'type,length'
  const isKnown = isForm && typeof type === 'string' && Object.hasOwn(widths, type)
  if (!isKnown || !Number.isSafeInteger(length) || (length as number) < 0) return refuse('An array has no such form.')
  const size = (length as number) * widths[type as Width]
  if (reading.at + size > reading.bytes.length) return refuse('An array ends before its length.')
  const part = reading.bytes.slice(reading.at, reading.at + size)
  reading.at += size
  if (type === 'u8') return part
  if (type === 'f64') return doublesOf(part)
  const view = new DataView(part.buffer)
  return Int32Array.from({ length: length as number }, (_, i) => view.getInt32(4 * i, true))
}

const valueFrom = (reading: Reading, head: Json): unknown => {
  if (Array.isArray(head)) return head.map((part) => valueFrom(reading, part))
  if (head === null || typeof head !== 'object') return head
  const entries = Object.entries(head)
  const [only] = entries
  if (entries.length === 1 && only?.[0] === '$array') return arrayFrom(reading, only[1])
  return Object.fromEntries(entries.map(([name, part]) => [name, valueFrom(reading, part)]))
}

/**
 * What {@link packed} made bytes of. Only its one spelling is read.
 *
 * @throws Fault INVALID_INPUT, NOT_CANONICAL
 */
export const unpacked = (bytes: Uint8Array): unknown => {
  if (bytes.length > PACKED_BYTES_MAX) return refuse(`More than ${PACKED_BYTES_MAX} bytes.`)
  const end = bytes.indexOf(LINE_FEED)
  if (end < 0) return refuse('There is no line feed after the head.')
  const reading: Reading = { bytes, at: end + 1 }
  const value = valueFrom(reading, headFrom(bytes.subarray(0, end)))
  return reading.at === bytes.length ? value : refuse('Bytes follow the last array.')
}
