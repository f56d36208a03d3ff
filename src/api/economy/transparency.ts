import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { closed, count, pageLimit } from '#core/schema.ts'
import { transparency } from '#domain/economy/views.ts'

const supply = endpoint({
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
  result: answered(transparency),
  faults: [],
  example: { limit: 10 },
  handle: ({ economy }, { input }) => economy.transparency(input),
})

export const transparencyEndpoints = [supply] as const
