import Type from 'typebox'
import { endpoint } from '#api/endpoint.ts'
import { closed, count, hex64, oneOf, orNull, PAGE_ROWS_DEFAULT, pageLimit, tick } from '#core/schema.ts'

const amount = (description: string) => count({ description })

const assetSum = Type.Object({
  asset: oneOf(['free', 'paid', 'coin']),
  issued: amount('Ever brought into being: supply + burned + withheld.'),
  supply: amount('Held by accounts now.'),
  burned: amount('Paid for computations.'),
  withheld: amount('Taken out of use.'),
  sources: Type.Array(
    Type.Object({
      source: Type.String({ description: 'Why: sign-up, claim, grant, demo, donation, …' }),
      amount: amount('How much of it.'),
      leaves: orNull(count(), { description: 'Ledger leaves that state it; null: the leaves of envelopes do.' }),
    }),
  ),
})

const transparency = endpoint({
  id: 'economy.transparency',
  route: 'GET /api/tally/transparency',
  domain: 'economy',
  tier: 'computation',
  access: { credential: 'none' },
  summary: 'Where all credits and coins came from and went, and each signed ledger leaf: sums and lines, no accounts.',
  input: closed({
    limit: pageLimit(),
    before: Type.Optional(count({ description: 'Only leaves before this one: `next` of the page before.' })),
  }),
  result: Type.Object({
    ok: Type.Boolean(),
    log: Type.String({ description: 'Origin of the seal log that new leaves come into.' }),
    tick: tick(),
    assets: Type.Array(assetSum),
    total: count({ description: 'Ledger leaves in all.' }),
    limit: count(),
    lines: Type.Array(
      Type.Object({
        log: Type.String({ description: 'Origin of the seal log that holds it: an earlier key had another.' }),
        index: count({ description: 'Place in that log.' }),
        hash: hex64({ description: 'Leaf hash; binds account and cause, which are not shown.' }),
        kind: Type.String(),
        asset: Type.String(),
        amount: count(),
        tick: tick(),
        state: oneOf(['promised', 'sealed', 'final']),
      }),
    ),
    next: orNull(count(), { description: '`before` of the next page; null on the last.' }),
  }),
  faults: [],
  example: { limit: 10 },
  async handle({ economy }, { input: { limit = PAGE_ROWS_DEFAULT, before } }) {
    const { assets, lines, ...rest } = await economy.transparency({
      limit,
      ...(before === undefined ? {} : { before }),
    })
    return {
      ok: true,
      ...rest,
      limit,
      assets: assets.map(({ sources, ...sums }) => ({ ...sums, sources: sources.map((it) => ({ ...it })) })),
      lines: lines.map((it) => ({ ...it })),
    }
  },
})

export const transparencyEndpoints = [transparency] as const
