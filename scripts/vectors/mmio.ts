import { toHex, utf8 } from '#core/bytes.ts'
import { crc32c } from '#core/crc32c.ts'
import { faultCodes } from '#core/fault.ts'
import {
  bitsOf,
  jsonValue,
  putRegister,
  type RegisterValue,
  registerOf,
  stateOfCopy,
  sumPage,
} from '#core/mmio/page.ts'
import { controlRegisters, PAGE_BYTES, pageRegisters, type Register, registerIn } from '#core/mmio/table.ts'
import { TICK_NS } from '#core/tick.ts'
import { sha256 } from '#crypto'
import held from '#protocols/vectors/mmio.json' with { type: 'json' }

type Values = Readonly<Record<string, RegisterValue>>

const named = (words: string): string => toHex(sha256(utf8(`tickmesh vectors: ${words}`)))

/** What stands in every page. The digest is of no table: readers take pages of tables that were added to. */
const constant: Values = {
  layout_version: 1,
  magic: toHex(utf8('TMKMMIO1')),
  layout_digest: named('register table'),
  genesis_ns: 1_794_873_600_000_000_555n,
  genesis_tick: 2_310_004_284n,
  tick_ns: TICK_NS,
}

/** Every register holds something that tells it from all the others. */
const full: Values = {
  ...Object.fromEntries(
    pageRegisters.map(({ name, offset, type }) => [name, type === 'bytes' ? named(name) : 1_000 + offset]),
  ),
  ...constant,
  ...{ seqlock: 1_288n, tick: 1_287n, mesh_tick: 2_310_005_571n, phase: 0.25, r_t: 1.118034, state: 0b10001, mode: 1 },
  ...{ queue_heat: 0.375, bond_state: 2, irq_status: 0b1000_0011, irq_acked: 0b10, error: 3 },
  zid: `zid1${'q'.repeat(35)}`,
}

const U64_MAX = (1n << 64n) - 1n
const U32_MAX = 0xffff_ffff

/** The largest and the smallest that the types hold. */
const edges: Values = {
  ...Object.fromEntries(
    pageRegisters.map(({ name, width, type }) => [
      name,
      type === 'bytes' ? 'ff'.repeat(width) : type === 'u64' ? U64_MAX : U32_MAX,
    ]),
  ),
  ...constant,
  ...{ seqlock: U64_MAX - 1n, phase: 0.9999999999999999, r_t: -5e-324, queue_heat: 1.401298464324817e-45 },
  zid: 'z'.repeat(40),
}

const filled = (values: Values, registers: readonly Register[] = pageRegisters): Uint8Array => {
  const page = new Uint8Array(PAGE_BYTES)
  for (const [name, value] of Object.entries(values)) putRegister(page, registerIn(registers, name), value)
  return page
}

/** A page with its sum, after bytes were put into it that no row names. */
const summed = (values: Values, beside: Readonly<Record<number, number>> = {}): Uint8Array => {
  const page = filled(values)
  for (const [at, byte] of Object.entries(beside)) page[Number(at)] = byte
  sumPage(page)
  return page
}

/** The bytes of a file up to the last that is not zero. */
const bytesOf = (page: Uint8Array): string => toHex(page.subarray(0, page.findLastIndex((byte) => byte !== 0) + 1))

const shown = (page: Uint8Array, registers: readonly Register[]): object =>
  Object.fromEntries(registers.map((it) => [it.name, jsonValue(registerOf(page, it))]))

const read = (why: string, page: Uint8Array) => ({ why, registers: shown(page, pageRegisters), bytes: bytesOf(page) })

const altered = (page: Uint8Array, change: (copy: Uint8Array) => void): Uint8Array => {
  const copy = page.slice()
  change(copy)
  return copy
}

const refused = () => {
  const [older, newer] = [summed(full), summed({ ...full, tick: 1_288n, seqlock: 1_290n })]
  const cases: readonly (readonly [string, Uint8Array])[] = [
    ['the word is odd', summed({ ...full, seqlock: 1_289n })],
    ['the tail of another write', altered(newer, (it) => it.set(older.subarray(72, 80), 72))],
    ['a bit changed behind the registers', altered(older, (it) => it.fill(1, 4_000, 4_001))],
    ['the sum of another page', altered(older, (it) => it.set(newer.subarray(8, 12), 8))],
    ['other letters in front, with a sum that fits', summed({ ...full, magic: toHex(utf8('TMKMMIO2')) })],
    ['a file of zeros', new Uint8Array(PAGE_BYTES)],
  ]
  return cases.map(([why, page]) => ({ why, state: stateOfCopy(page), bytes: bytesOf(page) }))
}

const words = () =>
  [...pageRegisters, ...controlRegisters].flatMap(({ name, bits }) =>
    bits === undefined
      ? []
      : [0, 1, 2 ** (bits.length - 1), 2 ** bits.length - 1].map((word) => ({ name, word, set: bitsOf(word, bits) })),
  )

/**
 * Numbers of the codes of refusals. Those that are held stay: a number in a page means for ever what it meant.
 *
 * @param before codes and their numbers as published. @param now the codes of the catalogue, in its order.
 * @throws Error when a row of the catalogue was put elsewhere than behind the last.
 */
export const codeNumbers = (
  before: Readonly<Record<string, number>>,
  now: readonly string[],
): Readonly<Record<string, number>> => {
  for (const [code, number] of Object.entries(before)) {
    const place = now.indexOf(code) + 1
    if (place === number) continue
    throw new Error(
      `src/core/fault.ts: ${code} is ${place === 0 ? 'gone' : `row ${place}`}, and the register \`error\` says ` +
        `${number} for it, for ever: append rows behind the last, never insert, move or remove one`,
    )
  }
  return Object.fromEntries(now.map((code, i) => [code, i + 1]))
}

/** Pages with what they say, copies that are refused, words with their bits, and the numbers of refusals. */
export const mmioVectors = () => {
  const control = filled({ doorbell: 7n, request: 1, argument: 1, irq_mask: 1, irq_ack: 0b110 }, controlRegisters)
  const [nothing, check] = ['', '123456789']
  return {
    about:
      'Pages of 4,096 bytes up to their last byte that is not zero, and what they hold (u64 as digits); copies that ' +
      'no reader takes; a control file; words and their bits; CRC-32C; the numbers of the register `error`. The ' +
      'layout digest in them is of no table.',
    pages: [
      read('before anything happened', summed({ ...constant, seqlock: 2n })),
      read('every register', summed(full)),
      read('the ends of the types; a text as wide as its register', summed(edges)),
      read('rows that were added later', summed({ ...full, seqlock: 1_292n }, { 480: 7, 4095: 255 })),
    ],
    refused: refused(),
    other_layouts: [2, 65_535].map((layout_version) => ({
      layout_version,
      bytes: bytesOf(summed({ ...full, layout_version })),
    })),
    control: { registers: shown(control, controlRegisters), bytes: bytesOf(control) },
    words: words(),
    sums: [nothing, check, '\0'.repeat(32)].map((text) => ({ bytes: toHex(utf8(text)), crc: crc32c(utf8(text)) })),
    codes: codeNumbers(held.codes, faultCodes),
  }
}
