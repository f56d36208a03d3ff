import { equalBytes, fromBase64, fromUtf8, toBase64 } from './bytes.ts'
import { type Checkpoint, parseAnyCheckpoint } from './checkpoint.ts'
import { Fault } from './fault.ts'
import { emptyRoot, verifyConsistency } from './merkle.ts'
import { NOTE_BYTES_MAX, type OpenNote, parseNote } from './note.ts'

/** Lines of a consistency proof in an add-checkpoint body (C2SP tlog-witness). */
export const PROOF_LINES_MAX = 63
const PROOF_LINE_BYTES = 45
/** `old `, 16 digits, line feed, and the empty line after the proof. */
const OLD_LINE_BYTES_MAX = 22
/** Bytes of an add-checkpoint body. */
export const ADD_CHECKPOINT_BYTES_MAX = OLD_LINE_BYTES_MAX + PROOF_LINES_MAX * PROOF_LINE_BYTES + NOTE_BYTES_MAX
/** Content type of the answer 409, whose body is the size and a line feed. */
export const SIZE_TYPE = 'text/x.tlog.size'

/** What a log pushes to a witness, taken apart; no signature of it is verified. */
export interface AddCheckpoint {
  readonly oldSize: number
  readonly proof: readonly Uint8Array[]
  readonly checkpoint: Checkpoint & { readonly extensions: number }
  readonly note: OpenNote
}

const refuse = (why: string): never => {
  throw new Fault('INVALID_INPUT', why)
}

/** The body of add-checkpoint. The note goes in verbatim. */
export const addCheckpointBody = (oldSize: number, proof: readonly Uint8Array[], note: string): string =>
  `old ${oldSize}\n${proof.map((hash) => `${toBase64(hash)}\n`).join('')}\n${note}`

const sizeOf = (line: string): number => {
  const digits = /^old (0|[1-9][0-9]{0,15})$/.exec(line)?.[1]
  const size = Number(digits)
  return digits !== undefined && Number.isSafeInteger(size) ? size : refuse('The first line is `old <size>`.')
}

const hashOf = (line: string): Uint8Array => {
  let hash: Uint8Array
  try {
    hash = fromBase64(line)
  } catch {
    return refuse('A line of the proof is not base64.')
  }
  return hash.length === 32 ? hash : refuse('A line of the proof is not one hash of 32 bytes.')
}

const noteOf = (text: string): Pick<AddCheckpoint, 'note' | 'checkpoint'> => {
  try {
    const note = parseNote(text)
    return { note, checkpoint: parseAnyCheckpoint(note.text) }
  } catch (cause) {
    return cause instanceof Fault ? refuse(cause.message) : refuse('This is no note.')
  }
}

/**
 * Reads the body of add-checkpoint (C2SP tlog-witness): old size, at most 63 lines of proof, an empty line, the note.
 *
 * @throws Fault INVALID_INPUT, and nothing else, for whatever bytes are not of that form.
 */
export const parseAddCheckpoint = (bytes: Uint8Array): AddCheckpoint => {
  if (bytes.length > ADD_CHECKPOINT_BYTES_MAX) refuse(`A body is at most ${ADD_CHECKPOINT_BYTES_MAX} bytes.`)
  let text: string
  try {
    text = fromUtf8(bytes)
  } catch {
    return refuse('The body is not UTF-8.')
  }
  const split = text.indexOf('\n\n')
  if (split < 0) return refuse('An empty line stands before the checkpoint.')
  const [first = '', ...lines] = text.slice(0, split).split('\n')
  const oldSize = sizeOf(first)
  if (lines.length > PROOF_LINES_MAX) return refuse(`A proof has at most ${PROOF_LINES_MAX} lines.`)
  return { oldSize, proof: lines.map(hashOf), ...noteOf(text.slice(split + 2)) }
}

/** The head that a witness cosigned last; size 0 for a log it never cosigned. */
export interface WitnessedHead {
  readonly size: number
  readonly root: Uint8Array
}

/** What a witness answers to a request whose origin it knows and whose signature holds. */
export type AddVerdict =
  | { readonly status: 200 }
  | { readonly status: 400 | 422; readonly why: string }
  | { readonly status: 409; readonly size: number }

/**
 * The rules of tlog-witness that follow those about keys, in its order: old size, what was recorded, the empty tree,
 * the consistency proof. Pure: recording is the caller's, in one step with this.
 */
export const checkAddCheckpoint = (
  { oldSize, proof, checkpoint }: Pick<AddCheckpoint, 'oldSize' | 'proof' | 'checkpoint'>,
  recorded: WitnessedHead | undefined,
): AddVerdict => {
  const { size, root } = checkpoint
  if (oldSize > size) return { status: 400, why: 'The old size is larger than that of the checkpoint.' }
  if (oldSize !== (recorded?.size ?? 0)) return { status: 409, size: recorded?.size ?? 0 }
  if (size === 0 && !equalBytes(root, emptyRoot())) {
    return { status: 422, why: 'The root is not that of the tree without leaves.' }
  }
  if (oldSize === 0) {
    return proof.length === 0 ? { status: 200 } : { status: 422, why: 'From size 0 the proof is empty.' }
  }
  const oldRoot = recorded?.root ?? emptyRoot()
  const continues = verifyConsistency({ oldSize, newSize: size, oldRoot, newRoot: root, path: proof })
  return continues ? { status: 200 } : { status: 422, why: 'The tree does not continue the one cosigned last.' }
}
