import Type from 'typebox'
import { endpoint } from '#api/endpoint.ts'
import { EVENT_BYTES_MAX, eventSchema } from '#core/events.ts'
import { Fault } from '#core/fault.ts'
import { closed, hex64, orNull, text } from '#core/schema.ts'
import { head, headList, networkStatus, type PeerView, standing, witnessStatus } from '#domain/network/views.ts'

const { counters, ...more } = networkStatus.properties

const meshStatus = closed({
  ...more,
  heads: headList(closed({ ...head.properties, standing })),
  witness: witnessStatus,
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
    const status = network.status()
    const { peers } = status
    return {
      ...status,
      heads: status.heads.map((it) => ({ ...it, standing: witness.standingOf(it.origin, policyOf(peers, it.node)) })),
      witness: await witness.status(),
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
  takes: 'bytes',
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
  limits: { callsPerMinute: 60, bodyBytes: EVENT_BYTES_MAX },
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
