import { fromBase64, toBase64 } from './bytes.ts'
import { Fault } from './fault.ts'
import type { Signer } from './keys.ts'
import { openNote, signNote, signNoteWith, type VerifiedSignature, type Verifier, verifierOf } from './note.ts'

/** A tree head (C2SP tlog-checkpoint). Ours has no extension lines: witnesses do not vouch for them. */
export interface Checkpoint {
  /** The log's name, which holds node id and genesis. */
  readonly origin: string
  /** Leaves in the tree. */
  readonly size: number
  /** 32 bytes. */
  readonly root: Uint8Array
}

const refuse = (why: string): never => {
  throw new Fault('BAD_SIGNATURE', why)
}

/** The note text of a checkpoint: origin, size, base64 root, each on its line. */
export const checkpointText = (checkpoint: Checkpoint): string =>
  `${checkpoint.origin}\n${checkpoint.size}\n${toBase64(checkpoint.root)}\n`

/** Reads a checkpoint's text. @throws Fault BAD_SIGNATURE for any other spelling, and for extension lines. */
export const parseCheckpoint = (text: string): Checkpoint => {
  const { extensions, ...checkpoint } = parseAnyCheckpoint(text)
  return extensions === 0 ? checkpoint : refuse('A checkpoint has three lines, and no extension lines here.')
}

/**
 * As {@link parseCheckpoint}, with the extension lines that C2SP lets other logs have: they are opaque, and signed with
 * the rest. @throws Fault BAD_SIGNATURE
 */
export const parseAnyCheckpoint = (text: string): Checkpoint & { readonly extensions: number } => {
  const lines = text.split('\n')
  const [origin = '', sizeText = '', rootText = '', ...rest] = lines
  if (lines.length < 4 || rest.at(-1) !== '') return refuse('A checkpoint has at least three lines.')
  if (rest.slice(0, -1).includes('')) return refuse('An extension line is not empty.')
  if (origin === '') return refuse('A checkpoint names its origin.')
  const size = Number(sizeText)
  if (!/^(0|[1-9][0-9]{0,15})$/.test(sizeText) || !Number.isSafeInteger(size))
    return refuse('The tree size is not a number.')
  let root: Uint8Array
  try {
    root = fromBase64(rootText)
  } catch {
    return refuse('The root is not base64.')
  }
  if (root.length !== 32) return refuse('A root has 32 bytes.')
  return { origin, size, root, extensions: rest.length - 1 }
}

/** Signs a checkpoint; the key's name is the origin. @param seed of the identity key. */
export const signCheckpoint = (checkpoint: Checkpoint, publicKey: Uint8Array, seed: Uint8Array): string =>
  signNote(checkpointText(checkpoint), verifierOf(checkpoint.origin, publicKey), seed)

/** As {@link signCheckpoint}, through a signer that may work on another thread. */
export const signCheckpointWith = (checkpoint: Checkpoint, signer: Signer): Promise<string> =>
  signNoteWith(checkpointText(checkpoint), checkpoint.origin, signer)

/**
 * Opens a checkpoint note: it must be signed by `log`, and its origin must be that key's name. Signatures of the
 * witnesses given are verified too and answered; others are ignored.
 *
 * @throws Fault BAD_SIGNATURE
 */
export const openCheckpoint = (
  note: string,
  log: Verifier,
  witnesses: readonly Verifier[] = [],
): { readonly checkpoint: Checkpoint; readonly cosignatures: readonly VerifiedSignature[] } => {
  const { text, signatures } = openNote(note, [log, ...witnesses])
  const checkpoint = parseCheckpoint(text)
  if (checkpoint.origin !== log.name) return refuse('The origin is not the name of the key.')
  if (!signatures.some((it) => it.verifier === log)) return refuse('The log itself did not sign this checkpoint.')
  return { checkpoint, cosignatures: signatures.filter((it) => it.verifier !== log) }
}
