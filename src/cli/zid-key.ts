import { closeSync, constants, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { fromHex, toHex } from '#core/bytes.ts'
import { syncDirectory } from '#node/init.ts'
import { exits } from './exit.ts'
import { CliError, usageError } from './problem.ts'

/** Bytes of a seed. */
export const SEED_BYTES = 32
const MODE = 0o600
/** Bits of a mode that let others than the owner near a file. */
const OTHERS = 0o077
/** Bytes of a file with a seed: 64 digits and an end of line, of whatever kind. */
const FILE_BYTES_MAX = 66

const refused = (why: string): CliError => new CliError(exits.failure, why, { code: 'KEY_FILE_REFUSED' })

/** The system's own words for why a file cannot be had. */
const unopened = (file: string, error: unknown): unknown => {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return refused(`${file} is missing: tickmesh zid keygen ${file} makes a key`)
  if (code === 'EEXIST') return refused(`${file} is there already, and a key is never written over`)
  return error
}

/** The seed in an open file: looked at by its handle, so that what was checked is what is read. */
const seedOf = (handle: number, file: string): Uint8Array => {
  const about = fstatSync(handle)
  const { mode, size } = about
  if (!about.isFile()) throw refused(`${file} is no file`)
  if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
    throw refused(`${file} can be read by others (mode ${(mode & 0o777).toString(8)}): chmod 600 it`)
  }
  const text = size > FILE_BYTES_MAX ? '' : readFileSync(handle, 'utf8').trim()
  if (/^[0-9a-f]{64}$/.test(text)) return fromHex(text)
  throw refused(`${file} does not hold a key of 64 hex digits`)
}

/**
 * The seed of a ZID in a file that nobody else can read; a key is never an argument, a variable or stdin.
 *
 * @throws CliError KEY_FILE_REFUSED, or the system's error.
 */
export const readSeed = (file: string | undefined): Uint8Array => {
  if (file === undefined || file === '-') throw usageError('a key is read from a file that only you can read')
  let handle: number
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK) // A pipe would let it wait.
  } catch (error) {
    throw unopened(file, error)
  }
  try {
    return seedOf(handle, file)
  } finally {
    closeSync(handle)
  }
}

/** Writes a seed into a new file, durable and for its owner alone. @throws CliError KEY_FILE_REFUSED where one is. */
export const writeSeed = (file: string, seed: Uint8Array): void => {
  let handle: number
  try {
    handle = openSync(file, 'wx', MODE)
  } catch (error) {
    throw unopened(file, error)
  }
  try {
    writeSync(handle, `${toHex(seed)}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  syncDirectory(dirname(file))
}
