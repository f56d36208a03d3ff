import { Fault } from '#core/fault.ts'
import { isCoherent, parseUnit, type Unit } from '#core/units.ts'
import { constantOf } from './constants.ts'
import { requireBalance } from './dimensions.ts'
import { countSymbol, type Equation, parseEquation, walk } from './grammar.ts'
import type { OperatorRow, Variable } from './operator.ts'
import { conditionOf, type ParsedRequirement } from './requires.ts'

/** A variable with its unit read. */
export interface Quantity extends Variable {
  readonly symbol: string
  readonly of: Unit
}

/** A row's equation, parsed and checked. */
export interface ParsedRelation {
  readonly row: OperatorRow
  readonly equation: Equation
  readonly quantities: ReadonlyMap<string, Quantity>
  /** Keys of the constants in the equation, sorted. */
  readonly constants: readonly string[]
  /** What is computed unless another unknown is named: the lone symbol on the left, else the first of `solves_for`. */
  readonly output: string
  /** What its variables must fulfil together. */
  readonly requires: readonly ParsedRequirement[]
}

const refuse = (row: OperatorRow, why: string): never => {
  throw new Fault('INVALID_INPUT', `Operator row ${row.id}: ${why}`, { row: row.id })
}

const quantityOf = (row: OperatorRow, symbol: string, variable: Variable): Quantity => {
  const of = parseUnit(variable.unit)
  if (!isCoherent(of)) refuse(row, `${symbol} is in ${variable.unit}; a row's units are coherent SI units.`)
  return { ...variable, symbol, of }
}

/**
 * Reads a row's relation: it parses, uses every variable and no other, knows its constants, and balances.
 *
 * @throws Fault INVALID_INPUT, DIMENSION_MISMATCH, CONSTANT_NOT_FOUND naming the row.
 */
export const relationOf = (row: OperatorRow): ParsedRelation => {
  const equation = parseEquation(row.equation)
  const quantities = new Map(Object.entries(row.variables).map(([symbol, it]) => [symbol, quantityOf(row, symbol, it)]))
  const symbols = new Set<string>()
  const constants = new Set<string>()
  for (const side of [equation.left, equation.right]) {
    walk(side, (part) => {
      if (part.kind === 'symbol') symbols.add(part.name)
      if (part.kind === 'constant') constants.add(constantOf(part.name).key)
    })
  }
  for (const symbol of symbols) if (!quantities.has(symbol)) refuse(row, `${symbol} stands in the equation alone.`)
  for (const symbol of quantities.keys()) if (!symbols.has(symbol)) refuse(row, `${symbol} is not in the equation.`)
  const dimensions = new Map([...quantities].map(([symbol, it]) => [symbol, it.of.dimension]))
  requireBalance(equation, dimensions)
  const requires = (row.requires ?? []).map((it) => conditionOf(it, dimensions))
  for (const it of requires) if (it.symbols.length === 0) refuse(row, `${it.holds} is about no variable.`)
  const { left } = equation
  const direct = left.kind === 'symbol' && countSymbol(equation.right, left.name) === 0 ? left.name : undefined
  const output = direct !== undefined && row.solves_for.includes(direct) ? direct : row.solves_for[0]
  if (output === undefined) return refuse(row, 'it solves for nothing.')
  return { row, equation, quantities, constants: [...constants].sort(), output, requires }
}
