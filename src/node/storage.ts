import { readdirSync, statfsSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { ProcessView } from '#domain/explorer/service.ts'
import { databaseDirectory } from '#store/lock.ts'

type Storage = ReturnType<ProcessView['storage']>

/** How old a count may be: walking a large directory for every reader would cost more than it tells. */
const COUNTED_MS_MAX = 10_000
/** Files of a data directory that are looked at; the others are taken to be as large as those. */
const FILES_MAX = 100_000

/** Where, in a data directory, the archives lie that precede migrations. */
export const backupsDirectory = (directory: string): string => join(directory, 'backups')

const sizeOf = (path: string): number => {
  try {
    return statSync(path).size
  } catch {
    // The database drops files while it is looked at.
    return 0
  }
}

/** What lies where a node keeps its data: its database, archives from before migrations, whatever else is there. */
const partsOf = (directory: string): Storage['parts'] => {
  const parts = { database: 0, backups: 0, other: 0 }
  const database = databaseDirectory(directory) + sep
  const backups = backupsDirectory(directory) + sep
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((it) => it.isFile())
  const looked = files.slice(0, FILES_MAX)
  for (const { parentPath, name } of looked) {
    const path = join(parentPath, name)
    if (path.startsWith(database)) parts.database += sizeOf(path)
    else if (path.startsWith(backups)) parts.backups += sizeOf(path)
    else parts.other += sizeOf(path)
  }
  // Many files are those of a large database, all of one size.
  return { ...parts, database: Math.round((parts.database * files.length) / Math.max(1, looked.length)) }
}

const counted = (directory: string): Storage => {
  const { bavail, blocks, bsize } = statfsSync(directory)
  const parts = partsOf(directory)
  const used = parts.database + parts.backups + parts.other
  return { used_bytes: used, parts, free_bytes: bavail * bsize, disk_bytes: blocks * bsize }
}

/** What a data directory takes on disk and of what, what is free where it lies, and how large that disk is. */
export const storageOf = (directory: string): ProcessView['storage'] => {
  let last: Storage | undefined
  let atMs = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (last === undefined || now - atMs >= COUNTED_MS_MAX) {
      last = counted(directory)
      atMs = now
    }
    return last
  }
}
