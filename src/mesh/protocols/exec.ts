import { LINK_FRAME_BYTES_MAX } from '#domain/network/links/frames.ts'
import { dialogue } from '#mesh/dialogue.ts'

/** Contributed work: what requesters and workers say to each other, on one stream that stays open. */
export const execDialogue = dialogue({
  name: '/tickmesh/exec/1',
  frameBytesMax: LINK_FRAME_BYTES_MAX,
  // One of each side, and one of before that has not ended yet.
  streamsInMax: 2,
  streamsOutMax: 2,
  // A stream on which nothing is said is quiet, not slow.
  stepMs: 86_400_000,
  timeoutMs: 86_400_000,

  answer: ({ links }) => links?.answer,
})
