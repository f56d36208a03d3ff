import { littleEndianBytes } from '#core/arrays.ts'
import { assert } from '#core/assert.ts'
import { concat } from '#core/bytes.ts'
import { sha256 } from '#crypto'

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

/** A recorder of a known number of rows. */
export const createRecorder = (rows: number, size: number): Recorder => {
  const all = new Float64Array(rows * size)
  let kept = 0
  let hash: Uint8Array = new Uint8Array(0)
  return {
    keep: (row) => {
      assert(kept < rows, 'a recorder has room for every row')
      const place = all.subarray(kept * size, (kept + 1) * size)
      place.set(row)
      hash = sha256(concat(hash, littleEndianBytes(place)))
      kept++
    },
    column: (c) => Float64Array.from({ length: kept }, (_, k) => all[k * size + c]),
    bytes: () => hash,
    rows: all,
  }
}

/** A typed array as the output schema names it; it is sent as plain numbers. */
export const asSeries = (values: Float64Array): readonly number[] => values as unknown as readonly number[]

/** Time k of `intervals` equal ones up to t_max: the first is 0 and the last t_max to the bit. */
export const timesOf = (t_max: number, intervals: number): Float64Array =>
  Float64Array.from({ length: intervals + 1 }, (_, k) => (k === intervals ? t_max : (t_max * k) / intervals))
