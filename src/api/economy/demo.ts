import Type from 'typebox'
import { endpoint } from '#api/endpoint.ts'
import { codesOf } from '#core/fault.ts'
import { closed, count, credits } from '#core/schema.ts'

/** Keys to try the node with. */
const common = {
  domain: 'economy',
  tier: 'computation',
  access: { credential: 'none' },
  input: closed({}),
  example: {},
} as const

const sharedKey = endpoint({
  ...common,
  id: 'economy.demo-key',
  route: 'GET /api/demo-key',
  summary: 'The shared demo key: ten calls a day per address, minting to the house.',
  result: Type.Object({
    key: Type.String(),
    plan: Type.String(),
    dailyLimit: count({ description: 'Calls a day per address bucket.' }),
  }),
  faults: [],
  handle: ({ identity }) => ({ ...identity.sharedDemoKey() }),
})

const mintKey = endpoint({
  ...common,
  id: 'economy.mint-demo-key',
  route: 'POST /api/demo-key/mint',
  idempotent: true,
  summary: 'A demo key with a budget of its own, shown once. What it computes belongs to the house.',
  audit: { event: 'demo_key_created', result: ['key_id'] },
  result: Type.Object({
    ok: Type.Boolean(),
    key: Type.String({ description: 'Shown only here.' }),
    key_id: Type.String(),
    plan: Type.String(),
    computeBudget: credits({ description: 'Free credits of this key.' }),
  }),
  faults: ['RATE_LIMITED', ...codesOf('commit'), 'NODE_BUSY'],
  async handle({ identity }, { caller, once }) {
    const { key, key_id, credits: computeBudget } = await once((repeat) => identity.mintDemoKey(caller.bucket, repeat))
    return { ok: true, key, key_id, plan: 'demo', computeBudget }
  },
})

export const demoEndpoints = [sharedKey, mintKey] as const
