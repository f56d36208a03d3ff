import type { Database } from '#store/database.ts'

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
  /** Links of all machines' chains. */
  readonly entries: number
}

/** What the stages count. */
export type Counts = { -readonly [K in Exclude<keyof FsckReport, 'ok' | 'bad' | 'node' | 'leaves'>]: number } & {
  leaves: { seal: number; events: number }
}

/** What a stage works with. */
export interface Fsck {
  readonly database: Database
  readonly counts: Counts
  /** Counts one step; reports and stops when it should. @throws the signal's reason when it aborted. */
  step(stage: Stage): void
}
