import { ReadableStream as NodeStream } from 'node:stream/web'
import { equalBytes } from '#core/bytes.ts'
import { AGE_FAMILY } from './format.ts'
import { BackupRefused, damaged } from './refused.ts'

/** Whom an archive is encrypted for: a passphrase, or recipients (`age1…`). */
export type ArchiveKey = { readonly passphrase: string } | { readonly recipients: readonly string[] }
/** What opens an encrypted archive. Both may be tried. */
export interface Opening {
  readonly passphrase?: string
  /** `AGE-SECRET-KEY-1…` */
  readonly identities?: readonly string[]
}

/** Characters of a passphrase: fewer can be guessed offline. */
export const PASSPHRASE_CHARS_MIN = 12
/** Bytes in which the header of an encrypted file must end; the library itself would read on for ever. */
const HEADER_BYTES_MAX = 65_536
const HEADER_END = Buffer.from('\n--- ')

/** Loaded when an archive is first encrypted or opened: a node starts without. */
const age = () => import('age-encryption')

/** The library names the type that browsers have. */
const streamOf = (source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> =>
  NodeStream.from(source) as unknown as ReadableStream<Uint8Array>

/** The bytes of an archive as an age file. @throws BackupRefused for a short passphrase or what is no recipient. */
export const encrypted = async (
  source: AsyncIterable<Uint8Array>,
  sealing: ArchiveKey,
): Promise<AsyncIterable<Uint8Array>> => {
  const { Encrypter } = await age()
  const encrypter = new Encrypter()
  if ('passphrase' in sealing) {
    if (sealing.passphrase.length < PASSPHRASE_CHARS_MIN) {
      throw new BackupRefused('BACKUP_LOCKED', `a passphrase has at least ${PASSPHRASE_CHARS_MIN} characters`)
    }
    encrypter.setPassphrase(sealing.passphrase)
  } else {
    for (const recipient of sealing.recipients) {
      try {
        encrypter.addRecipient(recipient)
      } catch {
        throw new BackupRefused('BACKUP_LOCKED', `${recipient.slice(0, 80)} is no recipient of age`)
      }
    }
  }
  return await encrypter.encrypt(streamOf(source))
}

/** The first bytes of a stream, and a stream of all of it. */
const peeked = async (source: AsyncIterable<Uint8Array>, enough: (bytes: Uint8Array) => boolean) => {
  const chunks = source[Symbol.asyncIterator]()
  let first: Uint8Array = new Uint8Array()
  while (!enough(first)) {
    const { done, value } = await chunks.next()
    if (done === true) break
    first = Buffer.concat([first, value])
  }
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    try {
      if (first.length > 0) yield first
      for (;;) {
        const { done, value } = await chunks.next()
        if (done === true) return
        yield value
      }
    } finally {
      await chunks.return?.()
    }
  }
  return { first, whole: whole() }
}

const isAge = (first: Uint8Array): boolean => equalBytes(first.subarray(0, AGE_FAMILY.length), AGE_FAMILY)

async function* opened(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause) throw cause // The file could not be read: that accuses no byte.
    throw damaged('encryption', 'the archive is altered or cut short')
  }
}

/**
 * The bytes of an archive, whether it is encrypted or not.
 *
 * @throws BackupRefused BACKUP_LOCKED when it is and nothing given opens it; BACKUP_DAMAGED while reading.
 */
export const decrypted = async (
  source: AsyncIterable<Uint8Array>,
  { passphrase, identities = [] }: Opening,
): Promise<AsyncIterable<Uint8Array>> => {
  const { first, whole } = await peeked(source, (bytes) => {
    if (bytes.length < AGE_FAMILY.length) return false
    return !isAge(bytes) || bytes.length >= HEADER_BYTES_MAX || Buffer.from(bytes).includes(HEADER_END)
  })
  if (!isAge(first)) return whole
  if (!Buffer.from(first.subarray(0, HEADER_BYTES_MAX)).includes(HEADER_END)) {
    throw damaged('encryption', 'its header has no end')
  }
  if (passphrase === undefined && identities.length === 0) {
    throw new BackupRefused('BACKUP_LOCKED', 'the archive is encrypted: a passphrase or an identity is needed')
  }
  const { Decrypter } = await age()
  const decrypter = new Decrypter()
  if (passphrase !== undefined) decrypter.addPassphrase(passphrase)
  for (const identity of identities) {
    try {
      decrypter.addIdentity(identity)
    } catch {
      throw new BackupRefused('BACKUP_LOCKED', 'what is given as an identity is none of age')
    }
  }
  try {
    return opened(await decrypter.decrypt(streamOf(whole)))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new BackupRefused('BACKUP_LOCKED', `the archive cannot be opened with what is given: ${why}`)
  }
}
