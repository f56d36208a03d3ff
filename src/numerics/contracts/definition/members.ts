import { parseUnit } from '#core/units.ts'
import { isWord } from '#numerics/contracts/language/grammar.ts'
import type { Measure } from '#numerics/contracts/language/measures.ts'
import { BROKEN, type Type } from '#numerics/contracts/language/types.ts'
import { heard, type Sheet } from './faults.ts'
import { type JsonPart, own } from './pieces.ts'

/** A member of a context, of an event's data or an oracle, as far as it could be read. */
export interface Declared {
  readonly type?: 'number' | 'integer' | 'boolean' | 'text' | 'choice'
  readonly unit?: string
  readonly min?: number
  readonly max?: number
  readonly chars?: number
  readonly of?: readonly string[]
  readonly nullable?: boolean
}

/** Names that no expression could read, or that stand for something else. */
const TAKEN: ReadonlySet<string> = new Set(['kind'])

/** Complains of a name that a member cannot have. */
export const inspectMemberName = (sheet: Sheet, name: string, path: string): void => {
  if (isWord(name)) sheet.add(path, `${name} is a word of expressions, and no name`)
  if (TAKEN.has(name)) sheet.add(path, `${name} is what an action says of itself, and no name`)
}

const measureOf = (sheet: Sheet, unit: string | undefined, path: string): Measure | null => {
  if (unit === undefined) return undefined
  return heard(sheet, `${path}/unit`, () => parseUnit(unit)) ?? null
}

const isNumeric = ({ type }: Declared): boolean => type === 'number' || type === 'integer'

/** What expressions see of a member. */
export const typeOfMember = (sheet: Sheet, it: Declared | undefined, path: string): Type => {
  if (it?.type === undefined) return BROKEN
  const { min, max, nullable = false } = it
  if (min !== undefined && max !== undefined && min > max) sheet.add(`${path}/min`, `is above max, ${max}`)
  if (isNumeric(it)) {
    const unit = measureOf(sheet, it.unit, path)
    return unit === null ? BROKEN : { kind: 'number', unit, nullable }
  }
  if (it.type === 'choice') return it.of === undefined ? BROKEN : { kind: 'text', of: it.of, nullable }
  return it.type === 'boolean' ? { kind: 'boolean', nullable } : { kind: 'text', nullable }
}

/** Code points of a text. */
const lengthOf = (text: string): number => [...text].length

/** Why a value cannot stand in a member, or undefined where it can: nothing is clamped, cut or converted. */
export const unfit = (it: Declared, value: unknown): string | undefined => {
  const { type, min = -Infinity, max = Infinity, chars = Infinity, of = [], nullable = false } = it
  if (value === null) return nullable ? undefined : 'is null, and the member is not nullable'
  switch (type) {
    case 'number':
    case 'integer':
      if (typeof value !== 'number' || !Number.isFinite(value)) return `is no ${type}`
      if (type === 'integer' && !Number.isSafeInteger(value)) return 'is no whole number within ±(2^53 − 1)'
      return value >= min && value <= max ? undefined : `is outside its range, ${min} to ${max}`
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'is no boolean'
    case 'text':
      if (typeof value !== 'string') return 'is no text'
      return lengthOf(value) <= chars ? undefined : `is longer than ${chars} characters`
    case 'choice':
      return typeof value === 'string' && of.includes(value) ? undefined : `is none of ${of.join(', ')}`
    default:
      return undefined
  }
}

/** Complains of an initial value that is not one of its member. */
export const inspectInitial = (
  sheet: Sheet,
  it: Declared,
  given: { readonly value: unknown; readonly path: string },
): void => {
  const initial = own(given.value as JsonPart, 'initial')
  const why = initial === undefined ? undefined : unfit(it, initial)
  if (why !== undefined) sheet.add(`${given.path}/initial`, why)
}
