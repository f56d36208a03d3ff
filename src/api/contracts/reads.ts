import Type from 'typebox'
import { answer, answered, endpoint } from '#api/endpoint.ts'
import { closed, count, oneOf, pageLimit, pageOffset, preset, tick } from '#core/schema.ts'
import { NEXT_FIRES_MAX } from '#domain/contracts/reads.ts'
import {
  contractFile,
  contractPage,
  integrity as integrityView,
  nextFires as nextFiresView,
  readContract,
  statuses,
  versionPage,
  versionView,
} from '#domain/contracts/views.ts'
import { id, reading, slug, someContract, versionNo } from './schemas.ts'

const common = { domain: 'contracts', tier: 'machine-control' } as const
const members = { credential: 'bearer', reach: { to: 'machine', role: 'viewer' } } as const
const owners = { credential: 'bearer', reach: { to: 'machine', role: 'owner', inPerson: true } } as const
/** Each call looks at as many rows as a machine may have contracts, or a contract rows. */
const costly = { callsPerMinute: 120 } as const
const example = { slug: 'pump-7', id: someContract } as const
const NEXT_FIRES_DEFAULT = 10

const list = endpoint({
  ...common,
  id: 'contracts.list',
  route: 'GET /api/chain/{slug}/contracts',
  access: members,
  summary: 'The contracts of a machine, newest first, for its members.',
  limits: costly,
  input: closed({
    slug: slug(),
    limit: pageLimit(),
    offset: pageOffset(),
    status: Type.Optional(oneOf(statuses, { description: 'Only those of this status.' })),
  }),
  result: answered(contractPage),
  faults: reading,
  example: { slug: 'pump-7', limit: 10, offset: 0 },
  handle({ contracts }, { input: { slug: name, ...page }, caller }) {
    return contracts.list({ slug: name, caller }, page)
  },
})

const read = endpoint({
  ...common,
  id: 'contracts.read',
  route: 'GET /api/chain/{slug}/contracts/{id}',
  access: members,
  summary: 'A contract as it stands, or as it was at the end of a tick.',
  limits: costly,
  input: closed({
    slug: slug(),
    id: id(),
    tick: Type.Optional(tick({ description: 'Node tick; now unless said.' })),
  }),
  result: answered(readContract),
  sends: ['ETag'],
  faults: reading,
  example,
  async handle({ contracts }, { input: { tick: at, ...which }, caller }) {
    const asking = { ...which, caller }
    if (at !== undefined) return { contract: await contracts.readAt(asking, at) }
    const contract = await contracts.read(asking)
    return answer({ headers: { ETag: `"${contract.version}"` }, body: { contract } })
  },
})

const exported = endpoint({
  ...common,
  id: 'contracts.export',
  route: 'GET /api/chain/{slug}/contracts/{id}/export',
  access: owners,
  summary: 'A contract as a file, for its owner in person: what it says, without what it did and without secrets.',
  audit: { event: 'contract_exported', input: ['slug', 'id'] },
  input: closed({ slug: slug(), id: id() }),
  result: answered(Type.Object({ contract: contractFile })),
  faults: reading,
  example,
  handle: ({ contracts }, { input, caller }) => ({ contract: contracts.exported({ ...input, caller }) }),
})

const nextFires = endpoint({
  ...common,
  id: 'contracts.next-fires',
  route: 'GET /api/chain/{slug}/contracts/{id}/next-fires',
  access: owners,
  summary: 'When the clock moves a contract next, as long as nothing else moves it, for its owner in person.',
  input: closed({
    slug: slug(),
    id: id(),
    limit: preset(
      count({ minimum: 1, maximum: NEXT_FIRES_MAX, default: NEXT_FIRES_DEFAULT, description: 'Fires at most.' }),
    ),
  }),
  result: answered(nextFiresView),
  faults: reading,
  example,
  handle: ({ contracts }, { input: { limit, ...which }, caller }) => contracts.nextFires({ ...which, caller }, limit),
})

const versions = endpoint({
  ...common,
  id: 'contracts.versions',
  route: 'GET /api/chain/{slug}/contracts/{id}/versions',
  access: owners,
  summary: 'The versions of a contract, newest first, for its owner in person.',
  input: closed({ slug: slug(), id: id(), limit: pageLimit(), offset: pageOffset() }),
  result: answered(versionPage),
  faults: reading,
  example,
  handle({ contracts }, { input: { limit, offset, ...which }, caller }) {
    return contracts.versions({ ...which, caller }, { limit, offset })
  },
})

const version = endpoint({
  ...common,
  id: 'contracts.version',
  route: 'GET /api/chain/{slug}/contracts/{id}/versions/{n}',
  access: owners,
  summary: 'One version with its definition, for the owner in person.',
  input: closed({ slug: slug(), id: id(), n: versionNo('Number of the version.') }),
  result: answered(Type.Object({ version: versionView })),
  faults: reading,
  example: { ...example, n: 1 },
  handle: ({ contracts }, { input: { n, ...which }, caller }) => ({
    version: contracts.version({ ...which, caller }, n),
  }),
})

const integrity = endpoint({
  domain: 'contracts',
  tier: 'computation',
  id: 'contracts.integrity',
  route: 'GET /api/chain/{slug}/contracts/{id}/integrity',
  access: { credential: 'none', reach: { to: 'machine', role: 'none' } },
  summary: 'The stored digest of a contract’s definition, and that of the definition as it stands, hashed now.',
  limits: costly,
  input: closed({ slug: slug(), id: id() }),
  result: answered(integrityView),
  faults: ['NOT_FOUND'],
  example,
  handle: ({ contracts }, { input, caller }) => contracts.integrity({ ...input, caller }),
})

export const readEndpoints = [list, read, exported, nextFires, versions, version, integrity] as const
