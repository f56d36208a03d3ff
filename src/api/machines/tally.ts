import { answered, endpoint } from '#api/endpoint.ts'
import { closed, count, integer, preset, text } from '#core/schema.ts'
import { tokenMade, tokenSupply } from '#domain/machines/tally/views.ts'
import { writingOf } from './entries.ts'
import { seen, slug, writing } from './schemas.ts'

const NAME_CHARS_MAX = 64
const SYMBOL_CHARS_MAX = 12

const genesis = endpoint({
  id: 'machines.token-genesis',
  route: 'POST /api/chain/{slug}/tally/token/genesis',
  domain: 'state-machines',
  tier: 'machine-control',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'owner' } },
  idempotent: true,
  summary: "Makes the machine's token, once and for good: its name, its symbol, and how many units there may ever be.",
  audit: { event: 'token_made', input: ['slug'], result: ['asset', 'max_supply'] },
  input: closed({
    slug: slug(),
    name: text(NAME_CHARS_MAX, { minLength: 1, pattern: '^[^\\u0000-\\u001f\\u007f]+$', description: 'Its name.' }),
    symbol: text(SYMBOL_CHARS_MAX, {
      minLength: 1,
      pattern: '^[A-Z0-9]+$',
      description: 'Capital letters and digits.',
    }),
    max_supply: integer({
      minimum: 1,
      description: 'Units that may ever come into being; burned ones do not come back.',
    }),
    initial: preset(count({ default: 0, description: "Units that the machine's owner begins with." })),
  }),
  result: answered(tokenMade),
  status: 201,
  faults: [...writing, 'TOKEN_EXISTS'],
  example: { slug: 'pump-7', name: 'Litres pumped', symbol: 'LITRE', max_supply: 1_000_000, initial: 1_000 },
  async handle({ machines }, call) {
    const { slug: name, ...order } = call.input
    const { answer } = await call.once((repeat) => machines.tokenGenesis(writingOf(call, name, repeat), order))
    return answer
  },
})

const supply = endpoint({
  id: 'machines.token-supply',
  route: 'GET /api/chain/{slug}/tally/supply',
  domain: 'state-machines',
  tier: 'computation',
  access: { credential: 'optional', reach: { to: 'machine', role: 'none' } },
  summary: "How much there is of the machine's token, how much came into being, and how much still may.",
  input: closed({ slug: slug() }),
  result: answered(tokenSupply),
  faults: seen,
  example: { slug: 'pump-7' },
  handle: ({ machines }, { input, caller }) => machines.tokenSupply({ caller, slug: input.slug }),
})

export const tallyEndpoints = [genesis, supply] as const
