import { globSync, readFileSync } from 'node:fs'
import { Fault } from '#core/fault.ts'
import type { Computation, Order } from '#numerics/operators/computation.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'

/** The rows as they are shipped, by file. */
export const files = globSync('protocols/operators/*.jsonl').sort()

export const rows = files.flatMap((file) => rowsOfText(readFileSync(file, 'utf8')))

export const registry = operatorRegistry(rows)

export const compute = (
  operators: readonly string[],
  inputs: Order['inputs'],
  more: Partial<Order> = {},
): Computation => computeOperators(registry, { operators, inputs, ...more })

/** The fault a body throws; anything else, nothing included, fails. */
export const faultOf = (body: () => unknown): Fault => {
  try {
    body()
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown
    throw thrown
  }
  throw new Error('nothing was refused')
}
