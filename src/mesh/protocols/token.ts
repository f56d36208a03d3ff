import { FRAME_BYTES_MAX } from '#domain/economy/abroad/forms.ts'
import { dialogue } from '#mesh/dialogue.ts'

/** Tokens between nodes: ops for their home, and what a home says of tokens to those whose they are. */
export const tokenDialogue = dialogue({
  name: '/tickmesh/token/1',
  frameBytesMax: FRAME_BYTES_MAX,
  // Four arrivals go on at once, and a node of before is asked for four bundles at once, beside an op and a push.
  streamsInMax: 8,
  streamsOutMax: 8,
  // A home commits before it answers, and a list of two million is checked before that.
  stepMs: 30_000,
  timeoutMs: 600_000,

  answer: ({ tokens }) => tokens?.answer,
})
