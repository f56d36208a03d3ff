import type { RowReader } from '#store/row-reader.ts'
import type { OnProgress, Stage } from './report.ts'

/** Who is told how far a check has come, and what ends it. */
export interface ProgressOptions {
  readonly onProgress?: OnProgress
  /** Milliseconds between two reports, and between two looks at whether it is to stop; 250 unless said. */
  readonly everyMs?: number
  readonly signal?: AbortSignal
}

const REPORT_MS = 250

/** What stages count by, and a reader that counts what they read without counting it themselves. */
export interface CheckProgress {
  /** One step of a stage. @throws the signal's reason when it aborted */
  step(stage: Stage): void
  watched<R>(reader: RowReader<R>): RowReader<R>
}

/**
 * Counts steps stage by stage, also where two take turns, and tells of them by the clock: few that take long are told
 * like many that do not.
 */
export const createProgress = ({ onProgress, everyMs = REPORT_MS, signal }: ProgressOptions): CheckProgress => {
  const counted = new Map<Stage, number>()
  let present: Stage = 'files'
  let told = Number.NEGATIVE_INFINITY
  /** Whether somebody counted since the last row was read. */
  let stepped = false

  const advance = (stage: Stage, by: number): void => {
    const before = counted.get(stage)
    const done = (before ?? 0) + by
    counted.set(stage, done)
    const now = performance.now()
    if (before !== undefined && now - told < everyMs) return
    told = now
    signal?.throwIfAborted()
    onProgress?.({ stage, done })
  }
  const read = (rows: number): void => {
    if (!stepped) advance(present, rows)
    stepped = false
  }

  return {
    step: (stage) => {
      present = stage
      stepped = true
      advance(stage, 1)
    },
    watched: (reader) => ({
      peek: reader.peek,
      range: (table, options) => ({
        [Symbol.asyncIterator]: () => {
          const rows = reader.range(table, options)[Symbol.asyncIterator]()
          return {
            next: () => {
              read(1)
              return rows.next()
            },
            return: async (value?: unknown) => (await rows.return?.(value)) ?? { done: true, value: undefined },
          }
        },
      }),
      count: (table, options) => reader.count(table, { ...options, onSome: read }),
    }),
  }
}
