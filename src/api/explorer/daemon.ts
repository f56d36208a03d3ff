import Type from 'typebox'
import { answer, answered, endpoint } from '#api/endpoint.ts'
import { closed } from '#core/schema.ts'
import { landauer, logState, nodeStatus, pulse, readiness } from '#domain/explorer/views.ts'

/** What monitors and people ask of a running node. */
const common = {
  domain: 'explorer-platform',
  tier: 'computation',
  access: { credential: 'none' },
  input: closed({}),
  example: {},
} as const

const daemonHealth = endpoint({
  ...common,
  id: 'explorer.health',
  route: 'GET /api/daemon/health',
  summary: 'Whether the node is alive and ready, check by check.',
  result: readiness,
  faults: [],
  handle: ({ explorer }) => explorer.readiness(),
})

const daemonStatus = endpoint({
  ...common,
  id: 'explorer.status',
  route: 'GET /api/daemon/status',
  summary: 'Version, build, clock, peers and log of this node.',
  result: answered(nodeStatus),
  faults: [],
  handle: ({ explorer }) => explorer.status(),
})

const daemonPulse = endpoint({
  ...common,
  id: 'explorer.pulse',
  route: 'GET /api/daemon/pulse',
  summary: 'The pulse: tick, phase and modulation now.',
  result: pulse,
  faults: [],
  handle: ({ explorer }) => explorer.pulse(),
})

const daemonLandauer = endpoint({
  ...common,
  id: 'explorer.landauer',
  route: 'GET /api/daemon/landauer',
  summary: 'Least energy for the bits this node erased, beside what the machine measured.',
  result: answered(landauer),
  faults: [],
  handle: ({ explorer }) => explorer.landauer(),
})

const daemonTesc = endpoint({
  ...common,
  id: 'explorer.tesc',
  route: 'GET /api/daemon/tesc',
  summary: 'Tick-epoch state commitment: the current checkpoint of the seal log.',
  result: answered(logState),
  faults: [],
  handle: ({ explorer }) => explorer.logState(),
})

const healthz = endpoint({
  ...common,
  limits: { unlimited: true },
  id: 'explorer.alive',
  route: 'GET /healthz',
  summary: 'The process is alive; nothing else is asked.',
  result: answered(Type.Object({})),
  faults: [],
  handle: () => ({}),
})

const readyz = endpoint({
  ...common,
  limits: { unlimited: true },
  id: 'explorer.ready',
  route: 'GET /readyz',
  summary: 'Whether the node may be sent work: 200 if every check passes, else 503.',
  result: readiness,
  faults: [],
  async handle({ explorer }) {
    const found = await explorer.readiness()
    const headers: Readonly<Record<string, string>> = found.ok ? {} : { 'Retry-After': '1' }
    return answer({ status: found.ok ? 200 : 503, headers, body: found })
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
