import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fromHex, toHex } from '#core/bytes.ts'
import { randomBytes } from '#crypto'

/** A key file that cannot be used: what it holds, or who may read it. */
export class KeyFileRefused extends Error {
  override readonly name = 'KeyFileRefused'
}

const SECRET_BYTES = 32
const OWNER_ALONE = 0o600
const OTHERS = 0o077
const DIRECTORY_MODE = 0o700

/** Secrets of a node, each in a file of its own under `keys`. Only `identity` must never be lost. */
export type SecretName = 'identity' | 'pulse' | 'session' | 'demo' | 'link' | 'custody' | 'claim'

/** Where a secret lies in a data directory. */
export const secretPath = (directory: string, name: SecretName): string => join(directory, 'keys', `${name}.key`)

const writeNew = (path: string, bytes: Uint8Array): void => {
  // `wx` never overwrites: of two first starts one writes, and both read the same key.
  const file = openSync(path, 'wx', OWNER_ALONE)
  try {
    writeSync(file, `${toHex(bytes)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const read = (path: string): Uint8Array => {
  if ((statSync(path).mode & OTHERS) !== 0) throw new KeyFileRefused(`${path} can be read by others: chmod 600 it`)
  const text = readFileSync(path, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/.test(text)) throw new KeyFileRefused(`${path} does not hold 64 hex digits`)
  return fromHex(text)
}

/**
 * The 32 bytes of a secret, drawn at the first start.
 *
 * @throws KeyFileRefused when the file is not one of ours or is open to others; Error when it cannot be read.
 */
export const loadSecret = (directory: string, name: SecretName): Uint8Array => {
  const path = secretPath(directory, name)
  if (!existsSync(path)) {
    mkdirSync(join(directory, 'keys'), { recursive: true, mode: DIRECTORY_MODE })
    try {
      writeNew(path, randomBytes(SECRET_BYTES))
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    }
  }
  return read(path)
}
