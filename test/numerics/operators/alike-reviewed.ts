import { readFileSync } from 'node:fs'
import type { Alike } from './alike.ts'

interface Reviewed {
  readonly pair: Alike
  readonly why: string
}

/** Pairs of one form that a reader found to be two relations, each with the reason. Ids in the order of the table. */
export const reviewedPairs: readonly Reviewed[] = readFileSync('test/fixtures/operators/alike-reviewed.jsonl', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Reviewed)
