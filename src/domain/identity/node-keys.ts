import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import { nodeIdOf, publicKeyOfSeed, type Signer } from '#core/keys.ts'
import { hmacSha256, randomBytes } from '#crypto'
import { createSealing, type SecretSealer } from '#ports/sealing.node.ts'
import { createSigner } from '#ports/signer.node.ts'
import { databaseDirectory, makeDirectory } from '#store/lock.ts'
import { syncDirectory } from '#store/names.ts'

/** A key file cannot be used, and why. */
export class KeyFileRefused extends Error {
  override readonly name = 'KeyFileRefused'
}

/** What is derived from the node secret; each name gives an independent 32-byte key. */
export type SecretName = 'pulse' | 'demo' | 'proof-of-work' | 'link' | 'repeat' | 'draw' | 'webhook'

/** The keys of one node, from its data directory. */
export interface NodeKeys {
  readonly nodeId: string
  /** Raw public key of the identity key. */
  readonly publicKey: Uint8Array
  readonly signer: Signer
  /** The identity key's seed, for the transport's own handshake; nobody else asks for it. */
  readonly seed: Uint8Array
  /** The witness key: another one than the identity key, since what it signs has no purpose string in front. */
  readonly witness: { readonly publicKey: Uint8Array; readonly seed: Uint8Array }
  /** The vault key: seals what rests in the database. */
  readonly vault: SecretSealer
  secret(name: SecretName): Uint8Array
}

/** Files of a data directory that hold secrets; all 0600. */
export const keyFiles = {
  identity: 'identity.key',
  vault: 'vault.key',
  secret: 'node.secret',
  owner: 'owner.key',
  witness: 'witness.key',
} as const

const MODE = 0o600
const KEY_BYTES = 32

const isMissing = (cause: unknown): boolean => (cause as NodeJS.ErrnoException).code === 'ENOENT'

const assertPrivate = (path: string): void => {
  if (process.platform === 'win32') return
  const mode = statSync(path).mode & 0o777
  if ((mode & 0o077) !== 0) {
    throw new KeyFileRefused(`${path} can be read by others (mode ${mode.toString(8)}): chmod 600 it`)
  }
}

/** The text of a secret file, or undefined where there is none. @throws KeyFileRefused when others can read it. */
export const readSecretFile = (path: string): string | undefined => {
  try {
    assertPrivate(path)
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw cause
  }
}

const ASIDE_BYTES = 8

/** Beside its place, under a name of its own: a pid is not, where two machines or containers share a directory. */
const writeAside = (path: string, text: string): string => {
  const aside = `${path}.${toHex(randomBytes(ASIDE_BYTES))}`
  const file = openSync(aside, 'wx', MODE)
  try {
    writeSync(file, `${text}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return aside
}

/** Writes a secret file, whole or not at all, durably: a key must not be gone while its data are there. */
export const writeSecretFile = (path: string, text: string): void => {
  renameSync(writeAside(path, text), path)
  syncDirectory(dirname(path))
}

/** Writes a secret file unless one is there, whole or not at all. */
const createSecretFile = (path: string, text: string): void => {
  const aside = writeAside(path, text)
  try {
    linkSync(aside, path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  } finally {
    unlinkSync(aside)
  }
  syncDirectory(dirname(path))
}

const keyOf = (path: string, mayMake: boolean): Uint8Array => {
  const isThere = readSecretFile(path) !== undefined
  if (!isThere && !mayMake) {
    throw new KeyFileRefused(`${path} is missing, and the data beside it need it: put it back, or move the data away`)
  }
  if (!isThere) createSecretFile(path, toHex(randomBytes(KEY_BYTES)))
  const text = readSecretFile(path) ?? ''
  if (!/^[0-9a-f]{64}$/.test(text)) throw new KeyFileRefused(`${path} does not hold a key of 64 hex digits`)
  return fromHex(text)
}

/**
 * The witness key promises that all it signed of a log is one history, and the database remembers what that was. So a
 * new database gets a new key: an old one could be made to break its word.
 */
const witnessKeyOf = (path: string, isNew: boolean): NodeKeys['witness'] => {
  if (isNew && readSecretFile(path) !== undefined) writeSecretFile(path, toHex(randomBytes(KEY_BYTES)))
  const seed = keyOf(path, true)
  return { seed, publicKey: publicKeyOfSeed(seed) }
}

/**
 * Reads the node's keys, and makes those of a new node. Beside data that stand already no identity is made anew: they
 * belong to the lost one, and what the vault sealed opens with no other key. The node secret rotates freely.
 *
 * @throws KeyFileRefused for a file that is no key, that others can read, or that is missing where data need it.
 * @throws DirectoryRefused where the directory cannot be made.
 */
export const openNodeKeys = (directory: string): NodeKeys => {
  makeDirectory(directory)
  const isNew = !existsSync(join(databaseDirectory(directory), 'CURRENT'))
  const seed = keyOf(join(directory, keyFiles.identity), isNew)
  const vault = keyOf(join(directory, keyFiles.vault), isNew)
  const secret = keyOf(join(directory, keyFiles.secret), true)
  const publicKey = publicKeyOfSeed(seed)
  return {
    nodeId: nodeIdOf(publicKey),
    publicKey,
    signer: createSigner(seed),
    seed,
    witness: witnessKeyOf(join(directory, keyFiles.witness), isNew),
    vault: createSealing(vault),
    secret: (name) => hmacSha256(secret, utf8(`tickmesh ${name}`)),
  }
}
