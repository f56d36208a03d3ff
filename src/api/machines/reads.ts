import Type from 'typebox'
import { endpoint } from '#api/endpoint.ts'
import { closed, count, integer, oneOf, orNull, tick } from '#core/schema.ts'
import {
  afterSeq,
  atTick,
  block,
  entry,
  entryProof,
  eventName,
  guarded,
  head,
  limit,
  seen,
  slug,
  snapshot,
  statuses,
  tally,
} from './schemas.ts'

const common = { domain: 'state-machines', tier: 'computation' } as const
const ROWS_DEFAULT = 50
/** Each call looks at thousands of entries, so an address has fewer of them. */
const costly = { callsPerMinute: 120 } as const

/** Which entry: an explorer walks by number, and several entries may share a tick. */
const place = {
  tick: Type.Optional(atTick('Node tick.')),
  seq: Type.Optional(count({ description: 'Number of the entry, instead of the tick or beside it.' })),
} as const

const readBlock = endpoint({
  ...common,
  id: 'machines.block',
  route: 'GET /api/chain/{slug}/block',
  access: { credential: 'optional', reach: { to: 'machine', role: 'none' } },
  summary: 'The entry that ended a tick, with the proof that it is in the chain and the chain in the log.',
  input: closed({ slug: slug(), ...place }),
  result: Type.Object({ ok: Type.Boolean(), block, entry, proof: entryProof }),
  faults: [...seen, 'NO_BLOCK_AT_TICK'],
  example: { slug: 'pump-7', tick: 0 },
  handle: async ({ machines }, { input, caller }) => ({
    ok: true,
    ...(await machines.block({ caller, slug: input.slug }, input)),
  }),
})

const at = endpoint({
  ...common,
  id: 'machines.at',
  route: 'GET /api/chain/{slug}/at',
  access: { credential: 'optional', reach: { to: 'machine', role: 'none' } },
  summary: 'Where the machine stood at the end of a tick.',
  input: closed({ slug: slug(), ...place }),
  result: Type.Object({ ok: Type.Boolean(), snapshot }),
  faults: [...seen, 'NO_BLOCK_AT_TICK'],
  example: { slug: 'pump-7', tick: 1 },
  handle: async ({ machines }, { input, caller }) => ({
    ok: true,
    ...(await machines.at({ caller, slug: input.slug }, input)),
  }),
})

const explore = endpoint({
  ...common,
  id: 'machines.explore',
  route: 'GET /api/chain/{slug}/explore',
  access: { credential: 'optional', reach: { to: 'machine', role: 'none' } },
  summary: 'The chain, oldest first, page by page.',
  input: closed({
    slug: slug(),
    from: Type.Optional(atTick('First node tick.')),
    to: Type.Optional(atTick('Last node tick.')),
    after: afterSeq(),
    limit: limit(),
  }),
  result: Type.Object({
    ok: Type.Boolean(),
    version: integer({ description: 'Version of this answer.' }),
    slug: Type.String(),
    rows: Type.Array(block),
    next_after: orNull(count(), { description: 'Where the next page begins; null at the end.' }),
  }),
  faults: seen,
  example: { slug: 'pump-7', limit: 10 },
  async handle({ machines }, { input, caller }) {
    const { slug: name, limit: rows, ...range } = input
    const page = await machines.explore({ caller, slug: name }, { ...range, limit: rows ?? ROWS_DEFAULT })
    return { ok: true, ...page, rows: [...page.rows] }
  },
})

const events = endpoint({
  ...common,
  id: 'machines.events',
  route: 'GET /api/chain/{slug}/events',
  access: { credential: 'optional', reach: { to: 'machine', role: 'viewer' } },
  summary: 'The feed of the machine for its members, oldest first: the same entries, order and filter as the stream.',
  input: closed({
    slug: slug(),
    event: eventName(),
    since_tick: Type.Optional(atTick('First node tick.')),
    after: afterSeq(),
    limit: limit(),
  }),
  result: Type.Object({
    ok: Type.Boolean(),
    slug: Type.String(),
    events: Type.Array(block),
    next_after: orNull(count(), { description: 'Where the next page begins; null at the end.' }),
  }),
  faults: guarded,
  example: { slug: 'pump-7', event: 'reading', limit: 10 },
  async handle({ machines }, { input, caller }) {
    const { slug: name, limit: rows, since_tick: from, ...rest } = input
    const query = { ...rest, limit: rows ?? ROWS_DEFAULT, ...(from === undefined ? {} : { from }) }
    const page = await machines.events({ caller, slug: name }, query)
    return { ok: true, ...page, events: [...page.events] }
  },
})

