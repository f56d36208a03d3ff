import { createHeard } from './pace.ts'
import type { PeerView } from './views.ts'

/** Nodes kept in memory; beyond this the one silent for longest, and not connected, goes. */
const PEERS_MAX = 1_024

type Facts = Partial<Omit<PeerView, 'node' | 'last_seen' | 'superseded_by'>>

/** Nodes that this one is or was in touch with, in memory. */
export interface Peers {
  /** Notes that a node was heard of, and what was learnt. */
  note(node: string, meshTick: number, facts?: Facts): void
  /** Changes what is known of a node without having heard of it. */
  amend(node: string, facts: Facts): void
  get(node: string): PeerView | undefined
  list(): readonly PeerView[]
  /** Node ids of those that are connected. */
  connected(): string[]
  /** How many nodes were heard of of late: that may be more than are listed. */
  heard(meshTick: number): number
}

const stranger = (node: string, meshTick: number): PeerView => ({
  node,
  connected: false,
  address: null,
  state: 'unknown',
  reasons: [],
  version: null,
  registry_version: null,
  mode: null,
  kernels: null,
  policy: null,
  genesisTick: null,
  head: null,
  skew_ticks: null,
  rtt_ms: null,
  last_seen: meshTick,
  superseded_by: null,
})

/** No peers known yet. @param heardMax nodes that are counted at most. */
export const createPeers = (heardMax: number): Peers => {
  const heard = createHeard(heardMax)
  /** The one heard of last stands last. */
  const known = new Map<string, PeerView>()

  const makeRoom = (): void => {
    if (known.size < PEERS_MAX) return
    for (const [node, peer] of known) {
      if (peer.connected) continue
      known.delete(node)
      return
    }
  }

  return {
    note: (node, meshTick, facts = {}) => {
      heard.note(node, meshTick)
      const before = known.get(node)
      if (before === undefined) makeRoom()
      known.delete(node)
      known.set(node, { ...(before ?? stranger(node, meshTick)), ...facts, last_seen: meshTick })
    },
    amend: (node, facts) => {
      const before = known.get(node)
      if (before !== undefined) known.set(node, { ...before, ...facts })
    },
    get: (node) => known.get(node),
    list: () => [...known.values()],
    connected: () => [...known.values()].filter((it) => it.connected).map((it) => it.node),
    heard: heard.count,
  }
}
