import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Another process has this data directory open. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse'
  readonly pid: number
  constructor(directory: string, pid: number) {
    super(`${directory} is in use by process ${pid}`)
    this.pid = pid
  }
}

/** A data directory cannot be made where it was asked for. */
export class DirectoryRefused extends Error {
  override readonly name = 'DirectoryRefused'
}

/** Directories that one call makes below the deepest one that is there. */
const LEVELS_MAX = 64
const DIRECTORY_MODE = 0o700

/**
 * Makes a directory and those above it, for this user alone. mkdir's own `recursive` never ends where a directory that
 * is there says ENOENT of what is to be made in it, as /proc does.
 *
 * @throws DirectoryRefused naming the one that could not be made.
 */
export const makeDirectory = (directory: string): void => {
  const missing: string[] = []
  for (let at = resolve(directory); !existsSync(at); at = dirname(at)) {
    if (missing.length >= LEVELS_MAX) throw new DirectoryRefused(`${directory} is too many levels below what is there`)
    missing.unshift(at)
  }
  for (const path of missing) {
    try {
      mkdirSync(path, { mode: DIRECTORY_MODE })
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      if (code !== 'EEXIST') throw new DirectoryRefused(`${path} cannot be made: ${code ?? String(cause)}`, { cause })
    }
  }
  if (!statSync(directory).isDirectory()) throw new DirectoryRefused(`${directory} is no directory`)
}

/** Where the database lies in a data directory. */
export const databaseDirectory = (directory: string): string => join(directory, 'db')

interface Holder {
  readonly pid: number
  /** Boot id and start time of the process, where the system tells them: a pid alone is soon given again. */
  readonly started: string | null
}

const FILE = 'node.lock'
const MODE = 0o600
/** Attempts at a lock whose holder died; each one that fails met another process that was faster. */
const ATTEMPTS_MAX = 3

// LevelDB's own lock does not keep a second opening in one process out, so this process remembers what it holds.
const held = new Set<string>()

/** Start time of a process in clock ticks since boot, with the boot's id; null where /proc does not say. */
const startedAt = (pid: number): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may hold spaces; the state is the first field after it, the start time the 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // Killed, and its parent has not looked: it holds nothing any more.
    if (fields[0] === 'Z' || fields[0] === 'X') return 'ended'
    const start = fields[19]
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return start === undefined ? null : `${boot}:${start}`
  } catch {
    return null
  }
}

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const isAlive = ({ pid, started }: Holder): boolean => {
  if (!exists(pid)) return false
  const now = startedAt(pid)
  if (started !== null && now !== null) return started === now
  return pid !== process.pid
}

const parse = (text: string): Holder | undefined => {
  try {
    const { pid, started } = JSON.parse(text) as Partial<Holder>
    if (!Number.isSafeInteger(pid) || (pid ?? 0) < 1) return undefined
    return { pid: pid as number, started: typeof started === 'string' ? started : null }
  } catch {
    return undefined
  }
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined
    throw cause
  }
}

/** The file appears with its content: one that was seen empty would be taken for torn, and cleared. */
const take = (path: string, text: string): boolean => {
  const aside = `${path}.${crypto.randomUUID()}`
  writeFileSync(aside, text, { flag: 'wx', mode: MODE })
  try {
    linkSync(aside, path)
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw cause
  } finally {
    unlinkSync(aside)
  }
}

/** Moves a dead holder's file aside; if it was replaced meanwhile, the new one is put back. */
const clear = (path: string, stale: string): void => {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return
    throw cause
  }
  if (read(aside) === stale) unlinkSync(aside)
  else renameSync(aside, path)
}

/** The living process that holds a data directory, or undefined; looks, and changes nothing. */
export const holderOf = (directory: string): number | undefined => {
  const text = read(join(directory, FILE))
  const holder = text === undefined ? undefined : parse(text)
  return holder !== undefined && isAlive(holder) ? holder.pid : undefined
}

/**
 * Takes a data directory for this process alone, making it where there is none. A lock that a dead process left is
 * taken over.
 *
 * @throws DirectoryInUse naming the holder's pid, DirectoryRefused.
 */
export const lockDirectory = (directory: string): Disposable => {
  makeDirectory(directory)
  const path = join(directory, FILE)
  if (held.has(path)) throw new DirectoryInUse(directory, process.pid)
  const mine = JSON.stringify({ pid: process.pid, started: startedAt(process.pid) } satisfies Holder)
  for (let attempt = 0; !take(path, mine); attempt++) {
    const text = read(path)
    if (text === undefined) continue
    const holder = parse(text)
    if (holder !== undefined && (attempt >= ATTEMPTS_MAX || isAlive(holder)))
      throw new DirectoryInUse(directory, holder.pid)
    clear(path, text)
  }
  held.add(path)
  return {
    [Symbol.dispose]: () => {
      if (!held.delete(path)) return
      if (read(path) === mine) unlinkSync(path)
    },
  }
}
