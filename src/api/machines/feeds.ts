import Type from 'typebox'
import { answer, answered, endpoint, type Frame } from '#api/endpoint.ts'
import { purposes } from '#core/digest.ts'
import { machineIdHash } from '#core/machine.ts'
import { closed, count, finite, hex64, integer, orNull, preset, slug as slugSchema, text } from '#core/schema.ts'
import { PULSE_MILLIHZ, TICK_NS } from '#core/tick.ts'
import {
  activeMachine,
  block,
  feedItem,
  fleet as fleetView,
  machine,
  machinePage,
  recent as recentView,
  seals,
} from '#domain/machines/views.ts'
import { eventName, guarded, limit, seen, slug } from './schemas.ts'

const feed = { domain: 'explorer-platform', tier: 'computation', access: { credential: 'none' } } as const
/** Each call looks at thousands of entries, so an address has fewer of them. */
const costly = { callsPerMinute: 120 } as const
const ROWS_MAX = 200
const ACTIVE_TICKS = 60
const ACTIVE_TICKS_MAX = 100_000
const SEALS_MAX = 200
const SEALS_DEFAULT = 20

const active = endpoint({
  ...feed,
  id: 'explorer.active',
  route: 'GET /api/chain/active',
  summary: 'Public machines by how often they moved in the last ticks.',
  limits: costly,
  input: closed({
    ticks: preset(
      integer({ minimum: 1, maximum: ACTIVE_TICKS_MAX, default: ACTIVE_TICKS, description: 'Ticks that count.' }),
    ),
    limit: limit(),
  }),
  result: answered(Type.Object({ ticks: count(), machines: Type.Array(activeMachine) })),
  faults: [],
  example: { ticks: 60 },
  async handle({ machines }, { input }) {
    const { ticks, limit: rows } = input
    return { ticks, machines: await machines.active(ticks, rows) }
  },
})

const newest = endpoint({
  ...feed,
  id: 'explorer.newest',
  route: 'GET /api/chain/newest',
  summary: 'Public machines by genesis, newest first.',
  limits: costly,
  input: closed({ limit: limit() }),
  result: answered(Type.Object({ machines: Type.Array(machine) })),
  faults: [],
  example: { limit: 10 },
  handle: async ({ machines }, { input }) => ({ machines: await machines.newest(input.limit) }),
})

const recent = endpoint({
  ...feed,
  id: 'explorer.recent',
  route: 'GET /api/chain/recent',
  summary: 'Newest entries of public machines, newest first; one answer serves everyone for a tick.',
  input: closed({
    limit: limit(),
    type: Type.Optional(text(64, { minLength: 1, description: 'Only entries of this type.' })),
  }),
  result: answered(recentView),
  sends: ['Cache-Control'],
  faults: [],
  example: { limit: 10 },
  async handle({ machines }, { input }) {
    const body = await machines.recent(input.limit, input.type)
    return answer({ headers: { 'Cache-Control': 'public, max-age=0' }, body })
  },
})

const fleet = endpoint({
  ...feed,
  id: 'explorer.fleet',
  route: 'GET /api/chain/fleet',
  summary: 'How many public machines there are, in which status, and how lively.',
  limits: costly,
  input: closed({}),
  result: answered(fleetView),
  faults: [],
  example: {},
  handle: ({ machines }) => machines.fleet(),
})

const recipe = {
  genesis: `genesis_hash = hex SHA-256(${purposes.genesis} LF JCS{genesis_tick, node, nonce, owner, slug})`,
  id: `id_hash = hex SHA-256(${purposes.machineId} LF JCS{genesis_hash, slug})`,
  entry: `hash = hex SHA-256(${purposes.entry} LF JCS{body, previous, seq, tick, type}), the first after genesis_hash`,
  tree: 'the same bytes are a leaf of the RFC 6962 tree of the machine',
  head: `${purposes.head} LF JCS{hash, id_hash, root, seq, size} is a leaf of the node's log before its tick leaf`,
  seal: 'a seal is a C2SP checkpoint of the log of the node, signed after each tick that had leaves',
}

