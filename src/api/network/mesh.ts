import Type from 'typebox'
import { endpoint } from '#api/endpoint.ts'
import { eventSchema } from '#core/events.ts'
import { Fault } from '#core/fault.ts'
import { closed, count, finite, hex64, integer, meshTick, nodeId, oneOf, orNull, text, tick } from '#core/schema.ts'
import type { PeerView } from '#domain/network/network.ts'
import { standingSchema, standingShown, witnessSchema, witnessShown } from './witness.ts'

const counters = closed({
  received: closed({ http: count(), libp2p: count() }, { description: 'Events accepted, by entrance.' }),
  repeated: closed({ replayed: count(), duplicate: count() }, { description: 'Repeats, by handshake or by event id.' }),
  dropped: Type.Record(Type.String(), count(), { description: 'Messages dropped, by reason.' }),
  published: count({ description: 'Events handed to libp2p.' }),
  unpublished: count({ description: 'Events that libp2p could not take.' }),
})

const peer = closed({
  node: nodeId(),
  connected: Type.Boolean(),
  address: orNull(text(256)),
  state: oneOf(['unknown', 'compatible', 'incompatible'], { description: 'unknown until it has given its status.' }),
  reasons: Type.Array(text(64), { description: 'What does not fit: no_status, not_a_member, other_registry, …' }),
  version: orNull(text(64)),
  registry_version: orNull(text(128)),
  policy: orNull(text(128)),
  genesisTick: orNull(meshTick()),
  head: orNull(closed({ origin: text(256), size: count(), root: text(64) })),
  skew_ticks: orNull(integer({ description: 'Its mesh tick minus ours when it answered last.' })),
  rtt_ms: orNull(finite()),
  last_seen: meshTick(),
  superseded_by: orNull(nodeId(), { description: 'The node whose key took the place of this one.' }),
})

const head = closed({
  origin: text(256),
  node: nodeId(),
  size: count(),
  root: text(64),
  note: text(4_096),
  seen: meshTick(),
  standing: standingSchema,
})

const equivocation = closed({
  origin: text(256),
  size: count(),
  notes: Type.Array(text(4_096), { minItems: 2, maxItems: 2 }),
  seen: meshTick(),
})

const source = closed({
  node: nodeId(),
  origin: text(256),
  size: count({ description: 'Leaves of its event log that are applied here.' }),
  first: count({ description: 'The first leaf that is still kept.' }),
  noted: count({ description: 'Size of the newest note of it that was seen.' }),
  behind: count({ description: 'Leaves that are missing here.' }),
})

const meshStatus = closed({
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
  heads: Type.Array(head, { maxItems: 256, description: 'Newest head of each log, as announced. It decides nothing.' }),
  equivocations: Type.Array(equivocation, { description: 'Pairs of notes that prove a log signed two histories.' }),
  sources: Type.Array(source, { maxItems: 256, description: 'Event logs of other nodes; what lacks most first.' }),
  witness: witnessSchema,
  counters,
})

/** The policy that a node showed last, if it did. */
const policyOf = (peers: readonly PeerView[], node: string): string | undefined =>
  peers.find((it) => it.node === node)?.policy ?? undefined

export const readMeshStatus = endpoint({
  id: 'network.mesh-status',
  route: 'GET /api/mesh/status',
  domain: 'network-governance',
  tier: 'computation',
  summary: 'This node in the mesh: peers, gossip of late, heads and counters.',
  access: { credential: 'none' },
  input: closed({}),
  result: meshStatus,
  faults: [],
  example: {},

  handle: async ({ network, witness }) => {
    const { peers, heads, equivocations, sources, addresses, counters: counted, ...rest } = network.status()
    return {
      ...rest,
      addresses: [...addresses],
      peers: peers.map((it) => ({ ...it, reasons: [...it.reasons] })),
      heads: heads.map((it) => ({
        ...it,
        standing: standingShown(witness.standingOf(it.origin, policyOf(peers, it.node))),
      })),
      witness: witnessShown(await witness.status()),
      sources: [...sources],
      equivocations: equivocations.map((it) => ({ ...it, notes: [...it.notes] })),
      counters: { ...counted, dropped: { ...counted.dropped } },
    }
  },
})

export const gossip = endpoint({
  id: 'network.gossip',
  route: 'POST /api/mesh/gossip',
  domain: 'network-governance',
  tier: 'computation',
  summary: 'Brings a signed event into a private mesh. The header x-node-handshake is made over the exact body bytes.',
  access: { credential: 'handshake' },
  input: closed({ event: eventSchema }),
  result: Type.Union([
    closed({ status: Type.Literal('received'), eventType: text(64), id: hex64() }),
    closed({ status: Type.Literal('duplicate'), eventType: orNull(text(64)) }),
  ]),
  faults: [
    'MESH_SECRET_MISSING',
    'BODY_TOO_LARGE',
    'MISSING_HANDSHAKE',
    'BAD_HANDSHAKE',
    'STALE_HANDSHAKE',
    'MALFORMED_JSON',
    'NOT_CANONICAL',
    'BAD_SIGNATURE',
    'INVALID_INPUT',
    'NODE_BUSY',
  ],
  limits: { callsPerMinute: 60 },
  example: {
    event: {
      v: 1,
      type: 'presence',
      sourceNodeId: '12D3KooWQYV9dGMFoRzNStwpXztXaBUjtPqi6aU76ZgUriHhKust',
      seq: 0,
      tick: 2_310_000_000,
      payload: {
        addresses: [],
        genesisTick: 2_310_000_000,
        registry_version: `sha256:${'0'.repeat(64)}`,
        version: '0.1.0',
      },
      signature: '0'.repeat(128),
    },
  },

  handle: ({ network }, { body, headers: { handshake } }) => {
    if (body === undefined) throw new Fault('MALFORMED_JSON', 'The body is {event}.')
    const outcome = network.receive(body, { kind: 'http', handshake })
    if (outcome.status === 'dropped') throw outcome.fault
    return outcome
  },
})
