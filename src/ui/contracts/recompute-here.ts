/// <reference types="vite/client" />
import type { ComputeOrder } from '#numerics/contracts/fire/effects.ts'
import type { Recomputed } from '#numerics/contracts/fire/replay.ts'
import { recompute } from '#numerics/contracts/recompute.ts'
import { type OperatorRegistry, operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'

/** The rows of this release, bundled with the page: nobody is asked for them. */
const texts = Object.values(
  import.meta.glob<string>('../../../protocols/operators/*.jsonl', { eager: true, query: '?raw', import: 'default' }),
)

let rows: OperatorRegistry | undefined

const registry = (): OperatorRegistry => {
  rows ??= operatorRegistry(texts.flatMap(rowsOfText))
  return rows
}

/** Does a computation of a contract in this browser, up to the work that a node does for everybody. */
export const computeInPage = (order: ComputeOrder): Recomputed =>
  recompute(order, { registry, keyless: false, isSmall: true })