const seal = endpoint({
  ...feed,
  id: 'explorer.seal',
  route: 'GET /api/chain/seal',
  summary: 'Constants, recipe and newest checkpoints: what an offline verification of a machine needs.',
  input: closed({
    seals: preset(
      integer({ minimum: 1, maximum: SEALS_MAX, default: SEALS_DEFAULT, description: 'Checkpoints at most.' }),
    ),
  }),
  result: answered(
    Type.Object({
      protocol: Type.String(),
      format: Type.String(),
      origin: seals.properties.origin,
      vkey: Type.String({ description: 'Its verifier key; take it from a source you trust.' }),
      node: Type.String(),
      genesisTick: count({ description: 'Mesh tick of the genesis of the node.' }),
      constants: Type.Object({ tick_ns: integer(), pulse_hz: finite() }),
      recipe: Type.Record(Type.String(), Type.String()),
      seals: seals.properties.seals,
    }),
  ),
  faults: [],
  example: { seals: 5 },
  async handle({ machines, identity }, { input }) {
    const { node, vkeys, genesisTick } = identity.describe()
    const constants = { tick_ns: Number(TICK_NS), pulse_hz: Number(PULSE_MILLIHZ) / 1000 }
    const about = { protocol: 'tickmesh/1', format: 'tickmesh-machine-seal-v1', vkey: vkeys.log, node, genesisTick }
    return { ...about, constants, recipe, ...(await machines.seals(input.seals)) }
  },
})

const aggregateList = endpoint({
  ...feed,
  id: 'explorer.aggregate-list',
  route: 'GET /api/chain/aggregate/list',
  summary: 'All public machines by slug, page by page.',
  input: closed({
    limit: limit(ROWS_MAX),
    after: Type.Optional(slugSchema({ description: 'The last slug that the caller has.' })),
  }),
  result: answered(machinePage),
  faults: [],
  example: { limit: 10 },
  handle: ({ machines }, { input }) => machines.aggregate(input.limit, input.after),
})

const aggregateStream = endpoint({
  ...feed,
  streams: true,
  id: 'explorer.aggregate-stream',
  route: 'GET /api/chain/aggregate/sse',
  summary: 'Entries of public machines as they happen, resumable by Last-Event-ID.',
  input: closed({}),
  result: feedItem,
  faults: ['NODE_BUSY'],
  example: {},
  handle: ({ machines }, { headers, signal }): AsyncIterable<Frame> => machines.liveAll(headers.lastEventId, signal),
})

const exploreStream = endpoint({
  ...feed,
  streams: true,
  access: { credential: 'optional', reach: { to: 'machine', role: 'none' } },
  id: 'explorer.machine-stream',
  route: 'GET /api/chain/{slug}/explore/sse',
  summary: 'The chain as it grows, resumable by Last-Event-ID; the same rows as explore, in the same order.',
  input: closed({ slug: slug() }),
  result: block,
  faults: [...seen, 'NODE_BUSY'],
  example: { slug: 'pump-7' },
  handle: ({ machines }, { input, caller, headers, signal }): AsyncIterable<Frame> =>
    machines.live({ caller, slug: input.slug }, { needed: 'none', lastEventId: headers.lastEventId }, signal),
})

const eventStream = endpoint({
  streams: true,
  domain: 'state-machines',
  tier: 'machine-control',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'owner' } },
  id: 'machines.event-stream',
  route: 'GET /api/chain/{slug}/events/stream',
  summary: 'The feed of the machine as it happens, for its owner, with the filter of the poll.',
  input: closed({ slug: slug(), event: eventName() }),
  result: block,
  faults: [...guarded, 'NODE_BUSY'],
  example: { slug: 'pump-7' },
  handle: ({ machines }, { input, caller, headers, signal }): AsyncIterable<Frame> => {
    const { slug: name, event } = input
    const filter = event === undefined ? {} : { event }
    const options = { needed: 'owner', lastEventId: headers.lastEventId, ...filter } as const
    return machines.live({ caller, slug: name }, options, signal)
  },
})

const verifyAnchor = endpoint({
  domain: 'state-machines',
  tier: 'computation',
  access: { credential: 'none' },
  id: 'machines.verify-anchor',
  route: 'GET /api/chain/verify-anchor',
  summary: 'Recomputes the id hash from slug and genesis hash; of a public machine the genesis hash may be left out.',
  input: closed({
    slug: slug(),
    genesis_hash: Type.Optional(hex64({ description: 'Genesis hash of the machine.' })),
    id_hash: Type.Optional(hex64({ description: 'What it is held against.' })),
  }),
  result: answered(
    Type.Object({
      slug: Type.String(),
      genesis_hash: hex64(),
      id_hash: hex64(),
      matches: orNull(Type.Boolean(), { description: 'Whether it is the id hash given; null when none was.' }),
    }),
  ),
  faults: seen,
  example: { slug: 'pump-7', genesis_hash: '0'.repeat(64) },
  handle({ machines }, { input }) {
    const genesis = input.genesis_hash ?? machines.publicGenesis(input.slug)
    const id = machineIdHash(input.slug, genesis)
    const matches = input.id_hash === undefined ? null : input.id_hash === id
    return { slug: input.slug, genesis_hash: genesis, id_hash: id, matches }
  },
})

export const feedEndpoints = [
  active,
  newest,
  recent,
  fleet,
  seal,
  aggregateList,
  aggregateStream,
  exploreStream,
  eventStream,
  verifyAnchor,
] as const
