import { assert } from '#core/assert.ts'
import type { ComputeRun } from '#domain/compute/runner.ts'
import type { Sealed } from '#domain/compute/types.ts'
import type { BatchOutcomeRow, BatchRow } from '#store/rows/batch.ts'

/** Answers, and characters of their results, that a batch keeps at hand for a reader that is near. */
const FRESH_ANSWERS_MAX = 128
const FRESH_CHARS_MAX = 4_194_304

/** Answers that were just sealed. What finds no room is read from the store when it is asked for. */
export interface FreshAnswers {
  keep(index: number, answer: Sealed): void
  /** Gives an answer away; undefined where it is not at hand. */
  take(index: number): Sealed | undefined
}

const freshAnswers = (): FreshAnswers => {
  const kept = new Map<number, Sealed>()
  let chars = 0
  return {
    keep: (index, answer) => {
      const size = answer.output.length
      if (kept.size >= FRESH_ANSWERS_MAX || chars + size > FRESH_CHARS_MAX) return
      kept.set(index, answer)
      chars += size
    },
    take: (index) => {
      const found = kept.get(index)
      if (found === undefined) return undefined
      kept.delete(index)
      chars -= found.output.length
      return found
    },
  }
}

/** A batch that is under way: what has come of its calls so far, and a word to whoever waits for more. */
export interface LiveBatch {
  row: BatchRow
  readonly outcomes: (BatchOutcomeRow | undefined)[]
  readonly fresh: FreshAnswers
  /** Why it cannot go on in this process; undefined while it does. */
  broken: unknown
  /** Indexes of calls that were begun in this process, and the runs among them that are not over. */
  readonly begun: Set<number>
  readonly runs: Map<number, ComputeRun>
  /** Ends when it is written down that its caller gave it up; undefined while nobody did. It never throws. */
  givenUp: Promise<void> | undefined
  /** Ends when it is known which calls are still to be run, or that none will be. */
  readonly ready: Promise<void>
  start(): void
  /** Ends with the next change. */
  moved(): Promise<void>
  /** Tells those who wait. */
  move(): void
}

/** A batch with the outcomes that are known. */
export const liveBatch = (row: BatchRow, outcomes: (BatchOutcomeRow | undefined)[]): LiveBatch => {
  const ready = Promise.withResolvers<void>()
  let more = Promise.withResolvers<void>()
  return {
    row,
    outcomes,
    fresh: freshAnswers(),
    broken: undefined,
    begun: new Set(),
    runs: new Map(),
    givenUp: undefined,
    ready: ready.promise,
    start: ready.resolve,
    moved: () => more.promise,
    move: () => {
      more.resolve()
      more = Promise.withResolvers()
    },
  }
}

/** Indexes of calls that nothing has come of yet. */
export const openCalls = ({ row, outcomes }: Pick<LiveBatch, 'row' | 'outcomes'>): readonly number[] =>
  Array.from({ length: row.count }, (_, i) => i).filter((i) => outcomes[i] === undefined)

/** Tells of an outcome that is durable. */
export const known = (batch: LiveBatch, index: number, outcome: BatchOutcomeRow): void => {
  assert(batch.outcomes[index] === undefined, 'a call ends once')
  batch.outcomes[index] = outcome
  batch.move()
}
