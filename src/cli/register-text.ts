import { registerOf } from '#core/mmio/page.ts'
import { type ShownRegister, shownOf } from '#core/mmio/shown.ts'
import { pageRegisters, type Register } from '#core/mmio/table.ts'
import { didYouMean, nearestNames } from '#core/near-names.ts'
import { table } from './io.ts'
import { CliError } from './problem.ts'

const NEAR_MAX = 3

/** The rows of these names, in the table's order; all of them when none is named. @throws CliError UNKNOWN_REGISTER */
export const rowsNamed = (names: readonly string[]): readonly Register[] => {
  const all = pageRegisters.map(({ name }) => name)
  const unknown = names.find((it) => !all.includes(it))
  if (unknown !== undefined) {
    const near = nearestNames(unknown, all, NEAR_MAX)
    throw new CliError(2, `no register is called "${unknown}"${didYouMean(near)}`, {
      code: 'UNKNOWN_REGISTER',
      details: { near },
    })
  }
  return names.length === 0 ? pageRegisters : pageRegisters.filter(({ name }) => names.includes(name))
}

/** The registers of a page. */
export const shownIn = (page: Uint8Array, rows: readonly Register[]): readonly ShownRegister[] =>
  rows.map((row) => shownOf(row, registerOf(page, row)))

/** A register's value as people read it: bits and values by their names. */
export const valueText = ({ value, unit, set, means }: ShownRegister): string => {
  if (set !== null) return set.join(' ') || 'none'
  if (means !== null) return means
  if (unit === 'code' && value === 0) return 'none'
  // No digest is all zeros: nothing was written there yet.
  return typeof value === 'string' && /^0*$/.test(value) && value !== '0' ? '-' : String(value)
}

/** Registers with what they hold and mean. */
export const registersText = (shown: readonly ShownRegister[]): string => {
  const meaning = new Map(pageRegisters.map((row) => [row.name, row.meaning]))
  const unitOf = ({ unit }: ShownRegister): string => (unit === null || unit === 'bits' || unit === 'code' ? '' : unit)
  return table(shown.map((it) => [it.name, valueText(it), unitOf(it), meaning.get(it.name) ?? '']))
}
