import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { codesOf } from '#core/fault.ts'
import { closed, integer, text, zid } from '#core/schema.ts'
import { creditStatus, granted, usage } from '#domain/economy/views.ts'

/** Balances, the meter, and the owner's grant. */
const common = { domain: 'economy', tier: 'computation' } as const

const GRANT_MAX = 1_000_000_000
const REASON_CHARS_MAX = 200

const status = endpoint({
  ...common,
  id: 'economy.credits',
  route: 'GET /api/credits/status',
  access: { credential: 'bearer', reach: { to: 'anyone' } },
  summary: 'Balances of the caller, and what the daily claim asks.',
  input: closed({}),
  result: answered(creditStatus),
  faults: [],
  example: {},
  handle: ({ economy }, { caller }) => economy.credits(caller),
})

const month = endpoint({
  ...common,
  id: 'economy.usage',
  route: 'GET /api/compute/usage',
  access: { credential: 'bearer', reach: { to: 'anyone' } },
  summary: 'The meter: credits used this month beside the bundle. It reports and refuses nothing.',
  input: closed({}),
  result: answered(usage),
  faults: [],
  example: {},
  handle: ({ economy }, { caller }) => economy.usage(caller),
})

const grant = endpoint({
  ...common,
  tier: 'machine-control',
  id: 'economy.grant',
  route: 'POST /api/credits/grant',
  access: { credential: 'bearer', reach: { to: 'node-owner' } },
  idempotent: true,
  summary: "Paid credits to an account, by the node's owner: a signed leaf of the log. This path is this node's own.",
  audit: { event: 'credits_granted', input: ['zid', 'credits'] },
  input: closed({
    zid: zid(),
    credits: integer({ minimum: 1, maximum: GRANT_MAX, description: 'Whole credits.' }),
    reason: Type.Optional(text(REASON_CHARS_MAX, { minLength: 1, description: 'Kept with the grant.' })),
  }),
  result: answered(granted),
  faults: ['SCOPE_REQUIRED', 'UNKNOWN_ZID', ...codesOf('commit'), 'NODE_BUSY'],
  example: { zid: 'zid1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', credits: 100 },
  handle: ({ economy }, { input, caller, once }) => once((repeat) => economy.grant(caller, input, repeat)),
})

export const creditEndpoints = [status, month, grant] as const
