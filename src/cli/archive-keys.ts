import type { ArchiveKey, Opening } from '#node/backup.ts'
import type { Invocation } from './command.ts'
import { exits } from './exit.ts'
import { readBounded } from './files.ts'
import { CliError, usageError } from './problem.ts'

/** Bytes of a file with a passphrase or identities. */
const FILE_BYTES_MAX = 65_536
/** Recipients of one archive. */
const RECIPIENTS_MAX = 32

/** Options of every command that opens an archive. */
export const openingOptions = [
  { flags: '--passphrase-file <file>', help: 'file with the passphrase, - for stdin; else TICKMESH_BACKUP_PASSPHRASE' },
  { flags: '--identity-file <file>', help: 'file with age identities (AGE-SECRET-KEY-1…), - for stdin' },
] as const

/** Options of the command that writes one. */
export const sealingOptions = [
  {
    flags: '--passphrase-file <file>',
    help: 'encrypt by the passphrase in this file, - for stdin; else as the variable says',
  },
  { flags: '--recipients <list>', help: 'encrypt for these age recipients (age1…), with commas between them' },
] as const

const readText = async (file: string): Promise<string> => {
  const bytes = await readBounded(file, FILE_BYTES_MAX).catch((error: Error) => {
    throw new CliError(exits.couldNotCheck, `${file} cannot be read: ${error.message}`, { code: 'NO_KEY' })
  })
  if (bytes === undefined) throw usageError(`${file} is larger than ${FILE_BYTES_MAX} bytes`)
  return new TextDecoder().decode(bytes)
}

const passphraseOf = async ({ options: { passphraseFile } }: Invocation): Promise<string | undefined> => {
  const given =
    typeof passphraseFile === 'string'
      ? (await readText(passphraseFile)).replace(/\r?\n$/, '')
      : process.env['TICKMESH_BACKUP_PASSPHRASE']
  if (typeof passphraseFile === 'string' && given === '') throw usageError(`${passphraseFile} holds no passphrase`)
  return given === '' ? undefined : given
}

/** Whom an archive is to be encrypted for; undefined for nobody. @throws CliError */
export const sealingOf = async (invocation: Invocation): Promise<ArchiveKey | undefined> => {
  const { recipients: list, passphraseFile } = invocation.options
  if (typeof list !== 'string') {
    const passphrase = await passphraseOf(invocation)
    return passphrase === undefined ? undefined : { passphrase }
  }
  if (passphraseFile !== undefined)
    throw usageError('an archive is encrypted by a passphrase or for recipients, not both')
  const recipients = list.split(',').map((it) => it.trim())
  if (recipients.length > RECIPIENTS_MAX || recipients.includes('')) {
    throw usageError(`--recipients takes 1 to ${RECIPIENTS_MAX} recipients with commas between them`)
  }
  return { recipients }
}

/** What may open an archive. @throws CliError */
export const openingOf = async (invocation: Invocation): Promise<Opening> => {
  const { identityFile } = invocation.options
  const passphrase = await passphraseOf(invocation)
  const lines = typeof identityFile === 'string' ? (await readText(identityFile)).split('\n') : []
  const identities = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  if (typeof identityFile === 'string' && identities.length === 0) throw usageError(`${identityFile} holds no identity`)
  return { ...(passphrase !== undefined && { passphrase }), ...(identities.length > 0 && { identities }) }
}
