import Type, { type TSchema } from 'typebox'
import {
  closed,
  closedModel,
  count,
  finite,
  hex64,
  integer,
  meshTick,
  nodeId,
  oneOf,
  orNull,
  text,
  tick,
} from '#core/schema.ts'
import type { View } from '#core/view.ts'
import { contributionMode } from '#domain/network/views/contribution.ts'

/** What the network answers: this node in the mesh, and as a witness. */

/**
 * Why a message was dropped, one counter each, in the order of the checks (protocol.md, Handshake). `lifted` is a
 * handshake that was made for another event or for another publisher; `stale_event` an event whose own tick is
 * outside the window, which an open mesh has instead of a handshake's.
 */
export const dropReasons = [
  'secret_missing',
  'too_large',
  'missing',
  'stale',
  'bad',
  'lifted',
  'malformed',
  'not_canonical',
  'bad_signature',
  'schema',
  'unknown_type',
  'stale_event',
  'refused',
] as const
export type DropReason = (typeof dropReasons)[number]

/** What came in and went out, counted. */
export const counters = closedModel('GossipCounters', {
  received: closed(
    { http: count(), libp2p: count(), redis: count() },
    { description: 'Events accepted, by entrance.' },
  ),
  repeated: closed({ replayed: count(), duplicate: count() }, { description: 'Repeats, by handshake or by event id.' }),
  dropped: Type.Unsafe<Readonly<Record<DropReason, number>>>(
    Type.Record(Type.String(), count(), { description: 'Messages dropped, by reason.' }),
  ),
  published: count({ description: 'Events handed to libp2p or to Redis, counted for each.' }),
  unpublished: count({
    description: 'Events that libp2p or Redis could not take, and bridged ones for which there was no room.',
  }),
})
export type Counters = View<typeof counters>

/** The entrance over Redis. */
export const redisStatus = closedModel(
  'RedisEntrance',
  {
    state: oneOf(['off', 'closed', 'connecting', 'connected', 'failed'], {
      description: 'off: no address is set. closed: there is no mesh secret, and no connection is made.',
    }),
    reason: orNull(
      oneOf(['MESH_SECRET_MISSING', 'unreachable', 'silent', 'refused', 'tls', 'protocol', 'oversized', 'lost'], {
        description:
          'Why it is closed, or what failed last: nobody there, no answer in time, the user or a right refused, the ' +
          'certificate, another protocol, a message beyond all bounds, a connection that ended.',
      }),
    ),
    since: orNull(tick({ description: 'Node tick since which the state is so; null when off.' })),
    failures: count({ description: 'Connections that failed or ended, of two that it takes.' }),
    passed_over: count({ description: "Messages not looked at, because a tick's share of them was used up." }),
  },
  { description: 'Gossip over a Redis that several nodes share. It holds no value and no state.' },
)
export type RedisStatus = View<typeof redisStatus>

/** A node that this one is or was in touch with. */
export const peer = closedModel('Peer', {
  node: nodeId(),
  connected: Type.Boolean(),
  address: orNull(text(256)),
  state: oneOf(['unknown', 'compatible', 'incompatible'], { description: 'unknown until it has given its status.' }),
  reasons: Type.Array(text(64), { description: 'What does not fit: no_status, not_a_member, other_registry, …' }),
  version: orNull(text(64)),
  registry_version: orNull(text(128)),
  mode: orNull(contributionMode, { description: 'What it says it does for others; null until it has.' }),
  kernels: orNull(hex64(), { description: 'Digest of its kernels, as it says.' }),
  policy: orNull(text(128)),
  genesisTick: orNull(meshTick()),
  head: orNull(closed({ origin: text(256), size: count(), root: text(64) })),
  skew_ticks: orNull(integer({ description: 'Its mesh tick minus ours when it answered last.' })),
  rtt_ms: orNull(finite()),
  last_seen: meshTick(),
  superseded_by: orNull(nodeId(), { description: 'The node whose key took the place of this one.' }),
})
export type PeerView = View<typeof peer>

/** The newest head seen of a log. A gossiped head decides nothing and is never cosigned. */
export const head = closedModel('LogHead', {
  origin: text(256),
  node: nodeId(),
  size: count(),
  root: text(64),
  note: text(4_096),
  seen: meshTick(),
})
export type HeadView = View<typeof head>

/** Newest heads, with whatever else is said of each. */
export const headList = <T extends TSchema>(item: T) =>
  Type.Array(item, { maxItems: 256, description: 'Newest head of each log, as announced. It decides nothing.' })