const state = endpoint({
  ...common,
  id: 'machines.state',
  route: 'GET /api/chain/{slug}/state',
  access: { credential: 'optional', reach: { to: 'machine', role: 'none' } },
  summary: 'The latest state snapshot and the head of the chain.',
  input: closed({ slug: slug() }),
  result: Type.Object({
    ok: Type.Boolean(),
    slug: Type.String(),
    status: oneOf(statuses),
    state_hash: orNull(Type.String()),
    head,
    tick: tick({ description: 'Node tick of the last entry.' }),
  }),
  faults: seen,
  example: { slug: 'pump-7' },
  handle: ({ machines }, { input, caller }) => ({ ok: true, ...machines.state({ caller, ...input }) }),
})

const stats = endpoint({
  ...common,
  id: 'machines.stats',
  route: 'GET /api/chain/{slug}/stats',
  access: { credential: 'optional', reach: { to: 'machine', role: 'none' } },
  summary: 'How long the chain is, how old, and how lively.',
  input: closed({ slug: slug() }),
  result: Type.Object({
    ok: Type.Boolean(),
    slug: Type.String(),
    status: oneOf(statuses),
    genesis_tick: tick(),
    last_tick: tick(),
    age_ticks: count(),
    entries: count(),
    entries_in_window: count({ description: 'Entries in the last ticks.' }),
    window_ticks: count(),
  }),
  faults: seen,
  example: { slug: 'pump-7' },
  handle: async ({ machines }, { input, caller }) => ({ ok: true, ...(await machines.stats({ caller, ...input })) }),
})

const analytics = endpoint({
  ...common,
  id: 'machines.analytics',
  route: 'GET /api/chain/{slug}/analytics',
  access: { credential: 'optional', reach: { to: 'machine', role: 'none' } },
  summary: 'What the newest 5,000 entries are.',
  limits: costly,
  input: closed({ slug: slug() }),
  result: Type.Object({
    ok: Type.Boolean(),
    slug: Type.String(),
    entries: count(),
    window: count({ description: 'Entries that were looked at.' }),
    first_tick: tick(),
    last_tick: tick(),
    ticks_moved: count({ description: 'Ticks in which the machine moved.' }),
    by_type: tally('Entries by type.'),
    by_event: tally('Events by name.'),
  }),
  faults: seen,
  example: { slug: 'pump-7' },
  handle: async ({ machines }, { input, caller }) => ({
    ok: true,
    ...(await machines.analytics({ caller, ...input })),
  }),
})

const sources = endpoint({
  ...common,
  id: 'machines.sources',
  route: 'GET /api/chain/{slug}/sources',
  access: { credential: 'optional', reach: { to: 'machine', role: 'none' } },
  summary: 'Where the newest 5,000 entries came from: the role or the kind of key, never who.',
  limits: costly,
  input: closed({ slug: slug() }),
  result: Type.Object({
    ok: Type.Boolean(),
    slug: Type.String(),
    window: count({ description: 'Entries that were looked at.' }),
    by_source: tally('Entries by source.'),
    connections: tally('Connections by direction.'),
  }),
  faults: seen,
  example: { slug: 'pump-7' },
  handle: async ({ machines }, { input, caller }) => ({ ok: true, ...(await machines.sources({ caller, ...input })) }),
})

const validate = endpoint({
  ...common,
  id: 'machines.validate',
  route: 'GET /api/chain/{slug}/pohc/validate',
  access: { credential: 'optional', reach: { to: 'machine', role: 'none' } },
  summary: 'Hashes a range of the chain again and names the first bad tick; the whole chain unless said.',
  limits: costly,
  input: closed({
    slug: slug(),
    from: Type.Optional(atTick('First node tick; the genesis unless said.')),
    to: Type.Optional(atTick('Last node tick; now unless said.')),
  }),
  result: Type.Object({
    ok: Type.Boolean(),
    valid: Type.Boolean(),
    count: count({ description: 'Entries that were hashed.' }),
    broken_at: orNull(tick(), { description: 'Node tick of the first bad entry.' }),
    genesis_tick: tick(),
    message: orNull(Type.String()),
  }),
  faults: seen,
  example: { slug: 'pump-7' },
  async handle({ machines }, { input, caller }) {
    const { slug: name, ...range } = input
    return { ok: true, ...(await machines.validate({ caller, slug: name }, range)) }
  },
})

export const readEndpoints = [readBlock, at, explore, events, state, stats, analytics, sources, validate] as const
