import { ANSWER_BYTES_MAX, QUESTION_BYTES_MAX } from '#domain/network/lookup/frames.ts'
import { exchange } from '#mesh/exchange.ts'

/** Events by what they name, each with its proof: for whoever does not keep the logs that they stand in. */
export const lookupExchange = exchange({
  name: '/tickmesh/index/1',
  questionBytesMax: QUESTION_BYTES_MAX,
  frames: 1,
  frameBytesMax: ANSWER_BYTES_MAX,
  streamsInMax: 2,
  // As many as names may be asked about at once.
  streamsOutMax: 8,
  timeoutMs: 5_000,

  answer: ({ network }) => {
    const lookup = network?.lookup
    return lookup && (async (_node, question) => [await lookup.answer(question)])
  },
  read: ([answer]) => answer ?? new Uint8Array(0),
})
