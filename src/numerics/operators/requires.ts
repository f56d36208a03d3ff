import { Fault } from '#core/fault.ts'
import { type Dimensions, requireBalance } from './dimensions.ts'
import { evaluate, type Values } from './evaluate.ts'
import { type Comparing, type Comparison, parseComparison, walk } from './grammar.ts'
import type { Requirement } from './operator.ts'

/** A requirement of a row, parsed. */
export interface ParsedRequirement extends Requirement, Comparing {
  /** The variables in it, each once. */
  readonly symbols: readonly string[]
}

/**
 * Reads one condition of a row: it parses, its symbols are variables, its two sides have one dimension.
 *
 * @throws Fault INVALID_INPUT, DIMENSION_MISMATCH, CONSTANT_NOT_FOUND
 */
export const conditionOf = (it: Requirement, dimensions: Dimensions): ParsedRequirement => {
  const comparing = parseComparison(it.holds)
  requireBalance(comparing, dimensions)
  const symbols = new Set<string>()
  for (const side of [comparing.left, comparing.right]) {
    walk(side, (part) => {
      if (part.kind === 'symbol') symbols.add(part.name)
    })
  }
  return { ...it, ...comparing, symbols: [...symbols] }
}

/** Whether two values stand to each other as said; a side that is not a finite number stands to nothing. */
export const compares = (sign: Comparison, left: number, right: number): boolean => {
  if (!Number.isFinite(left) || !Number.isFinite(right)) return false
  switch (sign) {
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    case '>=':
      return left >= right
    case '!=':
      return left !== right
  }
}

/** The first condition that values do not fulfil, in doubles. */
export const failedCondition = (
  conditions: readonly ParsedRequirement[],
  values: Values,
): ParsedRequirement | undefined =>
  conditions.find(({ sign, left, right }) => !compares(sign, evaluate(left, values), evaluate(right, values)))

/**
 * Refuses values by the condition that they fail.
 *
 * @throws Fault OUT_OF_RANGE with the condition and what stands in it.
 */
export const refuseCondition = (
  operator: string,
  { holds, why, symbols }: ParsedRequirement,
  values: Values,
): never => {
  const shown = symbols.map((symbol) => [symbol, values.get(symbol) ?? null] as const)
  const at = shown.map(([symbol, value]) => `${symbol} = ${value}`).join(', ')
  throw new Fault(
    'OUT_OF_RANGE',
    `${operator}: it holds where ${holds}${why === undefined ? '' : `: ${why}`}; ${at}.`,
    {
      operator,
      condition: holds,
      why: why ?? null,
      values: Object.fromEntries(shown),
    },
  )
}
