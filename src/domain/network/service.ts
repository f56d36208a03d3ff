import { assert } from '#core/assert.ts'
import { ACTIVE_TICKS } from './activity.ts'
import { addressesOf, createContext, type NetworkContext, type NetworkOptions } from './context.ts'
import { createCosigned } from './cosigned/cosigned.ts'
import { createGossip } from './gossip.ts'
import { createLookup } from './lookup/lookup.ts'
import { createPeering } from './peering.ts'
import { successorOf } from './succession.ts'
import { createSync } from './sync/sync.ts'
import type { Network } from './types.ts'
import type { NetworkStatus, PeerView, RedisStatus } from './views.ts'
import { createWhenOf } from './when.ts'

export type { NetworkOptions }

/** Peers and heads that one status shows: the connected ones first, then those heard of last. */
const SHOWN_MAX = 256

const shown = (all: readonly PeerView[]): readonly PeerView[] => {
  const byNews = all.toReversed()
  return [...byNews.filter((it) => it.connected), ...byNews.filter((it) => !it.connected)].slice(0, SHOWN_MAX)
}

/** The peers known, each with who took its place. */
const peersOf = ({ peers, options: { keeping } }: NetworkContext): readonly PeerView[] =>
  keeping === undefined
    ? peers.list()
    : peers.list().map((it) => ({ ...it, superseded_by: successorOf(keeping.store, it.node) ?? null }))

const redisOff: RedisStatus = { state: 'off', reason: null, since: null, failures: 0, passed_over: 0 }

const statusOf = (context: NetworkContext): NetworkStatus => {
  const { options, activity, heads, tally } = context
  const { tick, meshTick, phase } = context.moment()
  const all = peersOf(context)
  const active = (it: PeerView): boolean => it.connected || meshTick - it.last_seen < ACTIVE_TICKS
  const last = activity.last()
  const recent = activity.recent(meshTick)
  return {
    node: context.nodeId,
    addresses: [...addressesOf(context)],
    private: options.secrets.length > 0,
    policy: options.policy,
    tick,
    mesh_tick: meshTick,
    phase,
    coherenceScore: options.coherence() ?? null,
    recentGossipCount: recent,
    lastGossip: recent,
    lastGossipTick: last === undefined ? null : last - options.genesisMeshTick,
    meshSize: 1 + all.filter((it) => it.connected).length,
    activeNodes: 1 + all.filter(active).length,
    peers: shown(all),
    heads: heads.list().slice(-SHOWN_MAX).toReversed(),
    equivocations: heads.equivocations(),
    sources: [...(context.sync?.sources() ?? [])].sort((a, b) => b.behind - a.behind).slice(0, SHOWN_MAX),
    redis: options.redis?.() ?? redisOff,
    counters: structuredClone(tally),
  }
}

/** The node's network service. Everything it keeps is in memory and bounded; nothing in it decides over value. */
export const createNetwork = (options: NetworkOptions): Network => {
  const context = createContext(options)
  if (options.keeping !== undefined) {
    context.sync = createSync(context, options.keeping)
    context.cosigned = createCosigned(context, options.keeping)
  }
  const lookup = options.keeping === undefined ? undefined : createLookup(context, options.keeping)
  const gossip = createGossip(context)
  return {
    nodeId: context.nodeId,
    status: () => statusOf(context),
    counters: () => structuredClone(context.tally),
    redis: () => options.redis?.() ?? redisOff,
    peers: () => peersOf(context),
    connected: context.peers.connected,
    heads: context.heads.list,
    equivocations: context.heads.equivocations,
    receive: gossip.receive,
    announce: gossip.announce,
    record: async (type, payload) => {
      assert(options.keeping !== undefined, 'a network that records has a store')
      return options.keeping.recorder.record(type, payload)
    },
    sync: context.sync,
    cosigned: context.cosigned,
    lookup,
    whenOf: createWhenOf(options.keeping?.policy, context.cosigned),
    peering: createPeering(context, gossip),
    attach: (outlet) => {
      assert(!context.outlets.has(outlet.transport), 'one transport of a kind at a time')
      context.outlets.set(outlet.transport, outlet)
      outlet.listen(gossip.shards())
      return {
        [Symbol.dispose]: () => {
          context.outlets.delete(outlet.transport)
        },
      }
    },
  }
}
