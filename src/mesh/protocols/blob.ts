import { PIECE_BYTES_MAX } from '#domain/network/blobs/frames.ts'
import { dialogue } from '#mesh/dialogue.ts'

/** Values by name: inputs, states, records and what was signed about a work. */
export const blobDialogue = dialogue({
  name: '/tickmesh/blob/1',
  frameBytesMax: PIECE_BYTES_MAX,
  streamsInMax: 8,
  streamsOutMax: 8,
  stepMs: 30_000,
  timeoutMs: 600_000,

  answer: ({ blobs }) => blobs?.answer,
})
