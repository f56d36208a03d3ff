import { fromBase64, toBase64 } from './bytes.ts'
import { type Checkpoint, openCheckpoint } from './checkpoint.ts'
import { Fault } from './fault.ts'
import { LEVELS_MAX, verifyInclusion } from './merkle.ts'
import type { VerifiedSignature, Verifier } from './note.ts'
import { NOTE_BYTES_MAX } from './note.ts'

const HEADER = 'c2sp.org/tlog-proof@v1'
/** Characters of a proof text: the note, the path and two short lines. */
export const PROOF_CHARS_MAX = NOTE_BYTES_MAX + 46 * LEVELS_MAX + 8_192

/** A C2SP tlog-proof v1 taken apart, nothing of it verified. */
export interface TlogProof {
  readonly index: number
  readonly path: readonly Uint8Array[]
  /** The signed note, verbatim. */
  readonly checkpoint: string
  /** Opaque and unauthenticated; ours carries none. */
  readonly extra?: Uint8Array
}

const refuse = (why: string): never => {
  throw new Fault('BAD_SIGNATURE', why)
}

/** The text of a proof. */
export const encodeTlogProof = ({ index, path, checkpoint, extra }: TlogProof): string => {
  const lines = [HEADER, ...(extra === undefined ? [] : [`extra ${toBase64(extra)}`]), `index ${index}`]
  return `${[...lines, ...path.map(toBase64)].join('\n')}\n\n${checkpoint}`
}

const decode = (text: string, what: string): Uint8Array => {
  try {
    return fromBase64(text)
  } catch {
    return refuse(`${what} is not base64.`)
  }
}

const parseHash = (line: string): Uint8Array => {
  const hash = decode(line, 'A hash of the inclusion path')
  return hash.length === 32 ? hash : refuse('A hash of the inclusion path has 32 bytes.')
}

/** Reads a proof text. @throws Fault BAD_SIGNATURE saying what is not of the form. */
export const parseTlogProof = (text: string): TlogProof => {
  if (text.length > PROOF_CHARS_MAX) return refuse(`A proof is at most ${PROOF_CHARS_MAX} characters.`)
  const split = text.indexOf('\n\n')
  if (split < 0) return refuse('A proof has an empty line before its checkpoint.')
  const [header, ...lines] = text.slice(0, split).split('\n')
  if (header !== HEADER) return refuse(`A proof begins with ${HEADER}.`)
  const extraLine = lines[0]?.startsWith('extra ') ? lines.shift() : undefined
  const index = /^index (0|[1-9][0-9]{0,15})$/.exec(lines.shift() ?? '')?.[1]
  if (index === undefined || !Number.isSafeInteger(Number(index))) return refuse('A proof has one line `index N`.')
  if (lines.length > LEVELS_MAX) return refuse(`An inclusion path has at most ${LEVELS_MAX} hashes.`)
  const proof = { index: Number(index), path: lines.map(parseHash), checkpoint: text.slice(split + 2) }
  return extraLine === undefined ? proof : { ...proof, extra: decode(extraLine.slice(6), 'The extra data') }
}

/**
 * Verifies a proof text for a leaf hash: the checkpoint under the log's key and origin, cosignatures of the witnesses
 * given, and the inclusion path.
 *
 * @throws Fault BAD_SIGNATURE saying what does not hold.
 */
export const verifyTlogProof = (
  text: string,
  leafHash: Uint8Array,
  keys: { readonly log: Verifier; readonly witnesses?: readonly Verifier[] },
): { readonly index: number; readonly checkpoint: Checkpoint; readonly cosignatures: readonly VerifiedSignature[] } => {
  const proof = parseTlogProof(text)
  const { checkpoint, cosignatures } = openCheckpoint(proof.checkpoint, keys.log, keys.witnesses)
  const { index, path } = proof
  const included = verifyInclusion({ leafHash, index, path, size: checkpoint.size, root: checkpoint.root })
  if (!included) return refuse('The leaf is not in the tree of the checkpoint.')
  return { index, checkpoint, cosignatures }
}
