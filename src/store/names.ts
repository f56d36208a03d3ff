import { closeSync, fsyncSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A file that was synced is on disk; that its directory names it is not, until the directory is synced too (fsync(2)).
 */

/** Makes the names in a directory as durable as what they name. */
export const syncDirectory = (directory: string): void => {
  if (process.platform === 'win32') return
  const handle = openSync(directory, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

interface OpenLog {
  readonly path: string
  readonly bytes: number
}

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const newestLog = (directory: string): OpenLog => {
  const logs = readdirSync(directory).filter((name) => /^\d+\.log$/.test(name))
  const [newest = ''] = logs.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10))
  const path = join(directory, newest)
  return { path, bytes: bytesOf(path) }
}

/**
 * Keeps the names of LevelDB's write-ahead logs durable. It begins a new one every few megabytes, syncs what it writes
 * there, and syncs the directory only when it next writes its manifest, which may be minutes after the first write
 * there was acknowledged.
 *
 * @returns what is to be called after each write, one at a time, before it is acknowledged. A write that did not make
 * the known log longer went into a new one, so all that it costs is a look at a size.
 */
export const keepLogNames = (directory: string): (() => void) => {
  let log = newestLog(directory)
  syncDirectory(directory)
  return () => {
    const bytes = bytesOf(log.path)
    if (bytes > log.bytes) {
      log = { path: log.path, bytes }
      return
    }
    log = newestLog(directory)
    syncDirectory(directory)
  }
}
