import { ADD_CHECKPOINT_BYTES_MAX } from '#core/add-checkpoint.ts'
import { fromUtf8, utf8 } from '#core/bytes.ts'
import type { WitnessAnswer } from '#domain/network/witness/admission.ts'
import { ANSWER_BYTES_MAX, type PushAnswer } from '#domain/network/witness/transport.ts'
import { exchange } from '#mesh/exchange.ts'

const framesOf = ({ status, body }: WitnessAnswer): readonly Uint8Array[] => [utf8(String(status)), utf8(body)]

/** The add-checkpoint body of C2SP tlog-witness, unchanged; the answer is status and body, as HTTP has them. */
export const witnessExchange = exchange({
  name: '/tickmesh/witness/1',
  questionBytesMax: ADD_CHECKPOINT_BYTES_MAX,
  frames: 2,
  frameBytesMax: ANSWER_BYTES_MAX,
  // A push of a neighbour, with room for tries that still wait for the disk.
  streamsInMax: 4,
  streamsOutMax: 4,
  // A witness commits what it has seen before it answers.
  timeoutMs: 10_000,

  answer: ({ witness }) => witness && (async (node, body) => framesOf(await witness.admission.add(body, node))),
  read: ([status, body]): PushAnswer => {
    const digits = fromUtf8(status ?? new Uint8Array(0))
    if (!/^[1-5][0-9]{2}$/.test(digits)) throw new Error('the answer has no status')
    return { status: Number(digits), body: fromUtf8(body ?? new Uint8Array(0)) }
  },
})
