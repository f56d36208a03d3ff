import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { closed, count, finite, preset } from '#core/schema.ts'
import { registerManifest, registerView } from '#domain/network/views/mmio.ts'

/** The register page over HTTP. */
const domain = 'network-governance'
const tier = 'computation'

/** Seconds that a call may wait for an interrupt. */
const WAIT_SECONDS_MAX = 60

const manifest = endpoint({
  domain,
  tier,
  id: 'network.mmio',
  route: 'GET /api/svc/mmio',
  summary: 'The register page: every register with its place, type, unit and meaning, and the values that are public.',
  access: { credential: 'none' },
  input: closed({}),
  result: answered(registerManifest),
  faults: [],
  example: {},
  handle: ({ registers }) => registers.manifest(),
})

const view = endpoint({
  domain,
  tier,
  id: 'network.mmio-registers',
  route: 'GET /api/svc/mmio/registers',
  summary:
    "The registers as the caller sees them: all of them for the node's owner, for any other identity the public ones " +
    'and its own credits and coins. With `wait` it answers at the next interrupt that is not masked.',
  access: { credential: 'bearer', reach: { to: 'account' } },
  input: closed({
    wait: preset(
      finite({
        minimum: 0,
        maximum: WAIT_SECONDS_MAX,
        default: 0,
        description: 'The longest wait for an interrupt before it answers anyhow.',
        'x-unit': 's',
      }),
    ),
    after: Type.Optional(
      count({ description: 'Node tick of the page that the caller has: what came since then is not waited for.' }),
    ),
  }),
  result: answered(registerView),
  faults: ['SCOPE_REQUIRED', 'NODE_BUSY', 'RATE_LIMITED'],
  example: { wait: 0 },
  handle: ({ registers }, { input, caller, signal }) => registers.view(caller, input, signal),
})

/** Endpoints of the register page. */
export const registerEndpoints = [manifest, view] as const
