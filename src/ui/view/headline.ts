import { type FormSchema, withoutNull } from '#ui/form/schema.ts'
import type { JobAnswer } from '#ui/server/answer.ts'
import type { ShownSolver } from '#ui/server/solver.ts'
import { headText, withUnit } from '#ui/text/numbers.ts'

/** A figure that is read first: what it is called, its number or word, and its unit. */
export interface HeadFigure {
  readonly member: string
  readonly label: string
  readonly value: number | string | boolean
  readonly unit: string
}

/** The schema of a member, through objects and lists. */
const schemaAt = (schema: FormSchema, path: readonly string[]): FormSchema | undefined =>
  path.reduce<FormSchema | undefined>((at, name) => {
    const plain = at === undefined ? undefined : withoutNull(at)
    // A place in a series has the unit that the whole has.
    return plain?.properties?.[name] ?? (plain?.items !== undefined ? { ...plain, ...plain.items } : plain)
  }, schema)

const valueAt = (answer: JobAnswer, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[name] : undefined),
    answer,
  )

/** The unit of a figure of the output, by its path. */
export const figureUnit = ({ output, unit }: ShownSolver, member: string): string =>
  member === 'value' ? unit : (withoutNull(schemaAt(output, member.split('.')) ?? {})['x-unit'] ?? '')

const isFigure = (value: unknown): value is HeadFigure['value'] =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'

/** Whether a figure is a number in whatever mode gives it: such a one can be drawn. */
export const isNumber = ({ output }: ShownSolver, member: string): boolean => {
  const { type } = withoutNull(schemaAt(output, member.split('.')) ?? {})
  return type === 'number' || type === 'integer'
}

/** A figure as it is read at a glance. */
export const glance = ({ value, unit }: Pick<HeadFigure, 'value' | 'unit'>): string => {
  if (typeof value === 'number') return withUnit(headText(value), unit)
  return typeof value === 'string' ? value : value ? 'yes' : 'no'
}

/** What a practitioner reads first of an answer; what its mode leaves out is not there. */
export const headlineOf = (solver: ShownSolver, answer: JobAnswer): readonly HeadFigure[] =>
  solver.guide.headline.flatMap(({ member, label }) => {
    const value = valueAt(answer, member.split('.'))
    return isFigure(value) ? [{ member, label, value, unit: figureUnit(solver, member) }] : []
  })

/** One figure of an answer by its path; `value` is the sealed one. */
export const numberAt = (answer: JobAnswer, member: string): number | null => {
  const value = valueAt(answer, member.split('.'))
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
