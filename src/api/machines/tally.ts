import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { closed, count, integer, oneOf, orNull, preset, text } from '#core/schema.ts'
import { mintPer } from '#core/token-ranges.ts'
import { mintShown, tallyVerdict, tokenRanges, tokenShown, tokenUnit } from '#domain/machines/views/tally.ts'
import { tokenMade, tokenSupply } from '#domain/machines/views.ts'
import { writingOf } from './entries.ts'
import { atTick, limit, seen, slug, writing } from './schemas.ts'

const NAME_CHARS_MAX = 64
const SYMBOL_CHARS_MAX = 12
const DESCRIPTION_CHARS_MAX = 1_024
const HOLDER_CHARS_MAX = 64
const EVERY_MAX = 1_000_000
/** Base64 of the largest picture, and the body around it. */
const AVATAR_CHARS_MAX = 349_528
const AVATAR_BODY_BYTES = 393_216
/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

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

/** What everyone may read of a public machine's token, and members of a private one's. */
const read = {
  domain: 'state-machines',
  tier: 'computation',
  access: { credential: 'optional', reach: { to: 'machine', role: 'none' } },
  faults: seen,
  example: { slug: 'pump-7' },
} as const

/** What changes a token that stands. */
const change = { domain: 'state-machines', tier: 'machine-control', idempotent: true } as const

const mintRate = endpoint({
  ...read,
  id: 'machines.mint-rate',
  route: 'GET /api/chain/{slug}/tally/mint-rate',
  summary: "How the machine's token is minted by itself, and how much still may be.",
  input: closed({ slug: slug() }),
  result: answered(mintShown),
  handle: ({ machines }, { input, caller }) => machines.mintRate({ caller, slug: input.slug }),
})

const setMintRate = endpoint({
  ...change,
  id: 'machines.set-mint-rate',
  route: 'POST /api/chain/{slug}/tally/mint-rate',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'owner' } },
  summary: "Says how the machine's token is minted by itself, to its owner: by fires that transition, or by ticks.",
  audit: { event: 'mint_rate_set', input: ['slug'] },
  input: closed({
    slug: slug(),
    amount: Type.Optional(integer({ minimum: 1, description: 'Units that one mint issues: whole, or none of them.' })),
    per: Type.Optional(oneOf(mintPer, { description: 'What mints.' })),
    every: orNull(integer({ minimum: 1, maximum: EVERY_MAX }), {
      description: 'Each so many-th fire, or multiple of so many mesh ticks; null: nothing is minted from now on.',
    }),
  }),
  result: answered(mintShown),
  faults: [...writing, 'SUPPLY_EXHAUSTED'],
  example: { slug: 'pump-7', amount: 5, per: 'ticks', every: 100 },
  async handle({ machines }, call) {
    const { slug: name, ...order } = call.input
    const { answer } = await call.once((repeat) => machines.setMintRate(writingOf(call, name, repeat), order))
    return answer
  },
})

const token = endpoint({
  ...read,
  id: 'machines.token',
  route: 'GET /api/chain/{slug}/tally/token',
  summary: "What the machine's token says of itself: its name, its words, its picture.",
  input: closed({
    slug: slug(),
    avatar: preset(Type.Boolean({ default: false, description: 'Whether the picture comes with it, as a data URL.' })),
  }),
  result: answered(tokenShown),
  handle: ({ machines }, { input, caller }) => machines.token({ caller, slug: input.slug }, input.avatar),
})

const asAdmin = { credential: 'bearer', reach: { to: 'machine', role: 'admin' } } as const

