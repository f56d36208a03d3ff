import { assert } from '#core/assert.ts'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import { crc32c } from '#core/crc32c.ts'
import { PAGE_BYTES, pageRegisters, type Register, registerIn } from './table.ts'

/** What a register holds: u64 is a bigint, other numbers are numbers, bytes are hex, text is ASCII. */
export type RegisterValue = number | bigint | string

/** Where the sum begins: behind the words that stand outside of it. */
const PAYLOAD_FROM = 16
const U64_MAX = (1n << 64n) - 1n

const seqlock = registerIn(pageRegisters, 'seqlock')
const crc = registerIn(pageRegisters, 'crc')
const magic = registerIn(pageRegisters, 'magic')

const viewOf = (page: Uint8Array): DataView => new DataView(page.buffer, page.byteOffset, page.byteLength)

/** A count that does not fit stands at the largest that does. */
const within = (value: RegisterValue, most: number): number => {
  assert(typeof value !== 'string', 'a number stands in a number’s register')
  return Math.min(Math.max(Number(value), 0), most)
}

const bytesOf = ({ width, type }: Register, value: RegisterValue): Uint8Array => {
  assert(typeof value === 'string', 'bytes and text are given as text')
  const bytes = type === 'text' ? utf8(value) : fromHex(value)
  assert(bytes.length <= width, 'a value fits its register')
  return bytes
}

/** Puts a value into a page or control file. Integers are kept within the register's range. */
export const putRegister = (page: Uint8Array, register: Register, value: RegisterValue): void => {
  const { offset, width, type } = register
  const view = viewOf(page)
  if (type === 'u16') view.setUint16(offset, within(value, 0xffff), true)
  else if (type === 'u32') view.setUint32(offset, within(value, 0xffffffff), true)
  else if (type === 'u64') {
    const whole = BigInt(value)
    view.setBigUint64(offset, whole < 0n ? 0n : whole > U64_MAX ? U64_MAX : whole, true)
  } else if (type === 'f32') view.setFloat32(offset, Number(value), true)
  else if (type === 'f64') view.setFloat64(offset, Number(value), true)
  else {
    page.fill(0, offset, offset + width)
    page.set(bytesOf(register, value), offset)
  }
}

/** What a register holds. Text ends before its first zero. */
export const registerOf = (page: Uint8Array, { offset, width, type }: Register): RegisterValue => {
  const view = viewOf(page)
  if (type === 'u16') return view.getUint16(offset, true)
  if (type === 'u32') return view.getUint32(offset, true)
  if (type === 'u64') return view.getBigUint64(offset, true)
  if (type === 'f32') return view.getFloat32(offset, true)
  if (type === 'f64') return view.getFloat64(offset, true)
  const bytes = page.subarray(offset, offset + width)
  if (type === 'bytes') return toHex(bytes)
  const end = bytes.indexOf(0)
  // One character a byte, so that whatever stands in a file of somebody else's is read without a fault.
  return String.fromCharCode(...(end < 0 ? bytes : bytes.subarray(0, end)))
}

/** What a register of this name holds in a page. */
export const valueIn = (page: Uint8Array, name: string): RegisterValue =>
  registerOf(page, registerIn(pageRegisters, name))

/** CRC-32C of what a page says. */
export const pageSum = (page: Uint8Array): number => crc32c(page, PAYLOAD_FROM, PAGE_BYTES)

/** Puts the sum of what a page says into it. */
export const sumPage = (page: Uint8Array): void => putRegister(page, crc, pageSum(page))

/** Whether bytes begin a page of this kind, or nothing was written yet: a page that a node may go on with. */
export const isPage = (page: Uint8Array): boolean => {
  if (page.length !== PAGE_BYTES) return false
  const found = registerOf(page, magic)
  return found === magic.reset || page.every((byte, at) => at < PAYLOAD_FROM || byte === 0)
}

/**
 * What a copy of a page is: `whole`, `odd` while it is written, `torn` when its sum does not fit (a copy from two
 * writes), `foreign` when it is none.
 */
export const stateOfCopy = (page: Uint8Array): 'whole' | 'odd' | 'torn' | 'foreign' => {
  if (page.length !== PAGE_BYTES) return 'foreign'
  if (((registerOf(page, seqlock) as bigint) & 1n) === 1n) return 'odd'
  if (registerOf(page, crc) !== pageSum(page)) return registerOf(page, magic) === magic.reset ? 'torn' : 'foreign'
  return registerOf(page, magic) === magic.reset ? 'whole' : 'foreign'
}

/** The value as JSON keeps it: a u64 as its decimal digits. */
export const jsonValue = (value: RegisterValue): number | string =>
  typeof value === 'bigint' ? value.toString() : value

/** Names of the bits that are set in a word, in the order of the bits. */
export const bitsOf = (word: number, names: readonly string[]): readonly string[] =>
  names.filter((_, bit) => ((word >>> bit) & 1) === 1)

/** The word in which these bits are set. @throws Error for a name that no bit has. */
export const wordOf = (set: Iterable<string>, names: readonly string[]): number => {
  let word = 0
  for (const name of set) {
    const bit = names.indexOf(name)
    if (bit < 0) throw new Error(`no bit is called ${name}`)
    word |= 1 << bit
  }
  return word >>> 0
}
