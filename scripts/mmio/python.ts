import { faultCodes } from '#core/fault.ts'
import {
  controlRegisters,
  LAYOUT_VERSION,
  PAGE_BYTES,
  pageRegisters,
  type Register,
  type RegisterType,
  registerIn,
} from '#core/mmio/table.ts'
import { TICK_NS } from '#core/tick.ts'
import { layoutDigest } from '#domain/network/mmio/layout.ts'
import { filled, sentenceOf, usedBytes } from './layout.ts'

const types: Readonly<Record<RegisterType, string>> = {
  u16: 'int',
  u32: 'int',
  u64: 'int',
  f32: 'float',
  f64: 'float',
  bytes: 'bytes',
  text: 'str',
}
const formats: Readonly<Record<Exclude<RegisterType, 'bytes' | 'text'>, string>> = {
  u16: 'H',
  u32: 'I',
  u64: 'Q',
  f32: 'f',
  f64: 'd',
}

const formatOf = ({ type, width }: Register): string =>
  type === 'bytes' || type === 'text' ? `${width}s` : formats[type]

const rowsOf = (name: string, registers: readonly Register[]): string => {
  const rows = registers.map((it) => {
    const unit = it.unit === null ? 'None' : JSON.stringify(it.unit)
    const said = [it.offset, it.width, `"${it.type}"`, unit, `"${it.view}"`, JSON.stringify(it.meaning)]
    return `    "${it.name}": (${said.join(', ')}),`
  })
  return [`${name}: Dict[str, Tuple[int, int, str, Optional[str], str, str]] = {`, ...rows, '}'].join('\n')
}

const namesOf = (name: string, kind: 'bits' | 'values'): string => {
  const rows = [...pageRegisters, ...controlRegisters].flatMap((it) => {
    const names = it[kind]
    return names === undefined ? [] : [`    "${it.name}": (${names.map((one) => `"${one}"`).join(', ')}),`]
  })
  return [`${name}: Dict[str, Tuple[str, ...]] = {`, ...rows, '}'].join('\n')
}

/** One `struct` for the whole page: the registers in the order of their offsets, with what is between them left out. */
const unpackText = (): string => {
  const sorted = pageRegisters.toSorted((a, b) => a.offset - b.offset)
  let end = 0
  const formatted = sorted.map((it) => {
    const gap = it.offset - end
    end = it.offset + it.width
    return `${gap === 0 ? '' : `${gap}x`}${formatOf(it)}`
  })
  const texts = sorted.flatMap(({ type }, i) => (type === 'text' ? [i] : []))
  return [
    `_REGISTERS = struct.Struct("<${formatted.join('')}")`,
    '',
    '',
    'def unpack(copy: bytes) -> Page:',
    '    """The registers of a copy, whole or not."""',
    '    values = list(_REGISTERS.unpack_from(copy))',
    ...texts.map((i) => `    values[${i}] = values[${i}].split(b"\\0", 1)[0].decode("latin-1")`),
    '    return Page(*values)',
    '',
  ].join('\n')
}

const placeOf = (name: string): string => {
  const { offset, width } = registerIn(pageRegisters, name)
  return `${name.toUpperCase()}_AT = slice(${offset}, ${offset + width})`
}

const constants = (): string =>
  [
    '#: Bytes of either file, and of the page up to the end of its last register.',
    `PAGE_BYTES = ${PAGE_BYTES}`,
    `USED_BYTES = ${usedBytes}`,
    '#: The layout version that this module knows.',
    `LAYOUT_VERSION = ${LAYOUT_VERSION}`,
    '#: SHA-256 of the table this module was made from.',
    `LAYOUT_DIGEST = bytes.fromhex("${layoutDigest()}")`,
    `MAGIC = bytes.fromhex("${registerIn(pageRegisters, 'magic').reset}")`,
    '#: Length of a tick in nanoseconds.',
    `TICK_NS = ${TICK_NS}`,
    ...['crc', 'layout_version', 'magic'].map(placeOf),
  ].join('\n')

const fieldsText = (): string =>
  pageRegisters
    .toSorted((a, b) => a.offset - b.offset)
    .map((it) => `    #: ${sentenceOf(it)}\n    ${it.name}: ${types[it.type]}`)
    .join('\n')

/** The Python module, whole. */
export const moduleText = (): string =>
  filled('tickmesh_mmio.py', {
    generated: 'Made by scripts/mmio.ts from protocols/mmio.json; changes here are lost.',
    constants: constants(),
    page_rows: rowsOf('PAGE_ROWS', pageRegisters),
    control_rows: rowsOf('CONTROL_ROWS', controlRegisters),
    bits: namesOf('BITS', 'bits'),
    values: namesOf('VALUES', 'values'),
    errors: ['ERRORS: Tuple[str, ...] = (', ...faultCodes.map((code) => `    "${code}",`), ')'].join('\n'),
    page_fields: fieldsText(),
    unpack: unpackText(),
  })
