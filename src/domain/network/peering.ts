import type { NetworkContext } from './context.ts'
import type { Gossip } from './gossip.ts'
import type { Peering } from './outlet.ts'
import { createRememberedPeers } from './remembered-peers.ts'
import { type Reason, readStatus, type StatusDocument, statusFrames } from './status-document.ts'

/** Clocks this far apart are said to differ. */
const SKEW_TICKS = 2

const ownDocument = ({ options, nodeId }: NetworkContext, meshTick: number): StatusDocument => ({
  v: 1,
  node: nodeId,
  version: options.version,
  genesisTick: options.genesisMeshTick,
  head: options.ownHead() ?? null,
  registry_version: options.registryVersion,
  policy: options.policy,
  mesh_tick: meshTick,
})

/** What of a peer's status does not fit this node's. */
const misfits = ({ options, takeHead }: NetworkContext, document: StatusDocument, meshTick: number): Reason[] => {
  const reasons: Reason[] = []
  if (document.registry_version !== options.registryVersion) reasons.push('other_registry')
  if (document.policy !== options.policy) reasons.push('other_policy')
  if (Math.abs(document.mesh_tick - meshTick) >= SKEW_TICKS) reasons.push('clock_skew')
  try {
    if (document.head !== null) takeHead(document.node, document.head)
  } catch {
    reasons.push('bad_head')
  }
  return reasons
}

/** What a transport may tell the network service. */
export const createPeering = (context: NetworkContext, gossip: Gossip): Peering => {
  const { peers, moment, options } = context
  const { secrets } = options
  const unfit = (node: string, reason: Reason): void => {
    peers.amend(node, { state: 'incompatible', reasons: [reason] })
  }
  const { keeping } = options
  const memory =
    keeping === undefined ? undefined : createRememberedPeers(keeping.store, options.log, moment().meshTick)
  return {
    beat: () => {
      gossip.beat()
      memory?.beat(moment().meshTick, peers.connected)
    },
    reached: (node, address) => memory?.reached(node, address, moment().meshTick),
    told: (node, addresses) => memory?.told(node, addresses, moment().meshTick),
    remembered: async () => (await memory?.list(moment().meshTick)) ?? [],
    placesOf: async (node) => (await memory?.placesOf(node)) ?? [],
    remember: async () => memory?.save(moment().meshTick, peers.connected()),
    connected: (node, address) => peers.note(node, moment().meshTick, { connected: true, address }),
    listening: gossip.greet,
    disconnected: (node) => peers.amend(node, { connected: false }),
    ownStatus: () => {
      const { meshTick } = moment()
      return statusFrames(ownDocument(context, meshTick), { secrets, meshTick })
    },
    statusOf: (node, frames, rttMs) => {
      const { meshTick } = moment()
      const read = readStatus(node, frames, { secrets, meshTick })
      if ('reason' in read) return unfit(node, read.reason)
      const { version, registry_version, policy, genesisTick, mesh_tick } = read.document
      const reasons = misfits(context, read.document, meshTick)
      peers.note(node, meshTick, {
        ...{ version, registry_version, policy, genesisTick, reasons },
        state: reasons.length === 0 ? 'compatible' : 'incompatible',
        skew_ticks: mesh_tick - meshTick,
        ...(rttMs === undefined ? {} : { rtt_ms: rttMs }),
      })
    },
    statusFailed: (node, why) => {
      options.log.debug({ node, why }, 'peer_without_status')
      unfit(node, 'no_status')
    },
  }
}
