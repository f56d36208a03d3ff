import { ANSWER_BYTES_MAX, QUESTION_BYTES_MAX } from '#domain/network/cosigned/frames.ts'
import { exchange } from '#mesh/exchange.ts'

/** When witnesses signed event logs: lines that prove themselves, of whoever keeps them. */
export const cosignedExchange = exchange({
  name: '/tickmesh/cosigned/1',
  questionBytesMax: QUESTION_BYTES_MAX,
  frames: 1,
  frameBytesMax: ANSWER_BYTES_MAX,
  // One question at a time with each peer, and one that was given up and has not ended yet.
  streamsInMax: 2,
  streamsOutMax: 2,
  timeoutMs: 10_000,

  answer: ({ network }) => {
    const cosigned = network?.cosigned
    return cosigned && (async (_node, question) => [cosigned.answer(question)])
  },
  read: ([answer]) => answer ?? new Uint8Array(0),
})
