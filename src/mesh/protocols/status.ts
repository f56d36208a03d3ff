import { assert } from '#core/assert.ts'
import { protocol } from '#mesh/protocol.ts'

/**
 * Both sides show themselves: a handshake (empty in an open mesh) and a canonical status document. Asked on every new
 * connection and every few ticks after that.
 */
export const statusProtocol = protocol({
  name: '/tickmesh/status/1',
  frames: 2,
  // A status document is a few kilobytes, of which the addresses are most.
  frameBytesMax: 16_384,
  // Both sides ask when they meet, and again every few ticks.
  streamsInMax: 4,
  streamsOutMax: 4,
  timeoutMs: 5_000,

  own: (peering) => peering.ownStatus(),

  take: (peering, node, [handshake, document], rttMs) => {
    assert(handshake !== undefined && document !== undefined, 'a status has two frames')
    peering.statusOf(node, [handshake, document], rttMs)
  },
})
