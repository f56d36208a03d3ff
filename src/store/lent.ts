/** Values that are kept for others for a while, at most; more are refused until some are over. */
export const LENT_ROWS_MAX = 65_536

/** A value that is kept for others: its bytes stand beside it under the same key. */
export interface LentRow {
  readonly size: number
  /** SHA-256 of its bytes, hex. */
  readonly sha256: string
  /** The last mesh tick at which it is kept. */
  readonly until: number
}

/** How much is kept for others. */
export interface LentTotalRow {
  readonly rows: number
  readonly bytes: number
}

/** Values kept for others, with their bytes. */
export interface LentRows {
  readonly lent: LentRow
  readonly lentBytes: Uint8Array
  readonly lentTotal: LentTotalRow
}
