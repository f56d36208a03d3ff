import { assert } from '#core/assert.ts'
import type { Journal } from '#numerics/runtime/origin.ts'

/** Rows of numbers that a run keeps on its way; they enter its state digests as one running hash. */
export interface Recorder {
  /** Keeps the next row. */
  keep(row: ArrayLike<number>): void
  /** Number c of every row kept. */
  column(c: number): Float64Array
  /** The hash over the rows so far: sha256(hash before ‖ row). */
  bytes(): Uint8Array
  /** All numbers, row after row. */
  readonly rows: Float64Array
}

/** The rows of a recorder: how many there are in all, how long, and how many were kept before a run is taken up. */
export interface RecorderRows {
  readonly rows: number
  readonly size: number
  readonly before: number
}

/** A recorder of a known number of rows. Those kept before are there only once they were kept anew. */
export const createRecorder = (journal: Journal, { rows, size, before }: RecorderRows): Recorder => {
  const all = new Float64Array(rows * size)
  const chain = journal.chain(before)
  let kept = journal.retraced ? 0 : before
  return {
    keep: (row) => {
      assert(kept < rows, 'a recorder has room for every row')
      const place = all.subarray(kept * size, (kept + 1) * size)
      place.set(row)
      chain.link(place)
      kept++
    },
    column: (c) => Float64Array.from({ length: kept }, (_, k) => all[k * size + c]),
    bytes: () => chain.digest(),
    rows: all,
  }
}

/** A typed array as the output schema names it; it is sent as plain numbers. */
export const asSeries = (values: Float64Array): readonly number[] => values as unknown as readonly number[]

/** Time k of `intervals` equal ones up to t_max: the first is 0 and the last t_max to the bit. */
export const timesOf = (t_max: number, intervals: number): Float64Array =>
  Float64Array.from({ length: intervals + 1 }, (_, k) => (k === intervals ? t_max : (t_max * k) / intervals))
