import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { closed, count, oneOf, pageLimit, slug, text } from '#core/schema.ts'
import {
  nextFires as nextFiresView,
  publicAudit,
  publicContract,
  publicPage,
  statuses,
  subscribers as subscribersView,
} from '#domain/contracts/views.ts'
import { id, someContract } from './schemas.ts'

/** What everyone may read of the contracts of public machines. */
const common = { domain: 'contracts', tier: 'computation', access: { credential: 'none' } } as const
const costly = { callsPerMinute: 120 } as const
const QUERY_CHARS_MAX = 128
const one = { input: closed({ id: id() }), faults: ['NOT_FOUND'], example: { id: someContract } } as const
const after = (description: string) => Type.Optional(count({ description }))

const list = endpoint({
  ...common,
  id: 'contracts.public',
  route: 'GET /api/contracts/public',
  summary: 'Contracts of public machines, newest first.',
  limits: costly,
  input: closed({
    limit: pageLimit(),
    after: after('Where the page begins: next_after of the one before.'),
    q: Type.Optional(text(QUERY_CHARS_MAX, { minLength: 1, description: 'Part of the name.' })),
    status: Type.Optional(oneOf(statuses, { description: 'Only those of this status.' })),
    slug: Type.Optional(slug({ description: 'Only those of this machine.' })),
  }),
  result: answered(publicPage),
  faults: [],
  example: { limit: 10 },
  handle: ({ contracts }, { input }) => contracts.publicList(input),
})

const read = endpoint({
  ...common,
  ...one,
  id: 'contracts.public-read',
  route: 'GET /api/contracts/public/{id}',
  summary: 'A contract of a public machine: what it says, and where it stands.',
  result: answered(Type.Object({ contract: publicContract })),
  handle: ({ contracts }, { input }) => ({ contract: contracts.publicRead(input.id) }),
})

const audit = endpoint({
  ...common,
  ...one,
  id: 'contracts.public-audit',
  route: 'GET /api/contracts/public/{id}/audit',
  summary: 'What a contract of a public machine did, newest first, as far as the chain says it to everyone.',
  limits: costly,
  input: closed({ id: id(), limit: pageLimit(), after: after('Where the page begins: next_after of the one before.') }),
  result: answered(publicAudit),
  handle: ({ contracts }, { input: { id: contract, ...page } }) => contracts.publicAudit(contract, page),
})

const nextFires = endpoint({
  ...common,
  ...one,
  id: 'contracts.public-next-fires',
  route: 'GET /api/contracts/public/{id}/next-fires',
  summary: 'The next ten times at which the clock moves it, as long as nothing else does.',
  result: answered(nextFiresView),
  handle: ({ contracts }, { input }) => contracts.publicNextFires(input.id),
})

const subscribers = endpoint({
  ...common,
  ...one,
  id: 'contracts.public-subscribers',
  route: 'GET /api/contracts/public/{id}/subscribers',
  summary: 'How many streams are open over it now.',
  result: answered(subscribersView),
  handle: ({ contracts }, { input }) => contracts.subscribers(input.id),
})

export const publicEndpoints = [list, read, audit, nextFires, subscribers] as const
