import { answered, endpoint } from '#api/endpoint.ts'
import { codesOf } from '#core/fault.ts'
import { closed } from '#core/schema.ts'
import { mintedDemoKey, sharedKey } from '#domain/identity/views.ts'

/** Keys to try the node with. */
const common = {
  domain: 'economy',
  tier: 'computation',
  access: { credential: 'none' },
  input: closed({}),
  example: {},
} as const

const shared = endpoint({
  ...common,
  id: 'economy.demo-key',
  route: 'GET /api/demo-key',
  summary: 'The shared demo key: ten calls a day per address, minting to the house.',
  result: sharedKey,
  faults: [],
  handle: ({ identity }) => identity.sharedDemoKey(),
})

const mintKey = endpoint({
  ...common,
  id: 'economy.mint-demo-key',
  route: 'POST /api/demo-key/mint',
  idempotent: true,
  summary: 'A demo key with a budget of its own, shown once. What it computes belongs to the house.',
  audit: { event: 'demo_key_created', result: ['key_id'] },
  result: answered(mintedDemoKey),
  faults: ['RATE_LIMITED', ...codesOf('commit'), 'NODE_BUSY'],
  handle: ({ identity }, { caller, once }) => once((repeat) => identity.mintDemoKey(caller.bucket, repeat)),
})

export const demoEndpoints = [shared, mintKey] as const
