import { readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { NodeStatus } from '#domain/explorer/views.ts'

/** How old a count may be: walking a large directory for every reader would cost more than it tells. */
const COUNTED_MS_MAX = 10_000
/** Files of a data directory that are counted. */
const FILES_MAX = 100_000

const sizeOf = (path: string): number => {
  try {
    return statSync(path).size
  } catch {
    // The database drops files while it is looked at.
    return 0
  }
}

const usedBytes = (directory: string): number =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .slice(0, FILES_MAX)
    .filter((it) => it.isFile())
    .reduce((sum, it) => sum + sizeOf(join(it.parentPath, it.name)), 0)

/** What a data directory takes on disk, and what is free where it lies. */
export const storageOf = (directory: string): (() => NodeStatus['storage']) => {
  let counted: NodeStatus['storage'] = { used_bytes: 0, free_bytes: 0 }
  let atMs = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (now - atMs >= COUNTED_MS_MAX) {
      const { bavail, bsize } = statfsSync(directory)
      counted = { used_bytes: usedBytes(directory), free_bytes: bavail * bsize }
      atMs = now
    }
    return counted
  }
}
