import { schemasHere } from '#numerics/runtime/rerun.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { fsck as checkData, type FsckOptions, type FsckReport } from '#store/fsck/fsck.ts'
import { DirectoryInUse } from '#store/lock.ts'
import { StoreRefused } from '#store/open.ts'

export type { FsckReport } from '#store/fsck/fsck.ts'

/** As the store's, with what this release knows of inputs and outputs. */
export const fsck = (options: Omit<FsckOptions, 'schemas'>): Promise<FsckReport> =>
  checkData({ ...options, schemas: schemasHere })

/** Whether data could not be looked at at all: a node runs on them, or there are none. */
export const isOutOfReach = (error: unknown): error is Error =>
  error instanceof DirectoryInUse || error instanceof StoreRefused

/** Whether a row is not what was written. */
export const isCorrupt = (error: unknown): error is CorruptRow => error instanceof CorruptRow
