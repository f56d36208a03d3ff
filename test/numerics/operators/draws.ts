import { createHash } from 'node:crypto'
import { canonical, type Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import type { OperatorRow } from '#numerics/operators/operator.ts'
import { seeded } from '../../kit/random.ts'
import { compute } from './table.ts'

/** Draws of one row that its published digest covers, and their seed, both for ever. */
const DRAWS = 12
const SEED = 777

const resultOf = (row: OperatorRow, inputs: Readonly<Record<string, number | string>>, solveFor: string): Json => {
  try {
    const { value, precisionActual, chain } = compute([row.id], inputs, { solve_for: solveFor })
    return [value, precisionActual, chain[0]?.method ?? null]
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown.code
    throw thrown
  }
}

/**
 * The digest of a row's results: its example solved for every variable, forward values at inputs drawn around the
 * example. Values and measured errors count to the last bit; refusals count by their code.
 */
export const digestOf = (row: OperatorRow): string => {
  const { example } = row
  if (example === undefined) return 'refused'
  const random = seeded(SEED)
  const base = compute([row.id], example.inputs, { solve_for: example.output })
  const all: Readonly<Record<string, number>> = { ...base.order.inputs, [example.output]: base.value }
  const without = (symbol: string, values: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(values).filter(([other]) => other !== symbol))
  const solved = row.solves_for.map((symbol) => resultOf(row, without(symbol, all), symbol))
  const drawn = Array.from({ length: DRAWS }, () => {
    const inputs = Object.entries(all).map(([symbol, value]) => {
      const integer = row.variables[symbol]?.integer === true
      const scaled = value * (0.25 + 1.5 * random.next())
      return [symbol, integer ? Math.ceil(scaled) : scaled] as const
    })
    return resultOf(row, without(example.output, Object.fromEntries(inputs)), example.output)
  })
  return createHash('sha256')
    .update(canonical([base.value, ...solved, ...drawn]))
    .digest('hex')
}
