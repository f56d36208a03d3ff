import { CorruptRow } from '#store/corrupt-row.ts'
import { DirectoryInUse } from '#store/lock.ts'
import { StoreRefused } from '#store/open.ts'

export { type FsckReport, fsck } from '#store/fsck/fsck.ts'

/** Whether data could not be looked at at all: a node runs on them, or there are none. */
export const isOutOfReach = (error: unknown): error is Error =>
  error instanceof DirectoryInUse || error instanceof StoreRefused

/** Whether a row is not what was written. */
export const isCorrupt = (error: unknown): error is CorruptRow => error instanceof CorruptRow