const setToken = endpoint({
  ...change,
  id: 'machines.set-token',
  route: 'POST /api/chain/{slug}/tally/token',
  access: asAdmin,
  summary: "Describes the machine's token. Its name, its symbol and its ceiling are locked by its genesis.",
  input: closed({
    slug: slug(),
    description: orNull(
      text(DESCRIPTION_CHARS_MAX, { minLength: 1, pattern: '^[^\u0000-\u0009\u000b-\u001f\u007f]+$' }),
      {
        description: 'What it stands for; null takes it away.',
      },
    ),
  }),
  result: answered(tokenShown),
  faults: writing,
  example: { slug: 'pump-7', description: 'One for each litre that pump 7 moved.' },
  async handle({ machines }, call) {
    const { slug: name, description } = call.input
    const { answer } = await call.once((repeat) => machines.setToken(writingOf(call, name, repeat), description))
    return answer
  },
})

const setAvatar = endpoint({
  ...change,
  id: 'machines.token-avatar',
  route: 'POST /api/chain/{slug}/tally/token/avatar',
  access: asAdmin,
  limits: { bodyBytes: AVATAR_BODY_BYTES },
  summary: "Gives the machine's token a picture, which rests sealed under the machine's data key.",
  input: closed({
    slug: slug(),
    image: orNull(text(AVATAR_CHARS_MAX, { minLength: 4 }), {
      description: 'A PNG, JPEG or WebP of at most 262,144 bytes and 4,096 pixels a side, base64; null takes it away.',
    }),
  }),
  result: answered(tokenShown),
  faults: writing,
  example: { slug: 'pump-7', image: PIXEL },
  async handle({ machines }, call) {
    const { slug: name, image } = call.input
    const { answer } = await call.once((repeat) => machines.setAvatar(writingOf(call, name, repeat), image))
    return answer
  },
})

const ranges = endpoint({
  ...read,
  id: 'machines.tokens',
  route: 'GET /api/chain/{slug}/tally/tokens',
  summary: "The units of the machine's token as ranges with their holders, in order.",
  input: closed({
    slug: slug(),
    owner: Type.Optional(text(HOLDER_CHARS_MAX, { minLength: 1, description: "A ZID, or `owner` for the machine's." })),
    after: Type.Optional(count({ description: 'The last unit that the caller has.' })),
    limit: limit(),
  }),
  result: answered(tokenRanges),
  handle({ machines }, { input, caller }) {
    const { slug: name, ...query } = input
    return machines.tokenRanges({ caller, slug: name }, query)
  },
})

const unit = endpoint({
  ...read,
  id: 'machines.token-unit',
  route: 'GET /api/chain/{slug}/tally/token/{tokenId}',
  summary: "One unit of the machine's token: who has it, by which entry it came into being, and how it moved.",
  input: closed({ slug: slug(), tokenId: integer({ minimum: 1, description: 'Number of the unit, from 1.' }) }),
  result: answered(tokenUnit),
  example: { slug: 'pump-7', tokenId: 1 },
  handle: ({ machines }, { input, caller }) => machines.tokenUnit({ caller, slug: input.slug }, input.tokenId),
})

/** Adding up again, which both methods do. */
const adding = {
  ...read,
  limits: { callsPerMinute: 60, atOnce: 4 },
  input: closed({
    slug: slug(),
    to: Type.Optional(atTick('Node tick at whose end it stood so; now when left out.')),
  }),
  result: answered(tallyVerdict),
} as const

const verify = endpoint({
  ...adding,
  id: 'machines.tally-verify',
  route: 'GET /api/chain/{slug}/tally/verify',
  summary: 'Adds the token up again from its chain alone, and compares the ledger; sealed members need the owner.',
  handle: ({ machines }, { input, caller }) => machines.verifyTally({ caller, slug: input.slug }, input.to),
})

const verifyPosted = endpoint({
  ...adding,
  id: 'machines.tally-verify-posted',
  route: 'POST /api/chain/{slug}/tally/verify',
  summary: 'The same, for who would rather not have the question in an address.',
  handle: ({ machines }, { input, caller }) => machines.verifyTally({ caller, slug: input.slug }, input.to),
})

export const tallyEndpoints = [
  genesis,
  supply,
  mintRate,
  setMintRate,
  token,
  setToken,
  setAvatar,
  ranges,
  unit,
  verify,
  verifyPosted,
] as const
