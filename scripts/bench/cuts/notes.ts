import { acknowledge } from './record.ts'

/** What a program acknowledges to whoever asked: from there on it must be on disk. Paths are below the directory. */
export type Note =
  /** A data directory that the notes after it speak of. */
  | { readonly is: 'directory'; readonly path: string }
  | { readonly is: 'envelope'; readonly token: string; readonly index: number }
  | { readonly is: 'entry'; readonly slug: string; readonly seq: number; readonly hash: string }
  | { readonly is: 'blob'; readonly name: string }
  | { readonly is: 'account'; readonly zid: string }
  | { readonly is: 'job'; readonly id: string }
  /** A signed head that was shown. */
  | {
      readonly is: 'head'
      readonly origin: string
      readonly size: number
      readonly root: string
      readonly note: string
    }
  /** Leaves of another node's log that were taken. */
  | { readonly is: 'synced'; readonly source: string; readonly size: number }
  /** What the witness key signed of a log. */
  | { readonly is: 'cosigned'; readonly origin: string; readonly size: number; readonly root: string }
  | { readonly is: 'archive'; readonly file: string; readonly sha256: string }
  | { readonly is: 'restored'; readonly path: string; readonly size: number }
  | { readonly is: 'rotated'; readonly from: string; readonly to: string }
  | { readonly is: 'migrated'; readonly schema: number }

/** Acknowledges, in a recorded program. */
export const tell = (note: Note): void => acknowledge(note)
