import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { closed } from '#core/schema.ts'
import { contractView } from '#domain/contracts/views.ts'
import { changing, id, slug, someContract } from './schemas.ts'

/** What starts, stops and ends a contract: each says what is to hold, so that a repeat changes nothing. */
const common = {
  domain: 'contracts',
  tier: 'machine-control',
  input: closed({ slug: slug(), id: id() }),
  result: answered(Type.Object({ contract: contractView })),
  faults: changing,
  example: { slug: 'pump-7', id: someContract },
} as const
const runners = { credential: 'bearer', reach: { to: 'machine', role: 'operator' } } as const

const pause = endpoint({
  ...common,
  id: 'contracts.pause',
  route: 'POST /api/chain/{slug}/contracts/{id}/pause',
  access: runners,
  summary: 'Lets due instants and events pass a contract by, until it is resumed.',
  audit: { event: 'contract_changed', input: ['slug', 'id'] },
  handle: async ({ contracts }, { input, caller }) => ({ contract: await contracts.pause({ ...input, caller }) }),
})

const resume = endpoint({
  ...common,
  id: 'contracts.resume',
  route: 'POST /api/chain/{slug}/contracts/{id}/resume',
  access: runners,
  summary: 'Starts a contract, or lets it go on. What came due while it was paused is missed, and a row says so.',
  audit: { event: 'contract_changed', input: ['slug', 'id'] },
  handle: async ({ contracts }, { input, caller }) => ({ contract: await contracts.resume({ ...input, caller }) }),
})

const freeze = endpoint({
  ...common,
  id: 'contracts.freeze',
  route: 'POST /api/chain/{slug}/contracts/{id}/freeze',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'admin', inPerson: true } },
  summary: 'Ends a contract for good; it can be read for ever. A fire under way still ends.',
  audit: { event: 'contract_changed', input: ['slug', 'id'] },
  handle: async ({ contracts }, { input, caller }) => ({ contract: await contracts.freeze({ ...input, caller }) }),
})

const skipNext = endpoint({
  ...common,
  id: 'contracts.skip-next',
  route: 'POST /api/chain/{slug}/contracts/{id}/skip-next',
  access: runners,
  summary: 'Leaves the next due instant out; a row says by whom.',
  faults: [...changing, 'NOTHING_TO_SKIP'],
  handle: async ({ contracts }, { input, caller }) => ({ contract: await contracts.skipNext({ ...input, caller }) }),
})

export const statusEndpoints = [pause, resume, freeze, skipNext] as const
