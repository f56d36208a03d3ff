import { digest, purposes } from '#core/digest.ts'
import type { Dimension } from '#core/dimension.ts'
import { Fault } from '#core/fault.ts'
import { parseUnit } from '#core/units.ts'
import table from '#protocols/constants.json' with { type: 'json' }

/** A physical constant. */
export interface Constant {
  /** Its name behind the `@` of an equation. */
  readonly key: string
  readonly name: string
  /** Other letters it goes by in books: an input of that name that is bound nowhere is asked for. */
  readonly letters: readonly string[]
  /** The double next to `text`. */
  readonly value: number
  /** All digits: 50 or more where the value is exact. */
  readonly text: string
  readonly unit: string
  readonly dimension: Dimension
  /** Standard uncertainty in the same unit, as printed; `0` where exact. */
  readonly uncertainty: string
  readonly exact: boolean
  readonly source: string
}

/** All constants, in the order of the table. */
export const CONSTANTS: readonly Constant[] = table.constants.map((row) => ({
  key: row.key,
  name: row.name,
  letters: row.letters,
  value: Number(row.value),
  text: row.value,
  unit: row.unit,
  dimension: parseUnit(row.unit).dimension,
  uncertainty: row.uncertainty,
  exact: row.exact,
  source: row.source,
}))

const byKey = new Map(CONSTANTS.map((it) => [it.key, it]))

/** The constant of exactly this key. @throws Fault CONSTANT_NOT_FOUND */
export const constantOf = (key: string): Constant => {
  const found = byKey.get(key)
  if (found === undefined) throw new Fault('CONSTANT_NOT_FOUND', `No constant has the key ${key.slice(0, 64)}.`)
  return found
}

/** The constants that go by a letter or name in books: `k` is Boltzmann's, `e` the elementary charge. */
export const constantsNamed = (letter: string): readonly Constant[] =>
  CONSTANTS.filter((it) => it.key === letter || it.letters.includes(letter))

/** `code.constants` of a claim: the digest of the whole table. */
export const constantsDigest: string = digest(purposes.constants, table)
