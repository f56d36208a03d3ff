import type { RowReader } from '#store/row-reader.ts'

/** The first record that is not what it should be. */
export interface BadRecord {
  /** A table of the layout, or `file`. */
  readonly table: string
  readonly key: string
  readonly what: string
}

export type Stage = 'files' | 'rows' | 'ledger' | 'machines' | 'logs' | 'envelopes' | 'accounts'

/** Told about 4 times a second at most, and at the beginning of each stage. */
export type OnProgress = (progress: { readonly stage: Stage; readonly done: number }) => void

/**
 * What the witness key is to the data: there is none (the next start makes one), it cosigned heads of others that are
 * kept here, all that are kept were cosigned under another one (as after a restore), or none is kept.
 */
export type WitnessKeyState = 'none' | 'fits' | 'other' | 'unused'

export interface FsckReport {
  readonly ok: boolean
  readonly bad: BadRecord | null
  readonly node: string | null
  readonly rows: number
  readonly leaves: { readonly seal: number; readonly events: number }
  readonly checkpoints: number
  readonly transfers: number
  readonly balances: number
  readonly envelopes: number
  readonly blobs: number
  readonly accounts: number
  readonly machines: number
  /** Null when the check ended before it. */
  readonly witness_key: WitnessKeyState | null
  /** Links of all machines' chains. */
  readonly entries: number
}

/** What the stages count. */
export type Counts = {
  -readonly [K in Exclude<keyof FsckReport, 'ok' | 'bad' | 'node' | 'leaves' | 'witness_key'>]: number
} & {
  leaves: { seal: number; events: number }
}

/** What a stage works with. @typeParam R the rows that it reads. */
export interface Fsck<R> {
  readonly database: RowReader<R>
  readonly counts: Counts
  /** Counts one step; reports and stops when it should. @throws the signal's reason when it aborted. */
  step(stage: Stage): void
}

/** What the walk over the logs has found out, for the kinds of row that come after it. */
export interface Walked {
  /** Key of the leaf of the seal logs with a serial number. */
  leafKeyAt(serial: number): string
}
