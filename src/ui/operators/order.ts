import { parseEquation } from '#numerics/operators/grammar.ts'
import type { RelationExample, RelationView } from './relation.ts'

/** What was typed into the form of a relation: the variable that is wanted, and the texts of the others. */
export interface Filled {
  readonly target: string
  readonly texts: Readonly<Record<string, string>>
}

/** What is asked of the node. */
export interface FormOrder {
  readonly operators: readonly string[]
  readonly inputs: Readonly<Record<string, string | number>>
  readonly solve_for?: string
}

/** A number as one; anything else, such as `5 km` or `5.0 ± 0.1`, as it was typed. */
const readInput = (text: string): string | number => (Number.isFinite(Number(text)) ? Number(text) : text)

const leftOf = (equation: string): string | undefined => {
  try {
    const { left } = parseEquation(equation)
    return left.kind === 'symbol' ? left.name : undefined
  } catch {
    return undefined
  }
}

/** The variable that a relation gives when nothing is said. */
export const outputOf = ({ equation, solves_for: symbols }: Pick<RelationView, 'equation' | 'solves_for'>): string => {
  const left = leftOf(equation)
  return left !== undefined && symbols.includes(left) ? left : (symbols[0] ?? '')
}

const valueText = ({ value, unit }: RelationExample, own: string | undefined): string =>
  unit === own || unit === '1' ? String(value) : `${value} ${unit}`

/**
 * The form filled with the worked example.
 *
 * @param target the variable that is wanted; the example's own unless said.
 */
export const filledWith = ({ variables, example, ...row }: RelationView, target?: string): Filled => {
  if (example === null) return { target: target ?? outputOf(row), texts: {} }
  const { inputs, output } = example
  const given = Object.entries(inputs).map(([symbol, value]) => [symbol, String(value)] as const)
  return {
    target: target ?? output,
    texts: { ...Object.fromEntries(given), [output]: valueText(example, variables[output]?.unit) },
  }
}

/** Variables that have to be given and stand empty. */
export const emptyOf = ({ variables }: RelationView, { target, texts }: Filled): readonly string[] =>
  Object.keys(variables).filter((symbol) => symbol !== target && (texts[symbol] ?? '').trim() === '')

/** The call that a form stands for. */
export const orderOf = (detail: RelationView, { target, texts }: Filled): FormOrder => {
  const given = Object.keys(detail.variables).filter((it) => it !== target && (texts[it] ?? '').trim() !== '')
  return {
    operators: [detail.id],
    inputs: Object.fromEntries(given.map((symbol) => [symbol, readInput((texts[symbol] ?? '').trim())])),
    ...(target !== outputOf(detail) && { solve_for: target }),
  }
}
