import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fromHex } from '#core/bytes.ts'
import { nodeIdOf, publicKeyOfSeed } from '#core/keys.ts'
import { parseNote, verifyNote } from '#core/note.ts'
import { witnessVerifier } from '#core/witness-key.ts'
import { WITNESS_KEY } from '#store/backup/key-files.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Rows } from '#store/layout.ts'
import { holds } from '#store/rows/witness.ts'
import type { Fsck, WitnessKeyState } from './report.ts'

const KEY = /^[0-9a-f]{64}$/
/** Bits of a mode that let others in. */
const FOREIGN_BITS = 0o077

const refuse = (what: string): never => {
  throw new CorruptRow('file', WITNESS_KEY, what)
}

const readKey = (path: string): string | undefined => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  if (!found.isFile()) refuse('it is no file')
  const mode = found.mode & 0o777
  if (process.platform !== 'win32' && (mode & FOREIGN_BITS) !== 0) {
    refuse(`it can be read by others (mode ${mode.toString(8)}): chmod 600 it`)
  }
  const text = readFileSync(path, 'utf8').trim()
  if (!KEY.test(text)) refuse('it does not hold a key of 64 hex digits, and a node does not start with it')
  return text
}

/**
 * Holds the witness key against the data: a node starts with it, it is not the identity key of any era, and what the
 * data say it cosigned it did.
 *
 * @param nodes ids of the node, of its eras too.
 * @throws CorruptRow naming the file.
 */
export const checkWitnessKey = async (
  { database, step }: Fsck<Rows>,
  directory: string,
  nodes: readonly string[],
): Promise<WitnessKeyState> => {
  const text = readKey(join(directory, WITNESS_KEY))
  if (text === undefined) return 'none'
  const publicKey = publicKeyOfSeed(fromHex(text))
  if (nodes.includes(nodeIdOf(publicKey))) refuse('it is the identity key, and a witness has a key of its own')
  const verifiers = nodes.map((node) => witnessVerifier(node, publicKey))
  const names = verifiers.map(({ name }) => name)
  let [cosigned, fits] = [0, 0]
  for await (const [key, { note }] of database.range('witnessed')) {
    step('accounts')
    if (note === '') continue
    cosigned += 1
    const { text, signatures } = parseNote(note)
    const lines = signatures.filter(({ name }) => names.includes(name))
    if (lines.length === 0) throw new CorruptRow('witnessed', key, 'this node has not cosigned it')
    const own = lines.filter(({ keyId }) => verifiers.some((it) => it.keyId === keyId))
    if (own.length === 0) continue
    fits += 1
    holds('witnessed', key, () => verifyNote({ text, signatures: own, lines: [] }, verifiers))
  }
  return cosigned === 0 ? 'unused' : fits === 0 ? 'other' : 'fits'
}
