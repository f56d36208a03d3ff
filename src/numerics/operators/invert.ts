import { Fault } from '#core/fault.ts'
import { evaluate, type Values } from './evaluate.ts'
import type { Equation } from './grammar.ts'
import { isolate } from './isolate.ts'
import { measureRoot, type RootMeasure, residualOf } from './measure.ts'
import type { PreciseValues } from './precise.ts'
import type { Quantity } from './relation.ts'
import { failedCondition, type ParsedRequirement, refuseCondition } from './requires.ts'
import { rootsIn, type SearchInterval } from './roots.ts'

/** A solved-for value, the way it was found, and what its check measured. */
export interface Root {
  readonly value: number
  readonly method: 'isolated' | 'root'
  readonly measure: RootMeasure
}

/** The root that is meant, and what else satisfies the relation, ascending. */
export interface TakenRoot extends Root {
  readonly others: readonly number[]
}

/** The unknown of an equation and everything else in it. */
export interface Inversion {
  readonly operator: string
  readonly equation: Equation
  readonly unknown: Quantity
  readonly values: Values
  readonly precise: PreciseValues
  readonly bracket: readonly [number, number] | undefined
  /** The conditions in which the unknown stands. */
  readonly requires?: readonly ParsedRequirement[]
}

/** Roots listed in a refusal. */
const LISTED_MAX = 16
/** Relative distance at which two roots count as one. */
const SAME = 1e-12
/** The same of a root beside the one taken, and how exactly it satisfies the relation: it is shown, not sealed. */
const SAME_BRANCH = 1e-9
/** Relative distance from an integer at which an unknown that is one is taken for it. */
const INTEGER_SLACK = 1e-9

const intervalOf = ({ unknown, bracket }: Inversion): SearchInterval => {
  const least = unknown.min ?? (unknown.positive ? 0 : Number.NEGATIVE_INFINITY)
  const most = unknown.max ?? Number.POSITIVE_INFINITY
  return { min: Math.max(least, bracket?.[0] ?? least), max: Math.min(most, bracket?.[1] ?? most) }
}

const nearInteger = (x: number): number => {
  const whole = Math.floor(x + 0.5)
  return Math.abs(x - whole) <= INTEGER_SLACK * Math.max(1, Math.abs(x)) ? whole : Number.NaN
}

const distinct = (values: readonly number[]): readonly number[] => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted.filter((it, i) => i === 0 || Math.abs(it - (sorted[i - 1] ?? it)) > SAME * Math.abs(it))
}

const refuse = (code: 'ILL_POSED' | 'AMBIGUOUS_INPUT', it: Inversion, why: string, roots: readonly number[]): never => {
  const { symbol, name, unit } = it.unknown
  throw new Fault(code, `${it.operator}: ${why}`, {
    operator: it.operator,
    solve_for: { symbol, name, unit },
    roots: roots
      .filter(Number.isFinite)
      .sort((a, b) => Math.abs(a) - Math.abs(b))
      .slice(0, LISTED_MAX),
    range: { min: it.unknown.min ?? null, max: it.unknown.max ?? null, positive: it.unknown.positive ?? false },
  })
}

/** Both sides of the relation in doubles at a value of the unknown. */
const sidesOf = ({ equation, unknown, values }: Inversion): ((x: number) => readonly [number, number]) => {
  const at = new Map(values)
  return (x) => {
    at.set(unknown.symbol, x)
    return [evaluate(equation.left, at), evaluate(equation.right, at)]
  }
}

const searched = (it: Inversion, within: SearchInterval): readonly number[] => {
  const sides = sidesOf(it)
  return rootsIn((x) => {
    const [left, right] = sides(x)
    return left - right
  }, within)
}

const candidatesOf = (it: Inversion, within: SearchInterval): { values: readonly number[]; method: Root['method'] } => {
  const isolated = isolate(it.equation, it.unknown.symbol, it.values)
  if (isolated !== undefined) return { values: isolated, method: 'isolated' }
  return { values: searched(it, within), method: 'root' }
}

