import type { Fsck, Walked } from './fsck/report.ts'

/** Where the rows of a table stand, and how. */
export interface TableKind {
  /** One or two letters; a prefix is never used again for something else. */
  readonly prefix: string
  readonly form: 'json' | 'bytes'
  /** What the key is made of, in order. Numbers are written by {@link seqKey}. */
  readonly key: string
  /**
   * False: what was read is not kept in memory, for a row is seldom read twice before it is written again. As written:
   * what was written is kept, for it is read when it is written next; whoever wrote it has handed it over.
   */
  readonly kept?: false | 'as written'
}

/**
 * One kind of record, whole: its tables with their indexes, since when there are any, and its part of `fsck`. What a
 * row holds is a type and no schema: this program alone writes rows, and a sum over each says that it did.
 *
 * @typeParam R the rows of its tables, by name.
 * @typeParam Needs what its check reads beside them.
 */
export interface RowKind<R, Needs = R> {
  readonly tables: { readonly [N in keyof R]: TableKind }
  /** The schema that brought it, and what a store of before does without. */
  readonly since: { readonly schema: number; readonly note: string }
  /**
   * Holds the rows against each other, after the logs were walked. Kinds that the walk itself proves have none.
   *
   * @throws CorruptRow for the first row that is not what it should be.
   */
  check?(fsck: Fsck<Needs>, walked: Walked): Promise<void>
  /** Never there: it carries the type of the rows. */
  readonly rows?: R
}

/** Writes a kind of row down. */
export const rowKind = <R, Needs = R>(kind: RowKind<R, Needs>): RowKind<R, Needs> => kind
