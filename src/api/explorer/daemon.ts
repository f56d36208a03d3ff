import Type from 'typebox'
import { answer, endpoint } from '#api/endpoint.ts'
import { checks, landauer, logState, nothing, pulse, status, withOk } from './schemas.ts'

/** What monitors and people ask of a running node. */
const common = {
  domain: 'explorer-platform',
  tier: 'computation',
  access: { credential: 'none' },
  input: nothing,
  example: {},
} as const

const daemonHealth = endpoint({
  ...common,
  id: 'explorer.health',
  route: 'GET /api/daemon/health',
  summary: 'Whether the node is alive and ready, check by check.',
  result: checks,
  faults: [],
  handle: async ({ explorer }) => explorer.readiness().then(({ ok, checks }) => ({ ok, checks: [...checks] })),
})

const daemonStatus = endpoint({
  ...common,
  id: 'explorer.status',
  route: 'GET /api/daemon/status',
  summary: 'Version, build, clock, peers and log of this node.',
  result: status,
  faults: [],
  handle: ({ explorer }) => {
    const { clock_jumps: jumps, ...rest } = explorer.status()
    return withOk({ ...rest, clock_jumps: [...jumps] })
  },
})

const daemonPulse = endpoint({
  ...common,
  id: 'explorer.pulse',
  route: 'GET /api/daemon/pulse',
  summary: 'The pulse: tick, phase and modulation now.',
  result: pulse,
  faults: [],
  handle: ({ explorer }) => {
    const now = explorer.pulse()
    return { ...now, _kernel: { ...now._kernel, protocol: [...now._kernel.protocol] } }
  },
})

const daemonLandauer = endpoint({
  ...common,
  id: 'explorer.landauer',
  route: 'GET /api/daemon/landauer',
  summary: 'Least energy for the bits this node erased, beside what the machine measured.',
  result: landauer,
  faults: [],
  handle: ({ explorer }) => withOk(explorer.landauer()),
})

const daemonTesc = endpoint({
  ...common,
  id: 'explorer.tesc',
  route: 'GET /api/daemon/tesc',
  summary: 'Tick-epoch state commitment: the current checkpoint of the seal log.',
  result: Type.Object({ ok: Type.Boolean(), ...logState.properties }),
  faults: [],
  handle: ({ explorer }) => withOk(explorer.logState()),
})

const healthz = endpoint({
  ...common,
  limits: { unlimited: true },
  id: 'explorer.alive',
  route: 'GET /healthz',
  summary: 'The process is alive; nothing else is asked.',
  result: Type.Object({ ok: Type.Boolean() }),
  faults: [],
  handle: () => ({ ok: true }),
})

const readyz = endpoint({
  ...common,
  limits: { unlimited: true },
  id: 'explorer.ready',
  route: 'GET /readyz',
  summary: 'Whether the node may be sent work: 200 if every check passes, else 503.',
  result: checks,
  faults: [],
  async handle({ explorer }) {
    const { ok, checks } = await explorer.readiness()
    const headers: Readonly<Record<string, string>> = ok ? {} : { 'Retry-After': '1' }
    return answer({ status: ok ? 200 : 503, headers, body: { ok, checks: [...checks] } })
  },
})

const metrics = endpoint({
  ...common,
  limits: { unlimited: true },
  id: 'explorer.metrics',
  route: 'GET /metrics',
  summary: 'Metrics in the Prometheus text format.',
  result: Type.String(),
  faults: [],
  produces: ['text/plain'],
  async handle({ explorer }) {
    const { text, type } = await explorer.metrics()
    return answer({ body: text, type })
  },
})

export const daemonEndpoints = [
  daemonHealth,
  daemonStatus,
  daemonPulse,
  daemonLandauer,
  daemonTesc,
  healthz,
  readyz,
  metrics,
] as const
