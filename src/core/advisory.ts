import Type from 'typebox'
import type { Json } from './canonical.ts'
import type { Claim } from './claim.ts'
import { Fault } from './fault.ts'
import { fullInput } from './input.ts'
import { closed } from './schema.ts'

/**
 * What was found wrong after it was sealed: a list that every verifier has with it, so that a receipt of a revision
 * that was wrong for its inputs is not called verified (protocols/wire/advisories.md).
 */

/** A condition on the inputs of a claim. `member` has dots between the names. */
export type AdvisoryCondition =
  | { readonly always: true }
  | { readonly member: string; readonly is: string | number | boolean | null }
  | { readonly member: string; readonly above: number }
  | { readonly member: string; readonly below: number }
  | { readonly member: string; readonly longer: number }
  | { readonly member: string; readonly missing: true }
  | { readonly all: readonly AdvisoryCondition[] }
  | { readonly any: readonly AdvisoryCondition[] }
  | { readonly not: AdvisoryCondition }

/** One thing that is known to be wrong. */
export interface Advisory {
  readonly id: string
  readonly solver: string
  /** Revisions of it that are wrong. */
  readonly revisions: readonly number[]
  readonly where: AdvisoryCondition
  /** What is wrong, and by how much, in words. */
  readonly says: string
  readonly off: string
  /** name@revision that is right; null while there is none. */
  readonly successor: string | null
  /** Mesh tick at which it became known. */
  readonly tick: number
}

/** Conditions within conditions, at most; and parts of one. */
const DEPTH_MAX = 8
const PARTS_MAX = 32
const TEXT_MAX = 500
const ROWS_MAX = 1_000

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const memberOf = (inputs: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((so, name) => (isMembers(so) && Object.hasOwn(so, name) ? so[name] : undefined), inputs)

/** Whether inputs meet a condition; a member that is not there meets none but `missing`. */
export const meets = (condition: AdvisoryCondition, inputs: Json): boolean => {
  if ('all' in condition) return condition.all.every((part) => meets(part, inputs))
  if ('any' in condition) return condition.any.some((part) => meets(part, inputs))
  if ('not' in condition) return !meets(condition.not, inputs)
  if ('always' in condition) return true
  const found = memberOf(inputs, condition.member)
  if ('missing' in condition) return found === undefined
  if ('is' in condition) return found === condition.is
  if ('longer' in condition) return Array.isArray(found) && found.length > condition.longer
  if (typeof found !== 'number') return false
  return 'above' in condition ? found > condition.above : found < condition.below
}

const refuse = (id: string, why: string): never => {
  throw new Fault('INVALID_INPUT', `advisory ${id}: ${why}`)
}

const memberForm = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*){0,7}$/

/** What a test of a member is held against, by its name. */
const operands: Readonly<Record<string, (value: unknown) => boolean>> = {
  is: (it) => it === null || typeof it === 'string' || typeof it === 'boolean' || Number.isFinite(it),
  above: Number.isFinite,
  below: Number.isFinite,
  longer: (it) => Number.isSafeInteger(it) && Number(it) >= 0,
  missing: (it) => it === true,
}

const readParts = (id: string, parts: unknown, depth: number): void => {
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > PARTS_MAX) {
    return refuse(id, `all and any take 1 to ${PARTS_MAX} conditions.`)
  }
  for (const part of parts) readCondition(id, part, depth + 1)
}

/** @throws Fault INVALID_INPUT for what is no condition. */
const readCondition = (id: string, value: unknown, depth = 0): void => {
  if (depth > DEPTH_MAX) return refuse(id, `conditions are nested more than ${DEPTH_MAX} deep.`)
  if (!isMembers(value)) return refuse(id, 'a condition is an object.')
  const names = Object.keys(value).sort()
  const [only] = names
  if (names.length === 1 && (only === 'all' || only === 'any')) return readParts(id, value[only], depth)
  if (names.length === 1 && only === 'not') return readCondition(id, value['not'], depth + 1)
  if (names.length === 1 && only === 'always' && value['always'] === true) return undefined
  const test = names.find((name) => name !== 'member')
  const fits =
    names.length === 2 &&
    typeof value['member'] === 'string' &&
    memberForm.test(value['member']) &&
    test !== undefined &&
    Object.hasOwn(operands, test) &&
    operands[test]?.(value[test]) === true
  if (!fits) return refuse(id, `{${names.join(', ')}} is no condition.`)
}

const words = () => Type.String({ minLength: 1, maxLength: TEXT_MAX })

const form = closed({
  id: Type.String({ pattern: '^TM-[0-9]{4}-[0-9]{1,4}$' }),
  solver: Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' }),
  revisions: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 100 }),
  where: Type.Record(Type.String(), Type.Unknown()),
  says: words(),
  off: words(),
  successor: Type.Union([Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}@[1-9][0-9]{0,3}$' }), Type.Null()]),
  tick: Type.Integer({ minimum: 0 }),
})

/**
 * Reads a list of advisories.
 *
 * @throws Fault INVALID_INPUT for a row that is none, an id that stands twice, a successor that is itself wrong.
 */
export const readAdvisories = (value: unknown): readonly Advisory[] => {
  if (!Array.isArray(value) || value.length > ROWS_MAX) return refuse('list', `is a list of at most ${ROWS_MAX} rows.`)
  const rows = value.map((row: unknown, at): Advisory => {
    const id = isMembers(row) && typeof row['id'] === 'string' ? row['id'] : `${at}`
    const { where } = fullInput(form, row)
    readCondition(id, where)
    return row as Advisory
  })
  const seen = new Set<string>()
  for (const { id, solver, revisions, successor } of rows) {
    if (seen.has(id)) refuse(id, 'stands twice.')
    seen.add(id)
    const [name, revision] = successor?.split('@') ?? []
    if (successor === null) continue
    if (name !== solver || revisions.some((it) => it >= Number(revision))) {
      refuse(id, `${successor} does not come after ${revisions.join(', ')}.`)
    }
  }
  return rows
}

/** What of a list a claim on these inputs falls under. Without inputs: all that its revision may fall under. */
export const advisoriesOf = (
  { code }: Pick<Claim, 'code'>,
  inputs: Json | undefined,
  known: readonly Advisory[],
): readonly Advisory[] => {
  const [name, revision] = code.solver.split('@')
  return known.filter(
    ({ solver, revisions, where }) =>
      solver === name && revisions.includes(Number(revision)) && (inputs === undefined || meets(where, inputs)),
  )
}

/** An advisory as a sentence. */
export const advisoryText = ({ id, says, off, successor }: Advisory): string => {
  const instead = successor === null ? 'No later revision is right yet.' : `${successor} is right: compute it again.`
  return `${id}: ${says} The value is off by ${off}. ${instead}`
}
