import { FRAME_BYTES_MAX } from '#domain/network/sync/limits.ts'
import { conversation } from '#mesh/protocol.ts'

/**
 * Brings the event logs of all sources from whoever has them further: on every new connection, when a head of an event
 * log is announced that is ahead of what is here, and every few ticks with some peer.
 */
export const syncProtocol = conversation({
  name: '/tickmesh/sync/1',
  frameBytesMax: FRAME_BYTES_MAX,
  // One sync at a time with each peer; where both have opened one, that of the smaller node id stands.
  streamsInMax: 2,
  streamsOutMax: 1,
  stepMs: 10_000,
  timeoutMs: 600_000,

  talk: async ({ sync }, node, { wire, opener }) => {
    if (sync === undefined) throw new Error('nothing is kept here')
    const outcome = await sync.run(node, wire, opener)
    if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.detail}`)
  },
})
