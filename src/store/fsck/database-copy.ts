import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Database } from '#store/database.ts'
import { liveFiles } from '#store/level-files.ts'
import { openFiles, StoreRefused } from '#store/open.ts'

/** Tables of LevelDB: written once, and never changed. */
const TABLE = /\.(?:ldb|sst)$/
/** What LevelDB makes anew in any folder that it opens. */
const ITS_OWN = /^(?:LOCK|LOG|LOG\.old)$/

/** What the system says of a full disk, or of one's share of it. */
const NO_ROOM = /no space left|quota exceeded/i
const HINT = '(TMPDIR names another folder)'

/** What a folder holds, as far as it can be told without reading: a database that is written to changes it. */
const listing = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => !ITS_OWN.test(name))
    .sort()
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? { size: -1, mtimeMs: 0 }
      return `${name} ${size} ${mtimeMs}`
    })
    .join('\n')

/**
 * Tables that hold rows: one that a killed process began is named by nothing, and LevelDB would write through a link in
 * its place. None where the manifest cannot be read, which is told before anything is opened.
 */
const liveTables = (database: string): ReadonlySet<string> => {
  try {
    return new Set(liveFiles(database).tables)
  } catch {
    return new Set()
  }
}

/** A database that can be opened beside the one it shows. */
export interface DatabaseCopy extends Disposable {
  /** Opens the copy. @throws as {@link openFiles} does */
  open(): Promise<Database>
  /** Whether the database itself has been written to since. */
  changed(): boolean
}

/**
 * Shows a database in a temporary folder. To open a LevelDB is to write to it: it begins a manifest and a log, and
 * turns the old log into a table. Here it does so beside: its tables stand as links, which it reads and at most
 * unlinks, and the rest, a few megabytes whatever the database holds, is copied. Nothing is written where the data are.
 *
 * @throws StoreRefused when the temporary folder does not take the copy.
 */
export const openAside = (database: string): DatabaseCopy => {
  const before = listing(database)
  let folder: string | undefined
  const remove = (): void => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
  try {
    folder = mkdtempSync(join(tmpdir(), 'tickmesh-fsck-'))
    const live = liveTables(database)
    for (const name of readdirSync(database).filter((it) => !ITS_OWN.test(it))) {
      if (TABLE.test(name) && !live.has(name)) continue
      const [from, to] = [resolve(database, name), join(folder, name)]
      if (TABLE.test(name)) symlinkSync(from, to)
      else copyFileSync(from, to)
    }
  } catch (cause) {
    remove()
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new StoreRefused(`${tmpdir()} does not take a copy of the newest rows ${HINT}: ${why}`)
  }
  const copy = folder
  const open = async (): Promise<Database> => {
    try {
      return await openFiles(copy, false)
    } catch (cause) {
      // LevelDB gives the system's words and no code.
      if (!(cause instanceof StoreRefused && NO_ROOM.test(cause.message))) throw cause
      throw new StoreRefused(`${tmpdir()} has no room for the newest rows ${HINT}: ${cause.message}`)
    }
  }
  return { open, changed: () => listing(database) !== before, [Symbol.dispose]: remove }
}
