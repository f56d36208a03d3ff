import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { closed, count } from '#core/schema.ts'
import {
  analytics as analyticsView,
  chainPage,
  eventPage,
  machineState,
  moment,
  provedBlock,
  sources as sourcesView,
  stats as statsView,
  validation,
} from '#domain/machines/views.ts'
import { afterSeq, atTick, eventName, guarded, limit, seen, slug } from './schemas.ts'

const common = { domain: 'state-machines', tier: 'computation' } as const
/** Each call looks at thousands of entries, so an address has fewer of them. */
const costly = { callsPerMinute: 120 } as const

/** Of a machine whose chain the caller may see. */
const seeing = { ...common, access: { credential: 'optional', reach: { to: 'machine', role: 'none' } } } as const
/** The same, by its slug alone. */
const bySlug = { ...seeing, input: closed({ slug: slug() }), faults: seen, example: { slug: 'pump-7' } } as const

/** Which entry: an explorer walks by number, and several entries may share a tick. */
const place = {
  tick: Type.Optional(atTick('Node tick.')),
  seq: Type.Optional(count({ description: 'Number of the entry, instead of the tick or beside it.' })),
} as const

const readBlock = endpoint({
  ...seeing,
  id: 'machines.block',
  route: 'GET /api/chain/{slug}/block',
  summary: 'The entry that ended a tick, with the proof that it is in the chain and the chain in the log.',
  input: closed({ slug: slug(), ...place }),
  result: answered(provedBlock),
  faults: [...seen, 'NO_BLOCK_AT_TICK'],
  example: { slug: 'pump-7', tick: 0 },
  handle: ({ machines }, { input, caller }) => machines.block({ caller, slug: input.slug }, input),
})

const at = endpoint({
  ...seeing,
  id: 'machines.at',
  route: 'GET /api/chain/{slug}/at',
  summary: 'Where the machine stood at the end of a tick.',
  input: closed({ slug: slug(), ...place }),
  result: answered(moment),
  faults: [...seen, 'NO_BLOCK_AT_TICK'],
  example: { slug: 'pump-7', tick: 1 },
  handle: ({ machines }, { input, caller }) => machines.at({ caller, slug: input.slug }, input),
})

const explore = endpoint({
  ...seeing,
  id: 'machines.explore',
  route: 'GET /api/chain/{slug}/explore',
  summary: 'The chain, oldest first, page by page.',
  input: closed({
    slug: slug(),
    from: Type.Optional(atTick('First node tick.')),
    to: Type.Optional(atTick('Last node tick.')),
    after: afterSeq(),
    limit: limit(),
  }),
  result: answered(chainPage),
  faults: seen,
  example: { slug: 'pump-7', limit: 10 },
  handle: ({ machines }, { input, caller }) => machines.explore({ caller, slug: input.slug }, input),
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
  result: answered(eventPage),
  faults: guarded,
  example: { slug: 'pump-7', event: 'reading', limit: 10 },
  handle({ machines }, { input, caller }) {
    const { slug: name, since_tick: from, ...rest } = input
    return machines.events({ caller, slug: name }, { ...rest, from })
  },
})

const state = endpoint({
  ...bySlug,
  id: 'machines.state',
  route: 'GET /api/chain/{slug}/state',
  summary: 'The latest state snapshot and the head of the chain.',
  result: answered(machineState),
  handle: ({ machines }, { input, caller }) => machines.state({ caller, ...input }),
})

const stats = endpoint({
  ...bySlug,
  id: 'machines.stats',
  route: 'GET /api/chain/{slug}/stats',
  summary: 'How long the chain is, how old, and how lively.',
  result: answered(statsView),
  handle: ({ machines }, { input, caller }) => machines.stats({ caller, ...input }),
})

const analytics = endpoint({
  ...bySlug,
  id: 'machines.analytics',
  route: 'GET /api/chain/{slug}/analytics',
  summary: 'What the newest 5,000 entries are.',
  limits: costly,
  result: answered(analyticsView),
  handle: ({ machines }, { input, caller }) => machines.analytics({ caller, ...input }),
})

const sources = endpoint({
  ...bySlug,
  id: 'machines.sources',
  route: 'GET /api/chain/{slug}/sources',
  summary: 'Where the newest 5,000 entries came from: the role or the kind of key, never who.',
  limits: costly,
  result: answered(sourcesView),
  handle: ({ machines }, { input, caller }) => machines.sources({ caller, ...input }),
})

const validate = endpoint({
  ...seeing,
  id: 'machines.validate',
  route: 'GET /api/chain/{slug}/pohc/validate',
  summary: 'Hashes a range of the chain again and names the first bad tick; the whole chain unless said.',
  limits: costly,
  input: closed({
    slug: slug(),
    from: Type.Optional(atTick('First node tick; the genesis unless said.')),
    to: Type.Optional(atTick('Last node tick; now unless said.')),
  }),
  result: answered(validation),
  faults: seen,
  example: { slug: 'pump-7' },
  handle: ({ machines }, { input, caller }) => machines.validate({ caller, slug: input.slug }, input),
})

export const readEndpoints = [readBlock, at, explore, events, state, stats, analytics, sources, validate] as const
