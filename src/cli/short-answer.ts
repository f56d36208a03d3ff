import type { ResultOf } from '#api/result-of.ts'
import { answersOf, propagatedOf, quantity } from './answer.ts'
import { pick } from './describe.ts'
import { shares, short, unitOf } from './propagated.ts'
import type { ComputeAnswer } from './run-job.ts'
import { namedRows } from './wrap.ts'

/** Figures of what is told beside the value; the answer of `--json` has all. */
const FIGURES = 6
/** Figures of a value: two more than its error leaves, within these. */
const VALUE_FIGURES_MIN = 4
const VALUE_FIGURES_MAX = 10
/** Figures of an error. */
const ERROR_FIGURES = 2
/** Figures shown beside the value. */
const HEADLINE_MAX = 5

/** What a solver says of its answers, as far as it is read here. */
export type SolverCard = Pick<ResultOf<'compute.solver'>, 'name' | 'input' | 'output'> &
  // A node of an earlier release has no guide.
  Partial<Pick<ResultOf<'compute.solver'>, 'guide'>>

/** What a short answer is told from, beside the answer. */
export interface ShortOptions {
  /** Address of the node that sealed it. */
  readonly url: string
  readonly solver: SolverCard | undefined
  /** What opens the receipt to whoever has its link, where it is nobody's own. */
  readonly nonce?: string
  /** Columns of the terminal, where there is one. */
  readonly columns: number | undefined
}

interface Described {
  readonly anyOf?: readonly Described[]
  readonly items?: Described
  readonly properties?: Readonly<Record<string, Described>>
  readonly 'x-unit'?: string
}

const membersOf = (schema: unknown): Readonly<Record<string, Described>> => (schema as Described).properties ?? {}

const formsOf = (it: Described): readonly Described[] => [it, ...(it.anyOf ?? []).flatMap(formsOf)]

/** The unit of the member under a name with dots. */
const unitAt = (schema: unknown, path: string): string | undefined => {
  let at = formsOf(schema as Described)
  for (const name of path.split('.')) {
    at = at.flatMap(({ properties, items }) => [properties?.[name] ?? [], items ?? []].flat().flatMap(formsOf))
  }
  return at.find((it) => it['x-unit'] !== undefined)?.['x-unit']
}

/** A number in a few figures; a whole one, which counts, stays as it is. */
const figures = (value: number, digits: number): string =>
  Number.isSafeInteger(value) ? String(value) : short(value, digits)

/** Figures that an error in percent leaves meaningful. */
const meaningful = (errorPct: number): number => {
  const digits = errorPct > 0 ? 2 + Math.ceil(-Math.log10(errorPct / 100)) : VALUE_FIGURES_MAX
  return Math.min(VALUE_FIGURES_MAX, Math.max(VALUE_FIGURES_MIN, digits))
}

/** The places behind the point that an uncertainty of two figures has. */
const placesOf = (uncertainty: number): number =>
  Math.min(20, Math.max(0, ERROR_FIGURES - 1 - Math.floor(Math.log10(uncertainty))))

type Propagated = NonNullable<ReturnType<typeof propagatedOf>>

/** A value and what the uncertainties of its inputs make of it, to the same place. */
const withUncertainty = (value: number, it: Propagated): string => {
  const { standard_uncertainty: size } = it
  const plain = size > 1e-9 && Math.abs(value) < 1e15
  const [about, spread] = plain
    ? [value.toFixed(placesOf(size)), size.toFixed(placesOf(size))]
    : [short(value, VALUE_FIGURES_MAX), short(size, ERROR_FIGURES)]
  const from = shares(it)
  return `${about} ± ${spread}${unitOf(it.unit)} (${from === '' ? 'from the inputs' : `because of ${from}`})`
}

const valueText = (answer: ComputeAnswer): string => {
  const { value, unit, check } = answer
  const propagated = propagatedOf(answer)
  if (typeof value !== 'number') return quantity(value, unit)
  if (propagated !== undefined && propagated.standard_uncertainty > 0) return withUncertainty(value, propagated)
  const measured = check?.measured
  if (typeof measured !== 'number') return quantity(figures(value, VALUE_FIGURES_MAX), unit)
  return `${quantity(figures(value, meaningful(measured)), unit)} ± ${short(measured, ERROR_FIGURES)} %`
}

/** `peakInfectious` in words. */
const worded = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()

/** A text, a number, yes or no; whatever else an answer has is for programs. */
const told = (value: unknown, unit: string | undefined): string | undefined => {
  if (typeof value === 'number') return quantity(figures(value, FIGURES), unit)
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined
}

/** Members that say how the run went, or repeat its value. */
const ofTheRun = /Pct$|^(?:precisionActual|uncertainty|d[xyt])$/

/** The numbers of an answer that are no input said again, where its solver names no others. */
const plainFigures = (answer: ComputeAnswer, { input, output }: SolverCard): readonly (readonly [string, string])[] =>
  Object.keys(membersOf(output)).flatMap((member) => {
    const value = answer[member]
    const repeats = Object.hasOwn(membersOf(input), member) || ofTheRun.test(member) || value === answer.value
    const text = repeats || typeof value !== 'number' ? undefined : told(value, unitAt(output, member))
    return text === undefined ? [] : [[worded(member), text] as const]
  })

/** The figures that a practitioner looks at first, at most five. */
const headline = (answer: ComputeAnswer, solver: SolverCard): readonly (readonly [string, string])[] => {
  const named = solver.guide?.headline ?? []
  if (named.length === 0) return plainFigures(answer, solver).slice(0, HEADLINE_MAX)
  const shown = named.flatMap(({ member, label }) => {
    const text = told(pick(answer, member), unitAt(solver.output, member))
    return text === undefined ? [] : [[label, text] as const]
  })
  return shown.slice(0, HEADLINE_MAX)
}

/** The short form of an answer: value and error, a few figures, what it was held against, where its receipt is. */
export const shortAnswer = (answer: ComputeAnswer, { url, solver, columns, nonce }: ShortOptions): string => {
  const { check, envelope } = answer
  const rows: (readonly [string, string])[] = [['value', valueText(answer)]]
  const answers = answersOf(answer)
  if (answers !== undefined) rows.push(['answers', answers])
  if (solver !== undefined) rows.push(...headline(answer, solver))
  if (typeof answer['operator_id'] === 'string') rows.push(['operator', answer['operator_id']])
  if (check !== undefined && check !== null) {
    rows.push(['checked', `error ${short(check.measured, ERROR_FIGURES)} %, against ${check.against}`])
  }
  if (envelope === undefined || envelope === null) return namedRows([...rows, ['receipt', 'none']], columns)
  const { token_id, face_value, funding } = envelope
  const link = new URL(`/r/${token_id}${nonce === undefined ? '' : `#${nonce}`}`, url).href
  rows.push(['receipt', link], ['price', `${face_value} credits, ${funding}`])
  return namedRows(rows, columns)
}
