import { type FormField, inputOf, keyOf, readField, type Typed } from '#ui/form/schema.ts'
import type { SweepRun } from './use-sweep.ts'

/** Runs of one sweep. */
export const SWEEP_POINTS_MAX = 12
export const SWEEP_POINTS_MIN = 2

/** What is typed of a sweep. */
export interface SweepTerms {
  readonly key: string
  readonly from: string
  readonly to: string
  readonly points: string
  /** The figure that is drawn, by its path; the first that can be, unless said. */
  readonly member?: string
}

/** The member of an address that carries a sweep: no input of a solver is called so. */
export const VARY = 'vary'

/** Runs of a sweep whose count is not said. */
export const SWEEP_POINTS = 10

/** A sweep as an address carries it: `K,91,109,10`, with the figure behind it where one was chosen. */
export const sweepText = ({ key, from, to, points, member }: SweepTerms): string =>
  [key, from, to, points, ...(member === undefined ? [] : [member])].join(',')

/** The same the other way; undefined where it names no input. */
export const sweepIn = (text: string | undefined): SweepTerms | undefined => {
  const [key = '', from = '', to = '', points = String(SWEEP_POINTS), member] = text?.split(',') ?? []
  return key === '' ? undefined : { key, from, to, points, ...(member !== undefined && { member }) }
}

const NUMBER = String.raw`[+−-]?\d*\.?\d+(?:e[+-]?\d+)?`
/** `91..109`, `91 to 109`, `91 … 109 in 10`. */
const RANGE = new RegExp(String.raw`^\s*(${NUMBER})\s*(?:\.{2,3}|…|to)\s*(${NUMBER})\s*(?:in\s+(\d+))?\s*$`, 'iu')

/** A range that was typed where one number is meant: the sweep that it stands for. */
export const rangeIn = (field: FormField, text: string): SweepTerms | undefined => {
  if (field.kind !== 'number' && field.kind !== 'integer') return undefined
  const [, from, to, points = String(SWEEP_POINTS)] = RANGE.exec(text) ?? []
  if (from === undefined || to === undefined) return undefined
  return [from, to].some((it) => 'problem' in readField(field, it))
    ? undefined
    : { key: keyOf(field), from, to, points }
}

/** Numeric inputs: those that can be varied. */
export const variableFields = (fields: readonly FormField[]): readonly FormField[] =>
  fields.filter(({ kind }) => kind === 'number' || kind === 'integer')

/** Ratio of the ends, both positive, from which on the steps between them are factors. */
const FACTOR_MIN = 100

/** Significant digits of a number between the ends: enough to tell it, few enough to read it. */
const DIGITS = 6

const between = (from: number, to: number, share: number): number => {
  const factors = from > 0 && to > 0 && Math.max(to / from, from / to) >= FACTOR_MIN
  return factors ? from * Math.exp(Math.log(to / from) * share) : from + (to - from) * share
}

const numbersBetween = (from: number, to: number, points: number, whole: boolean): readonly number[] => {
  const numbers = Array.from({ length: points }, (_, i) => {
    if (i === 0) return from
    if (i === points - 1) return to
    const number = between(from, to, i / (points - 1))
    return whole ? Math.round(number) : Number(number.toPrecision(DIGITS))
  })
  return [...new Set(numbers)]
}

/** The runs that a sweep stands for, or why it stands for none. */
export const sweepRuns = (
  fields: readonly FormField[],
  typed: Typed,
  { key, from, to, points }: SweepTerms,
): { readonly runs: readonly SweepRun[]; readonly wrong?: string } => {
  const field = fields.find((it) => keyOf(it) === key)
  if (field === undefined) return { runs: [], wrong: 'Choose an input.' }
  const ends = [readField(field, from), readField(field, to)]
  for (const [i, end] of ends.entries()) {
    if ('problem' in end) return { runs: [], wrong: `${i === 0 ? 'From' : 'To'}: ${end.problem}` }
  }
  const [low, high] = ends.map((it) => ('value' in it ? Number(it.value) : Number.NaN)) as [number, number]
  const count = Number(points)
  if (!Number.isInteger(count) || count < SWEEP_POINTS_MIN || count > SWEEP_POINTS_MAX) {
    return { runs: [], wrong: `Points: ${SWEEP_POINTS_MIN} to ${SWEEP_POINTS_MAX}.` }
  }
  if (low === high) return { runs: [], wrong: 'From and to are the same.' }
  const numbers = numbersBetween(low, high, count, field.kind === 'integer')
  return { runs: numbers.map((x) => ({ x, input: inputOf(fields, { ...typed, [key]: String(x) }).input })) }
}
