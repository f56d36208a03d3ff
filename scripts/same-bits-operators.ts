// What every engine works out of the operator rows for scripts/same-bits.ts: a digest per row over its worked example,
// solved for every variable it lists, and over inputs drawn around the example. Values, 50-digit errors and refusals
// all count.

import { toHex, utf8 } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { sha256 } from '#crypto'
import type { Computation } from '#numerics/operators/computation.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import type { OperatorRow } from '#numerics/operators/operator.ts'
import { KERNEL_ID, type OperatorRegistry, operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'

/** Inputs drawn per row. */
export const DRAWS = 40
const SEED = 0x1597

type Inputs = Readonly<Record<string, number | string>>
type Words = () => number

const without = (symbol: string, values: Readonly<Record<string, number>>): Inputs =>
  Object.fromEntries(Object.entries(values).filter(([other]) => other !== symbol))

/** Between a hundredth and twice an example's value, every fifth time with the other sign; counts stay counts. */
const drawn = (row: OperatorRow, around: Readonly<Record<string, number>>, next: Words) =>
  Object.fromEntries(
    Object.entries(around).map(([symbol, value]) => {
      const size = 0.01 + (1.99 * next()) / 4_294_967_296
      const scaled = (value === 0 ? 1 : value) * size * (next() % 5 === 0 ? -1 : 1)
      return [symbol, row.variables[symbol]?.integer === true ? Math.ceil(scaled) : scaled]
    }),
  )

const computed = (registry: OperatorRegistry, row: OperatorRow, inputs: Inputs, solveFor: string): Computation =>
  computeOperators(registry, { operators: [row.id], inputs, solve_for: solveFor })

const outcome = (registry: OperatorRegistry, row: OperatorRow, inputs: Inputs, solveFor: string): Json => {
  try {
    const { value, precisionActual, chain } = computed(registry, row, inputs, solveFor)
    return [value, precisionActual, chain[0]?.method ?? null]
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown.code
    throw thrown
  }
}

const digestOf = (registry: OperatorRegistry, row: OperatorRow, next: Words): string | undefined => {
  const { example } = row
  if (example === undefined) return undefined
  const base = computed(registry, row, example.inputs, example.output)
  const around = { ...base.order.inputs, [example.output]: base.value }
  const solved = row.solves_for.map((symbol) => outcome(registry, row, without(symbol, around), symbol))
  const draws = Array.from({ length: DRAWS }, () =>
    row.solves_for.map((symbol) => outcome(registry, row, without(symbol, drawn(row, around, next)), symbol)),
  )
  return toHex(sha256(utf8(canonical([base.value, base.precisionActual, ...solved, ...draws]))))
}

/**
 * Row id → digest of its results, and the registry's version.
 *
 * @param texts the rows as they are shipped, JSON lines, a text a file.
 * @param words a generator of 32-bit words from a seed.
 */
export const operatorDigests = (
  texts: readonly string[],
  words: (seed: number) => Words,
): Readonly<Record<string, string>> => {
  const registry = operatorRegistry(texts.flatMap(rowsOfText))
  const found: Record<string, string> = { 'operator registry': registry.version }
  for (const { row } of registry.operators) {
    const digest = row.id === KERNEL_ID ? undefined : digestOf(registry, row, words(SEED))
    if (digest !== undefined) found[`operator ${row.id} ${row.name}`] = digest
  }
  return found
}