/**
 * What satisfies the relation beside the root that was taken. Undoing the equation finds all branches, wherever they
 * lie; a search sees the range alone, so it is made again without the bracket.
 */
const othersOf = (it: Inversion, taken: Root, found: readonly number[]): readonly number[] => {
  const open = it.bracket !== undefined && taken.method === 'root'
  const all = open ? searched(it, intervalOf({ ...it, bracket: undefined })) : found
  const sides = sidesOf(it)
  const isOther = (x: number): boolean => {
    if (!Number.isFinite(x) || Math.abs(x - taken.value) <= SAME_BRANCH * Math.abs(taken.value)) return false
    const [left, right] = sides(x)
    return Math.abs(left - right) <= SAME_BRANCH * Math.max(Math.abs(left), Math.abs(right))
  }
  const near = [...distinct(all.filter(isOther))].sort((a, b) => Math.abs(a - taken.value) - Math.abs(b - taken.value))
  return near.slice(0, LISTED_MAX).sort((a, b) => a - b)
}

/** The roots that fulfil every condition. @throws Fault OUT_OF_RANGE when there are roots and none does. */
const lawful = (it: Inversion, roots: readonly Root[]): readonly Root[] => {
  const { requires = [], operator, unknown } = it
  const at = (value: number): Values => new Map([...it.values, [unknown.symbol, value]])
  const kept = roots.filter(({ value }) => failedCondition(requires, at(value)) === undefined)
  const [first] = roots
  if (first === undefined || kept.length > 0) return kept
  const failed = failedCondition(requires, at(first.value))
  return failed === undefined ? kept : refuseCondition(operator, failed, at(first.value))
}

/** Of several roots, where the caller gave no bracket, the one in the part of the range that is meant; else all. */
const meant = ({ unknown, bracket }: Inversion, roots: readonly Root[]): readonly Root[] => {
  const { principal } = unknown
  if (roots.length < 2 || bracket !== undefined || principal === undefined) return roots
  const inside = roots.filter(({ value }) => value >= principal[0] && value <= principal[1])
  return inside.length === 1 ? inside : roots
}

/**
 * Solves an equation for one unknown. A root must lie in the variable's range (and in the bracket), be an integer where
 * the variable is one, show a sign change at 50 digits, which measures its error and drops spurious branches, and
 * fulfil the conditions of the relation. Of several the one in the variable's principal part is meant.
 *
 * @throws Fault AMBIGUOUS_INPUT listing the roots when several remain; ILL_POSED when none does; OUT_OF_RANGE when
 *   every root fails a condition.
 */
export const invert = (it: Inversion): TakenRoot => {
  const { unknown } = it
  const within = intervalOf(it)
  const found = candidatesOf(it, within)
  const real = unknown.integer ? found.values.map(nearInteger) : found.values
  const f = residualOf(it.equation, unknown.symbol, it.precise)
  const inside = distinct(real.filter(Number.isFinite)).filter(
    (value) => value >= within.min && value <= within.max && !(unknown.positive && value <= 0),
  )
  const solved = inside.flatMap((value): readonly Root[] => {
    const measure = measureRoot(f, value)
    return measure === undefined ? [] : [{ value: value + 0, method: found.method, measure }]
  })
  const roots = meant(it, lawful(it, solved))
  const [root, another] = roots
  if (another !== undefined) {
    const values = roots.map(({ value }) => value)
    return refuse('AMBIGUOUS_INPUT', it, `${unknown.symbol} has several roots; give a bracket that holds one.`, values)
  }
  if (root !== undefined) return { ...root, others: othersOf(it, root, found.values) }
  if (inside.length > 0) {
    const why = `the relation does not change sign where ${unknown.symbol} should lie: its error has no measure.`
    return refuse('ILL_POSED', it, why, inside)
  }
  const kind = unknown.integer ? 'integer' : 'value'
  return refuse('ILL_POSED', it, `no ${kind} of ${unknown.symbol} in its range satisfies the relation.`, found.values)
}
