import { ANSWER_BYTES_MAX, QUESTION_BYTES_MAX } from '#domain/compute/reactor/away.ts'
import { exchange } from '#mesh/exchange.ts'

/** The next step of a reactor that runs elsewhere: a question that is kept until there is one, for a while. */
export const reactorExchange = exchange({
  name: '/tickmesh/reactor/1',
  questionBytesMax: QUESTION_BYTES_MAX,
  frames: 1,
  frameBytesMax: ANSWER_BYTES_MAX,
  // Each follower of a reactor holds one open while it waits.
  streamsInMax: 8,
  streamsOutMax: 8,
  // Longer than a question is kept, so that "nothing yet" arrives as an answer.
  timeoutMs: 15_000,

  answer: ({ reactors }) => reactors && (async (node, question) => [await reactors.answer(node, question)]),
  read: ([answer]) => answer ?? new Uint8Array(0),
})
