import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { BackupRefused } from './refused.ts'

/** An archive holds keys, unless it is encrypted. */
const MODE = 0o600
const ASIDE_BYTES = 8

/** Makes names in a directory as durable as what they name. */
export const syncDirectory = async (directory: string): Promise<void> => {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const writeAll = async (file: FileHandle, source: AsyncIterable<Uint8Array>): Promise<number> => {
  let bytes = 0
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      const { bytesWritten } = await file.write(chunk, at)
      at += bytesWritten
    }
    bytes += chunk.length
  }
  await file.sync()
  return bytes
}

/**
 * Writes a file that appears whole and durable or not at all; what a kill leaves has another name, `.part`.
 *
 * @returns its size in bytes. @throws BackupRefused when one is there; what the source throws.
 */
export const writeNewFile = async (path: string, source: AsyncIterable<Uint8Array>): Promise<number> => {
  const refuse = (): void => {
    if (existsSync(path)) throw new BackupRefused('BACKUP_EXISTS', `${path} is there already`)
  }
  refuse()
  const directory = dirname(path)
  const aside = join(directory, `.${basename(path)}.${randomBytes(ASIDE_BYTES).toString('hex')}.part`)
  const file = await open(aside, 'wx', MODE)
  try {
    const bytes = await writeAll(file, source).finally(() => file.close())
    refuse()
    await rename(aside, path)
    await syncDirectory(directory)
    return bytes
  } catch (cause) {
    await rm(aside, { force: true })
    throw cause
  }
}
