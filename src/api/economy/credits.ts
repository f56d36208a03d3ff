import Type from 'typebox'
import { endpoint } from '#api/endpoint.ts'
import { codesOf } from '#core/fault.ts'
import { closed, count, credits, integer, oneOf, orNull, text, tick, zid } from '#core/schema.ts'

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
  result: Type.Object({
    ok: Type.Boolean(),
    zid: Type.String({ description: 'Whom envelopes are issued to: a ZID, or `house`.' }),
    account: Type.String({ description: 'Ledger account that pays.' }),
    free: credits(),
    paid: credits(),
    held: credits({ description: 'Kept back for calls that are running.' }),
    available: credits({ description: 'free + paid − held.' }),
    coins: credits({ description: 'Face value of the coins owned.' }),
    calls_left_today: orNull(count(), { description: 'Under the shared demo key; null otherwise.' }),
    claim: Type.Object({
      open: Type.Boolean({ description: 'Whether this node takes claims.' }),
      worth: credits(),
      balance_max: credits({ description: 'Largest free + paid with which a claim is possible.' }),
      nearly_out: Type.Boolean(),
      claimed_today: Type.Boolean(),
      eligible: Type.Boolean(),
      state: oneOf(['claimable', 'already claimed today', 'unlocks when nearly out', 'not open on this node']),
      prior_claims: count(),
    }),
  }),
  faults: [],
  example: {},
  async handle({ economy }, { caller }) {
    const { claim, ...rest } = await economy.credits(caller)
    return { ok: true, ...rest, claim: { ...claim } }
  },
})

const usage = endpoint({
  ...common,
  id: 'economy.usage',
  route: 'GET /api/compute/usage',
  access: { credential: 'bearer', reach: { to: 'anyone' } },
  summary: 'The meter: credits used this month beside the bundle. It reports and refuses nothing.',
  input: closed({}),
  result: Type.Object({
    ok: Type.Boolean(),
    period: Type.String({ description: 'UTC month, yyyy-mm.' }),
    used: credits(),
    envelopes: count(),
    bundle: credits(),
    remaining: credits(),
    overage: credits(),
    enforced: Type.Boolean(),
  }),
  faults: [],
  example: {},
  handle: async ({ economy }, { caller }) => ({ ok: true, ...(await economy.usage(caller)) }),
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
  result: Type.Object({
    ok: Type.Boolean(),
    zid: zid(),
    credits: credits(),
    paid: credits({ description: 'Paid balance afterwards.' }),
    index: count({ description: 'Place of the ledger leaf in the seal log.' }),
    tick: tick(),
  }),
  faults: ['SCOPE_REQUIRED', 'UNKNOWN_ZID', ...codesOf('commit'), 'NODE_BUSY'],
  example: { zid: 'zid1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', credits: 100 },
  async handle({ economy }, { input, caller, once }) {
    return { ok: true, ...(await once(({ key }) => economy.grant(caller, input, key))) }
  },
})

export const creditEndpoints = [status, usage, grant] as const
