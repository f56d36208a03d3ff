import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FILE_BYTES_MAX, FILE_NAME, FILES_MAX } from './format.ts'
import type { ArchiveFile } from './read.ts'
import { BackupRefused } from './refused.ts'

/**
 * The witness key stays with its database alone: what it cosigned stands there, and older data under the same key would
 * let a log show this witness another history. After a restore the node makes a new one.
 */
export const WITNESS_KEY = 'witness.key'

/** Names of the key files of a data directory, in order: those that a restore moves out of the way. */
export const keyFileNames = (directory: string): readonly string[] =>
  readdirSync(directory)
    .filter((name) => FILE_NAME.test(name) && lstatSync(join(directory, name)).isFile())
    .sort()

/**
 * The key files of a data directory that an archive takes.
 *
 * @throws BackupRefused for more, or larger ones, than a node has.
 */
export const readKeyFiles = (directory: string): readonly ArchiveFile[] => {
  const names = keyFileNames(directory).filter((name) => name !== WITNESS_KEY)
  if (names.length > FILES_MAX)
    throw new BackupRefused('BACKUP_KEYS', `${directory} holds more than ${FILES_MAX} key files`)
  return names.map((name) => {
    const bytes = new Uint8Array(readFileSync(join(directory, name)))
    if (bytes.length < 1 || bytes.length > FILE_BYTES_MAX) {
      throw new BackupRefused('BACKUP_KEYS', `${join(directory, name)} is no key file: it has ${bytes.length} bytes`)
    }
    return { name, bytes }
  })
}
