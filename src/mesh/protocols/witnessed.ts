import { fromUtf8, utf8 } from '#core/bytes.ts'
import { STATEMENT_BYTES_MAX } from '#core/witness-key.ts'
import { ANSWER_BYTES_MAX, type WitnessState } from '#domain/network/witness/transport.ts'
import { exchange } from '#mesh/exchange.ts'

const ORIGIN_BYTES_MAX = 256

/** The witness's word about its key, and the note, empty if there is none. */
const framesOf = ({ statement, note }: WitnessState): readonly Uint8Array[] => [statement, utf8(note)]

/** What tlog-witness lets monitors read, for one log: the question is its origin. First comes the witness's key. */
export const witnessedExchange = exchange({
  name: '/tickmesh/witnessed/1',
  questionBytesMax: ORIGIN_BYTES_MAX,
  frames: 2,
  frameBytesMax: STATEMENT_BYTES_MAX + ANSWER_BYTES_MAX,
  // As many as pushes: it is asked beside them.
  streamsInMax: 4,
  streamsOutMax: 4,
  // It is read from memory: nothing has to be written first.
  timeoutMs: 5_000,

  answer: ({ witness }) => witness && (async (_node, origin) => framesOf(witness.stateOf(fromUtf8(origin)))),
  read: ([statement, note]): WitnessState => ({
    statement: statement ?? new Uint8Array(0),
    note: fromUtf8(note ?? new Uint8Array(0)),
  }),
})
