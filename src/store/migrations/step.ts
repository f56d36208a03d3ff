import type { Change, Database } from '#store/database.ts'

/** One step forward between two schemas. There is no way back: an archive of before is. */
export interface Migration {
  readonly from: number
  readonly to: number
  /** What changes and why: a sentence for whoever runs the node. */
  readonly why: string
  /**
   * What to write, a batch at a time. A step that was cut off runs again from its beginning on whatever it left, and
   * must end the same. The schema's own row is the runner's: it goes with the last batch.
   */
  run(database: Database): AsyncIterable<readonly Change[]>
}
