import { ADD_CHECKPOINT_BYTES_MAX } from '#core/add-checkpoint.ts'
import { fromUtf8, utf8 } from '#core/bytes.ts'
import { STATEMENT_BYTES_MAX } from '#core/witness-key.ts'
import type { WitnessAnswer } from '#domain/network/witness/door.ts'
import { ANSWER_BYTES_MAX, type PushAnswer, type WitnessState } from '#domain/network/witness/transport.ts'
import type { Exchange } from '#mesh/exchange.ts'

/** The add-checkpoint body of C2SP tlog-witness, unchanged; the answer is status and body, as HTTP has them. */
export const witnessExchange: Exchange = {
  name: '/tickmesh/witness/1',
  questionBytesMax: ADD_CHECKPOINT_BYTES_MAX,
  frames: 2,
  frameBytesMax: ANSWER_BYTES_MAX,
  streamsInMax: 4,
  streamsOutMax: 4,
  timeoutMs: 10_000,
}

const ORIGIN_BYTES_MAX = 256

/** What tlog-witness lets monitors read, for one log: the question is its origin. First comes the witness's key. */
export const witnessedExchange: Exchange = {
  name: '/tickmesh/witnessed/1',
  questionBytesMax: ORIGIN_BYTES_MAX,
  frames: 2,
  frameBytesMax: STATEMENT_BYTES_MAX + ANSWER_BYTES_MAX,
  streamsInMax: 4,
  streamsOutMax: 4,
  timeoutMs: 5_000,
}

/** An answer as its two frames. */
export const answerFrames = ({ status, body }: WitnessAnswer): readonly Uint8Array[] => [
  utf8(String(status)),
  utf8(body),
]

/** Reads an answer. @throws Error for frames that are none. */
export const readAnswer = ([status, body]: readonly Uint8Array[]): PushAnswer => {
  const digits = fromUtf8(status ?? new Uint8Array(0))
  if (!/^[1-5][0-9]{2}$/.test(digits)) throw new Error('the answer has no status')
  return { status: Number(digits), body: fromUtf8(body ?? new Uint8Array(0)) }
}

/** What a node has cosigned, as its two frames: its word about the key, and the note, empty if there is none. */
export const stateFrames = ({ statement, note }: WitnessState): readonly Uint8Array[] => [statement, utf8(note)]

/** Reads what a node has cosigned. @throws Error for frames that are none. */
export const readState = ([statement, note]: readonly Uint8Array[]): WitnessState => ({
  statement: statement ?? new Uint8Array(0),
  note: fromUtf8(note ?? new Uint8Array(0)),
})
