/** Which keys of a table are read, in which order, and how many. */
export interface RangeOptions {
  readonly gt?: string
  readonly gte?: string
  readonly lt?: string
  readonly lte?: string
  readonly reverse?: boolean
  readonly limit?: number
}

/** Which rows are counted. */
export interface CountOptions extends RangeOptions {
  /** Told on the way how many more were found: a large table takes its time. */
  readonly onSome?: (rows: number) => void
}

/** Reads the tables of `R`, by their names. What reads all of them reads a few. */
export interface RowReader<R> {
  /** @param full the database key, where it was made already */
  peek<N extends keyof R>(table: N, key: string, full?: string): R[N] | undefined
  range<N extends keyof R>(table: N, options?: RangeOptions): AsyncIterable<readonly [string, R[N]]>
  /** How many rows there are; none of them is read. */
  count(table: keyof R, options?: CountOptions): Promise<number>
}
