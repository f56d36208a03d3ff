import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { codesOf } from '#core/fault.ts'
import { closed, integer, slug, text, zid } from '#core/schema.ts'
import { claimed, creditStatus, granted, usage } from '#domain/economy/views.ts'

/** Balances, the meter, and the owner's grant. */
const common = { domain: 'economy', tier: 'computation' } as const

const GRANT_MAX = 1_000_000_000
const REASON_CHARS_MAX = 200

/** Characters of a challenge, and digits of a nonce. */
const CHALLENGE_CHARS_MAX = 1_024
const NONCE_DIGITS_MAX = 19

const claimedFor = () =>
  slug({ description: "Whose day is spent too, for its operators; the account's oldest active machine when left out." })

const status = endpoint({
  ...common,
  id: 'economy.credits',
  route: 'GET /api/credits/status',
  access: { credential: 'bearer', reach: { to: 'anyone' } },
  summary:
    'Balances of the caller, and the daily claim: whether it is open, since when or until when, and the work it asks.',
  input: closed({ machine: Type.Optional(claimedFor()) }),
  result: answered(creditStatus),
  faults: ['NOT_FOUND', 'SCOPE_REQUIRED', 'MACHINE_NOT_ACTIVE'],
  example: {},
  handle: ({ economy }, { caller, input }) => economy.credits(caller, input.machine),
})

const claim = endpoint({
  ...common,
  id: 'economy.claim',
  route: 'POST /api/credits/claim',
  access: { credential: 'bearer', reach: { to: 'account' } },
  idempotent: true,
  summary: '128 free credits, once per UTC day for the account and its machine, for a proof of work.',
  input: closed({
    machine: Type.Optional(claimedFor()),
    challenge: text(CHALLENGE_CHARS_MAX, { minLength: 1, description: 'As `GET /api/credits/status` gave it.' }),
    nonce: text(NONCE_DIGITS_MAX, {
      ...{ minLength: 1, pattern: '^(0|[1-9][0-9]*)$' },
      description:
        'Decimal digits: SHA-256 of `tickmesh/pow/1`, the challenge and these, line by line, begins with the bits.',
    }),
  }),
  result: answered(claimed),
  faults: [
    ...([
      'SCOPE_REQUIRED',
      'NOT_FOUND',
      'MACHINE_NOT_ACTIVE',
      'NOT_ELIGIBLE',
      'CHALLENGE_SPENT',
      'RATE_LIMITED',
    ] as const),
    ...codesOf('commit'),
    'NODE_BUSY',
  ],
  example: { challenge: 'eyJhY2NvdW50Ijoi…', nonce: '100000000294117' },
  handle: ({ economy }, { input, caller, once }) => once((repeat) => economy.claim(caller, input, repeat)),
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

export const creditEndpoints = [status, claim, month, grant] as const
