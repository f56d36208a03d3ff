import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { closed, text } from '#core/schema.ts'
import { awareness as awarenessView, oracleListing } from '#domain/machines/views/facts.ts'
import { limit, seen, slug } from './schemas.ts'

/** What stands in the store about a machine, for whoever may see its chain. */
const seeing = {
  domain: 'state-machines',
  tier: 'computation',
  access: { credential: 'optional', reach: { to: 'machine', role: 'none' } },
  /** Each call looks at all contracts of the machine. */
  limits: { callsPerMinute: 120 },
  faults: seen,
  example: { slug: 'pump-7' },
} as const

const oracles = endpoint({
  ...seeing,
  id: 'machines.oracles',
  route: 'GET /api/chain/{slug}/oracles',
  summary: 'What feeds the machine: the oracles of its contracts, and what each gave last.',
  input: closed({
    slug: slug(),
    limit: limit(),
    after: Type.Optional(
      text(32, { pattern: '^[0-9a-f]{32}$', description: 'Where the page begins: next_after of the one before.' }),
    ),
  }),
  result: answered(oracleListing),
  handle({ machines }, { input: { slug: name, ...query }, caller }) {
    return machines.oracles({ caller, slug: name }, query)
  },
})

const awareness = endpoint({
  ...seeing,
  id: 'machines.awareness',
  route: 'GET /api/chain/{slug}/awareness/status',
  summary: 'Whether the machine still writes, for how long it has not, and what of it is alive.',
  input: closed({ slug: slug() }),
  result: answered(awarenessView),
  handle: ({ machines }, { input, caller }) => machines.awareness({ caller, ...input }),
})

export const factEndpoints = [oracles, awareness] as const
