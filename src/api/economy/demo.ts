import { answer, answered, endpoint, idempotencyFaults, shownOnceHeaders } from '#api/endpoint.ts'
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
  summary: 'A demo key with a budget of its own, shown once. What it computes belongs to the house.',
  audit: { event: 'demo_key_created', result: ['key_id'] },
  result: answered(mintedDemoKey),
  faults: ['RATE_LIMITED', 'CLOCK_BEHIND', 'LOG_ROLLED_BACK', 'LOG_UNCONFIRMED', 'NODE_BUSY', ...idempotencyFaults],
  async handle({ identity }, { caller, headers }) {
    const repeat = { endpointId: 'economy.mint-demo-key', key: headers.idempotencyKey, input: {} }
    const { replayed, ...made } = await identity.mintDemoKey(caller.bucket, repeat)
    return answer({ headers: shownOnceHeaders(replayed), body: made })
  },
})

export const demoEndpoints = [shared, mintKey] as const
