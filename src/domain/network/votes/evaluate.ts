import { Fault } from '#core/fault.ts'
import { commensurable, parseUnit, toSi } from '#core/units.ts'
import type { ReferenceCase } from '#core/vote/documents.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { parseEquation } from '#numerics/operators/grammar.ts'
import {
  KERNEL_ID,
  type Operator,
  type OperatorRegistry,
  operatorOf,
  registryOf,
} from '#numerics/operators/registry.ts'
import { ERROR_PCT_MAX } from '#numerics/runtime/solver.ts'

/** Line and column of a character, each from 1. */
const placeIn = (text: string, position: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, position).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

/** Says where in the equation a refusal is about, if it says so. */
const located = (cause: unknown, equation: string): unknown => {
  if (!(cause instanceof Fault)) return cause
  const { position } = cause.details
  if (cause.code !== 'INVALID_INPUT' || typeof position !== 'number') return cause
  const { line, column } = placeIn(equation, position)
  const why = cause.message.replace(/^Expression, character \d+: /, '')
  const detail = `The equation does not parse, line ${line}, column ${column}: ${why}`
  return new Fault('INVALID_INPUT', detail, { ...cause.details, line, column })
}

/**
 * The proposed row, read and checked as one of the table is.
 *
 * @throws Fault INVALID_INPUT, with line and column where the equation does not parse; DIMENSION_MISMATCH,
 * CONSTANT_NOT_FOUND, RELATION_REFUSED
 */
export const proposedOperator = (registry: OperatorRegistry, row: unknown): Operator => {
  const operator = operatorOf(row)
  const { id, equation } = operator.row
  if (registry.has(id)) throw new Fault('INVALID_INPUT', `The table has an operator ${id} already.`, { operator: id })
  if (operator.row.refused === undefined) {
    try {
      parseEquation(equation)
    } catch (cause) {
      throw located(cause, equation)
    }
  }
  operator.relation()
  return operator
}

/** The larger of what a case is off and of the computation's own measured error, in percent; NaN where neither is. */
const errorOf = (registry: OperatorRegistry, id: string, it: ReferenceCase): number => {
  const found = computeOperators(registry, { operators: [id], inputs: it.inputs, solve_for: it.output })
  const unit = parseUnit(it.unit)
  if (!commensurable(unit, parseUnit(found.unit))) {
    throw new Fault('DIMENSION_MISMATCH', `${it.output} is in ${found.unit}, and the case says ${it.unit}.`)
  }
  const wanted = toSi(it.value, unit)
  const off =
    wanted === 0 ? (found.value === 0 ? 0 : Number.NaN) : (100 * Math.abs(found.value - wanted)) / Math.abs(wanted)
  return Number.isNaN(off) || Number.isNaN(found.precisionActual) ? Number.NaN : Math.max(off, found.precisionActual)
}

/**
 * Evaluates a proposed row in each of its cases.
 *
 * @returns the errors in percent, in the order of the cases.
 * @throws Fault PRECISION_NOT_MET {measured, case} for the first case that is not met to 0.1 %; what a computation is
 * refused with, with the number of the case
 */
export const measureCases = (
  registry: OperatorRegistry,
  operator: Operator,
  cases: readonly ReferenceCase[],
): readonly number[] => {
  const own = registryOf([registry.operator(KERNEL_ID), operator])
  return cases.map((it, i) => {
    let measured: number
    try {
      measured = errorOf(own, operator.row.id, it)
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      throw new Fault(cause.code, `Case ${i + 1}: ${cause.message}`, { ...cause.details, case: i + 1 })
    }
    if (measured <= ERROR_PCT_MAX) return measured
    const shown = Number.isNaN(measured) ? null : measured
    const detail = `Case ${i + 1} is ${shown === null ? 'without a measure' : `${measured} % off`}.`
    throw new Fault('PRECISION_NOT_MET', detail, { measured: shown, bound: ERROR_PCT_MAX, case: i + 1 })
  })
}
