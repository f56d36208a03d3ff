import { ANSWER_BYTES_MAX, QUESTION_BYTES_MAX } from '#domain/compute/reactor/away.ts'
import type { Exchange } from '#mesh/exchange.ts'

/** The next step of a reactor that runs elsewhere: a question that is kept until there is one, for a while. */
export const reactorExchange: Exchange = {
  name: '/tickmesh/reactor/1',
  questionBytesMax: QUESTION_BYTES_MAX,
  frames: 1,
  frameBytesMax: ANSWER_BYTES_MAX,
  streamsInMax: 8,
  streamsOutMax: 8,
  timeoutMs: 15_000,
}
