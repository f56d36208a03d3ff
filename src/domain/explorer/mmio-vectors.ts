import { fromHex } from '#core/bytes.ts'
import { crc32c } from '#core/crc32c.ts'
import { faultCodes } from '#core/fault.ts'
import { bitsOf, jsonValue, registerOf, stateOfCopy } from '#core/mmio/page.ts'
import {
  controlRegisters,
  LAYOUT_VERSION,
  PAGE_BYTES,
  pageRegisters,
  type Register,
  registerIn,
} from '#core/mmio/table.ts'
import { each, type Golden, same, type Vectors } from './vector.ts'

/** A file of the register page from its bytes up to the last that is not zero. */
const fileOf = (bytes: string): Uint8Array => {
  const file = new Uint8Array(PAGE_BYTES)
  file.set(fromHex(bytes))
  return file
}

const says = (bytes: string, rows: readonly Register[], registers: Golden): boolean => {
  const file = fileOf(bytes)
  return Object.entries(registers).every(
    ([name, value]) => jsonValue(registerOf(file, registerIn(rows, name))) === value,
  )
}

const rows: readonly Register[] = [...pageRegisters, ...controlRegisters]
const codes: readonly string[] = faultCodes

/** Register pages, whole and refused, words, sums, and the numbers of refusals. */
export const mmio: Vectors = (it) => [
  ...each(
    it.pages,
    ({ bytes, registers }) => stateOfCopy(fileOf(bytes)) === 'whole' && says(bytes, pageRegisters, registers),
  ),
  ...each(it.refused, ({ bytes, state }) => state !== 'whole' && stateOfCopy(fileOf(bytes)) === state),
  ...each(it.other_layouts, ({ bytes, layout_version }) => {
    return layout_version !== LAYOUT_VERSION && says(bytes, pageRegisters, { layout_version })
  }),
  () => says(it.control.bytes, controlRegisters, it.control.registers),
  ...each(it.words, ({ name, word, set }) => same(bitsOf(word, registerIn(rows, name).bits ?? []), set)),
  ...each(it.sums, ({ bytes, crc }) => crc32c(fromHex(bytes)) === crc),
  () => Object.entries(it.codes).every(([code, number]) => codes[Number(number) - 1] === code),
]
