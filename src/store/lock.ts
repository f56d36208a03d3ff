import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { livingPid, ownText } from './holder.ts'
import { syncDirectory } from './names.ts'

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
 * Makes a directory and those above it, durably, for this user alone. mkdir's own `recursive` never ends where a
 * directory that is there says ENOENT of what is to be made in it, as /proc does.
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
      syncDirectory(dirname(path))
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      if (code !== 'EEXIST') throw new DirectoryRefused(`${path} cannot be made: ${code ?? String(cause)}`, { cause })
    }
  }
  if (!statSync(directory).isDirectory()) throw new DirectoryRefused(`${directory} is no directory`)
}

/** Where the database lies in a data directory. */
export const databaseDirectory = (directory: string): string => join(directory, 'db')

const FILE = 'node.lock'
const MODE = 0o600
/** Hex digits that tell one claim from another. */
const KEY_DIGITS = 16
/** Files beside a lock: claims, and what was to be linked or, by an earlier release, moved aside. */
const BESIDE = /^\.(?:after-[\da-f]{16}|[\da-f-]{36}|\d+)$/
/** Attempts at a lock; each that fails met another process that was faster. */
const ATTEMPTS_MAX = 1_000

// LevelDB's own lock does not keep a second opening in one process out, so this process remembers what it holds.
const held = new Set<string>()

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined
    throw cause
  }
}

/** The file appears with its content: one that was seen empty would be taken for torn, and followed. */
const take = (path: string, text: string): boolean => {
  const aside = join(dirname(path), `${FILE}.${crypto.randomUUID()}`)
  try {
    writeFileSync(aside, text, { flag: 'wx', mode: MODE })
    linkSync(aside, path)
    return true
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException
    // Gone before it was linked: swept by a holder who saw it before its content was in it.
    if (code === 'EEXIST' || (code === 'ENOENT' && syscall === 'link')) return false
    throw cause
  } finally {
    // On a full disk it is there and empty.
    rmSync(aside, { force: true })
  }
}

/*
 * How a lock that a dead process left changes hands without ever being free: whoever would follow makes a claim file,
 * exclusively, under a name that tells the file and the text to be followed; a claim that a dead process left is
 * followed in the same way, by a claim after it. With the claim made, all that leads to it is read again: where it
 * stands, the claim is renamed over the lock. Why no two do:
 * - Texts have ids, so one that is gone never comes again. (One without an id may be torn; only a power cut tears, and
 *   it ends all who had read it before.)
 * - A lock of a living process is touched by nobody else, one of a dead process only by the rename of a claim that
 *   stood after it. So while the text that a claim follows is in its place, no other claim after it was ever used.
 * - A claim is removed by its maker, or by a holder, who is there only once what the claim follows is gone for good.
 *   So a claim that stood once stands until it is used, and a living process that has one is as good as the holder.
 */

interface Link {
  readonly path: string
  readonly text: string
}

// Every command that looks for a node loads this file, and hardly one needs a digest: node:crypto is loaded then.
const digestOf = (text: string): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex')

/** The file's name goes in too: of two torn texts, each empty, one may be a claim after the other. */
const claimPath = (lock: string, { path, text }: Link): string =>
  `${lock}.after-${digestOf(`${basename(path)} ${text}`).slice(0, KEY_DIGITS)}`

/** The lock and the claims that lead from it, up to that of a living process or the last; empty: it is free. */
const chainAt = (lock: string): readonly Link[] => {
  const chain: Link[] = []
  for (let path = lock; ; ) {
    const text = read(path)
    if (text === undefined) return chain
    const link = { path, text }
    chain.push(link)
    if (livingPid(text) !== undefined) return chain
    path = claimPath(lock, link)
  }
}

const stands = (chain: readonly Link[]): boolean => chain.every(({ path, text }) => read(path) === text)

/** Takes a lock after the last, dead holder of a chain; false where another was faster. */
const follow = (lock: string, chain: readonly Link[], last: Link, text: string): boolean => {
  const claim = claimPath(lock, last)
  if (!take(claim, text)) return false
  try {
    if (!stands(chain)) return false
    renameSync(claim, lock)
    return true
  } finally {
    rmSync(claim, { force: true })
  }
}

/** Removes what the dead left beside a lock that this process holds, and claims: none can stand any more. */
const sweep = (lock: string): void => {
  const directory = dirname(lock)
  const file = basename(lock)
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(file) || !BESIDE.test(name.slice(file.length))) continue
    const path = join(directory, name)
    const isClaim = name.startsWith(`${file}.after-`)
    if (isClaim || livingPid(read(path) ?? '') === undefined) rmSync(path, { force: true })
  }
}

/** Makes a lock this process's own. @returns its text, or the pid of the living process that has it. */
const acquire = (lock: string): string | number => {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const chain = chainAt(lock)
    const last = chain.at(-1)
    const pid = last === undefined ? undefined : livingPid(last.text)
    if (pid !== undefined) {
      if (stands(chain)) return pid
      continue
    }
    const text = ownText()
    if (last === undefined ? take(lock, text) : follow(lock, chain, last, text)) return text
  }
  throw new DirectoryRefused(`${lock} is another one whenever it is looked at`)
}

/** The living process that holds a data directory, or undefined; looks, and changes nothing. */
export const holderOf = (directory: string): number | undefined => {
  const last = chainAt(join(directory, FILE)).at(-1)
  return last === undefined ? undefined : livingPid(last.text)
}

/**
 * Takes a data directory for this process alone, making it where there is none. A lock that a dead process left is
 * taken over.
 *
 * @throws DirectoryInUse naming the holder's pid, DirectoryRefused.
 */
export const lockDirectory = (directory: string): Disposable => {
  makeDirectory(directory)
  const lock = join(directory, FILE)
  if (held.has(lock)) throw new DirectoryInUse(directory, process.pid)
  const mine = acquire(lock)
  if (typeof mine === 'number') throw new DirectoryInUse(directory, mine)
  held.add(lock)
  sweep(lock)
  return {
    [Symbol.dispose]: () => {
      if (!held.delete(lock)) return
      if (read(lock) === mine) unlinkSync(lock)
    },
  }
}
