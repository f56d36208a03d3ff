import { fromHex, fromUtf8 } from '#core/bytes.ts'
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
import { filled, type Naming, namingsOf, sentenceOf } from './layout.ts'

const upper = (name: string): string => name.toUpperCase()

const types: Readonly<Record<Exclude<RegisterType, 'bytes' | 'text'>, string>> = {
  u16: 'uint16_t',
  u32: 'uint32_t',
  u64: 'uint64_t',
  f32: 'float',
  f64: 'double',
}

const fieldOf = (register: Register): string => {
  const { name, width, type } = register
  const field =
    type === 'bytes'
      ? `unsigned char ${name}[${width}]`
      : type === 'text'
        ? `char ${name}[${width + 1}]`
        : `${types[type]} ${name}`
  return `  /** ${sentenceOf(register)} */\n  ${field};`
}

const decodeOf = ({ name, type }: Register): string => {
  const at = `copy + TICKMESH_${upper(name)}_OFFSET`
  if (type === 'bytes') return `  memcpy(page->${name}, ${at}, TICKMESH_${upper(name)}_WIDTH);`
  if (type !== 'text') return `  page->${name} = tickmesh_${type}(${at});`
  return [
    `  memcpy(page->${name}, ${at}, TICKMESH_${upper(name)}_WIDTH);`,
    `  page->${name}[TICKMESH_${upper(name)}_WIDTH] = 0;`,
  ].join('\n')
}

const offsetsOf = (registers: readonly Register[], prefix: string): string =>
  registers
    .map((it) => {
      const name = `TICKMESH_${prefix}${upper(it.name)}`
      return `#define ${name}_OFFSET ${it.offset}\n#define ${name}_WIDTH ${it.width}`
    })
    .join('\n')

/** A function that names a number: a value, or a bit by its place. */
const namerOf = (name: string, comment: string, names: readonly (readonly [symbol: string, text: string])[]): string =>
  [
    `/** ${comment} */`,
    `static inline const char *tickmesh_${name}_name(uint32_t number) {`,
    '  switch (number) {',
    ...names.map(([symbol, text]) => `    case ${symbol}: return "${text}";`),
    '    default: return "?";',
    '  }',
    '}',
  ].join('\n')

const bitsOf = ({ prefix, registers, names }: Naming): string =>
  [
    `/* Of ${registers.join(', ')}. */`,
    ...names.map((it, bit) => `#define TICKMESH_${upper(`${prefix}_${it}`)} (UINT32_C(1) << ${bit})`),
    namerOf(
      `${prefix}_bit`,
      `Name of a bit of ${registers.join(', ')}, from 0.`,
      names.map((it, bit) => [`${bit}`, it]),
    ),
  ].join('\n')

const valuesOf = ({ prefix, registers, names }: Naming): string => {
  const symbols = names.map((it) => `TICKMESH_${upper(`${prefix}_${it}`)}`)
  return [
    `/* Of ${registers.join(', ')}. */`,
    ...symbols.map((it, value) => `#define ${it} ${value}`),
    namerOf(
      prefix,
      `Name of a value of ${registers.join(', ')}.`,
      symbols.map((it, i) => [it, names[i] ?? '']),
    ),
  ].join('\n')
}

const constants = (): string => {
  const digest = [...fromHex(layoutDigest())].map((byte) => `0x${byte.toString(16).padStart(2, '0')}`)
  const rows = [digest.slice(0, 16), digest.slice(16)].map((it) => it.join(', '))
  return [
    '/** Bytes of either file. */',
    `#define TICKMESH_PAGE_BYTES ${PAGE_BYTES}`,
    '/** The layout version that this header knows. */',
    `#define TICKMESH_LAYOUT ${LAYOUT_VERSION}`,
    '/** What a page holds at TICKMESH_MAGIC_OFFSET. */',
    `#define TICKMESH_MAGIC "${fromUtf8(fromHex(String(registerIn(pageRegisters, 'magic').reset)))}"`,
    '/** Length of a tick in nanoseconds. */',
    `#define TICKMESH_TICK_NS UINT64_C(${TICK_NS})`,
    '/** SHA-256 of the table this header was made from, to initialise an array with. */',
    `#define TICKMESH_LAYOUT_DIGEST \\\n  { \\\n    ${rows.join(', \\\n    ')} \\\n  }`,
  ].join('\n')
}

const errors = (): string => {
  const symbols = faultCodes.map((code) => `TICKMESH_ERROR_${code}`)
  const members = ['TICKMESH_ERROR_NONE = 0', ...symbols.map((it, i) => `${it} = ${i + 1}`)]
  return [
    `enum tickmesh_error {\n  ${members.join(',\n  ')}\n};`,
    '',
    namerOf('error', 'The code of a refusal.', [
      ['TICKMESH_ERROR_NONE', 'none'],
      ...symbols.map((it, i) => [it, faultCodes[i] ?? ''] as const),
    ]),
  ].join('\n')
}

/** The C header, whole. */
export const headerText = (): string =>
  filled('tickmesh_mmio.h', {
    generated: ' * Made by scripts/mmio.ts from protocols/mmio.json; changes here are lost.',
    constants: constants(),
    page_offsets: offsetsOf(pageRegisters, ''),
    control_offsets: offsetsOf(controlRegisters, 'CTL_'),
    bits: namingsOf('bits').map(bitsOf).join('\n\n'),
    values: namingsOf('values').map(valuesOf).join('\n\n'),
    errors: errors(),
    page_struct: `typedef struct tickmesh_page {\n${pageRegisters.map(fieldOf).join('\n')}\n} tickmesh_page;`,
    decode: [
      'static inline void tickmesh_decode(const unsigned char *copy, tickmesh_page *page) {',
      ...pageRegisters.map(decodeOf),
      '}',
    ].join('\n'),
  })
