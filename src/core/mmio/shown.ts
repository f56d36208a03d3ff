import { errorCode } from './error-code.ts'
import { bitsOf, jsonValue, type RegisterValue } from './page.ts'
import type { Register } from './table.ts'

/** A register as it is shown, its bits and values by their names. */
export interface ShownRegister {
  readonly name: string
  readonly unit: string | null
  readonly value: number | string
  /** Bits that are set; null for what has none. */
  readonly set: string[] | null
  /** The value's name; null for what has none. */
  readonly means: string | null
}

/** The name of a value: of a code, the refusal's. Undefined for what has none. */
export const meaningOf = ({ unit, values }: Pick<Register, 'unit' | 'values'>, value: RegisterValue) =>
  unit === 'code' ? errorCode(Number(value)) : values?.[Number(value)]

/** A value under its row. */
export const shownOf = (row: Register, value: RegisterValue): ShownRegister => ({
  name: row.name,
  unit: row.unit,
  value: jsonValue(value),
  set: row.bits === undefined ? null : [...bitsOf(Number(value), row.bits)],
  means: meaningOf(row, value) ?? null,
})