/** Two validly signed notes of one origin with equal size and unequal roots: proof against their signer. */
const equivocation = closedModel('Equivocation', {
  origin: text(256),
  size: count(),
  notes: Type.Unsafe<readonly [string, string]>(Type.Array(text(4_096), { minItems: 2, maxItems: 2 })),
  seen: meshTick(),
})
export type Equivocation = View<typeof equivocation>

/** One source of lasting events. */
const source = closedModel('EventSource', {
  node: nodeId(),
  origin: text(256),
  size: count({ description: 'Leaves of its event log that are applied here.' }),
  first: count({ description: 'The first leaf that is still kept.' }),
  noted: count({ description: 'Size of the newest note of it that was seen.' }),
  behind: count({ description: 'Leaves that are missing here.' }),
})
export type SourceView = View<typeof source>

/** This node in the mesh: peers, gossip of late, heads and counters. */
export const networkStatus = closedModel('NetworkStatus', {
  node: nodeId(),
  addresses: Type.Array(text(256), { description: 'Multiaddrs it can be reached at.' }),
  private: Type.Boolean({ description: 'Whether a mesh secret is set.' }),
  policy: text(128, { description: 'open, or the SHA-256 of the policy file.' }),
  tick: tick(),
  mesh_tick: meshTick(),
  phase: finite({ minimum: 0, maximum: 1 }),
  coherenceScore: orNull(finite({ description: "The last real verification's coherence; null if there was none." })),
  recentGossipCount: count({ description: 'Events accepted in the last 60 ticks.' }),
  lastGossip: count({ description: 'The same count; the name is kept.' }),
  lastGossipTick: orNull(tick({ description: 'Node tick of the last accepted event.' })),
  meshSize: count({ description: 'This node and those it is connected to.' }),
  activeNodes: count({ description: 'This node and those heard of in the last 60 ticks.' }),
  peers: Type.Array(peer, { maxItems: 256, description: 'The connected ones first.' }),
  heads: headList(head),
  equivocations: Type.Array(equivocation, { description: 'Pairs of notes that prove a log signed two histories.' }),
  sources: Type.Array(source, { maxItems: 256, description: 'Event logs of other nodes; what lacks most first.' }),
  redis: redisStatus,
  counters,
})
export type NetworkStatus = View<typeof networkStatus>

/** How far a log counts here. */
export const standing = closedModel(
  'Standing',
  {
    counts: Type.Boolean(),
    up_to: orNull(count(), { description: 'Leaves from this index on count for nothing; null for no bound.' }),
    because: oneOf(['open', 'policy', 'outside_policy', 'other_policy', 'evidence', 'superseded']),
  },
  { description: 'Whether its tokens, bonds, stakes and events count here, by mesh policy and evidence.' },
)
export type PeerStanding = View<typeof standing>

/** How far one log of this node is cosigned. */
const cosigned = closedModel('Cosigned', {
  origin: text(256),
  size: orNull(count(), { description: 'Of its newest checkpoint.' }),
  witnessed: count({ description: 'Cosignatures of that checkpoint.' }),
  quorum_size: orNull(count(), { description: 'The newest size that met the quorum; without one, that was cosigned.' }),
  witnesses: Type.Array(closed({ name: text(256), size: count() }), { description: 'Largest size each cosigned.' }),
})
export type CosignedView = View<typeof cosigned>

const evidence = closedModel('Evidence', {
  origin: text(256),
  node: nodeId(),
  size: count({ description: 'Nothing of the log counts beyond it.' }),
  larger: count(),
  notes: Type.Array(text(1_024), { description: 'Two notes of one key that no log can have grown through.' }),
  prefix: orNull(closed({ root: text(64), path: Type.Array(text(64)) })),
})

/** What a node says of itself as a witness, and of its own logs as others witness them. */
export const witnessStatus = closedModel('WitnessStatus', {
  name: text(256),
  vkey: text(512),
  logs_known: count({ description: 'Logs of others that it has cosigned, beside those of the policy.' }),
  policy: text(128),
  quorum: oneOf(['none', 'asked'], { description: 'Whether the policy asks for cosignatures.' }),
  logs: Type.Array(cosigned),
  evidence: Type.Array(evidence, { maxItems: 64, description: 'Logs proved to have signed two histories.' }),
  state: oneOf(['growing', 'unconfirmed', 'rolled_back'], {
    description: 'rolled_back: its own key has signed more than its log holds, and nothing is sealed.',
  }),
  lost: orNull(closed({ log: text(64), origin: text(256), size: count(), signed: count(), from: text(256) }), {
    description: 'What was signed and is not held, and who showed it.',
  }),
})
export type WitnessStatus = View<typeof witnessStatus>
