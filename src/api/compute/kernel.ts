import Type from 'typebox'
import { answer, answered, endpoint } from '#api/endpoint.ts'
import { closed, count, finite, oneOf } from '#core/schema.ts'
import { PULSE_HZ_EXACT, TICK_NS, TICK_SECONDS } from '#core/tick.ts'
import { pulse } from '#domain/explorer/views.ts'
import { kernelPrompt } from './kernel-prompt.ts'

/** The kernel and its clock, as metadata. */
const common = { domain: 'compute', tier: 'computation', access: { credential: 'none' } } as const

const MARKDOWN = 'text/markdown'

const kernel = endpoint({
  ...common,
  id: 'compute.kernel',
  route: 'GET /api/kernel',
  summary: 'Kernel metadata: version, protocol, operator registry.',
  input: closed({}),
  result: answered(
    Type.Object({
      name: Type.String(),
      version: Type.String(),
      registry_version: Type.String({ description: '`sha256:` over the operator rows.' }),
      operators: count({ description: 'Rows of the operator registry.' }),
      operators_max: count({ description: 'Domain operators in one computation, KO42 not counted.' }),
      alpha: finite(),
      modulation: Type.String(),
      modes: Type.Array(Type.String(), { description: 'Modes of the modulation.' }),
      precision: finite({ description: 'Precision bound in percent.' }),
      protocol: Type.Array(Type.String()),
      code: Type.Unknown({ description: 'Digests of what a replay must load.' }),
      prompt: Type.String({ description: 'Path of the prompt.' }),
    }),
  ),
  faults: [],
  example: {},
  handle({ compute, explorer }) {
    const { alpha, modulation, precision, _kernel } = explorer.pulse()
    return {
      name: 'KO42',
      version: compute.kernelVersion,
      registry_version: compute.registry.version,
      operators: compute.registry.ids.length,
      operators_max: 3,
      alpha,
      modulation,
      modes: ['automatic', 'manual', 'gauge'],
      precision,
      protocol: _kernel.protocol,
      code: compute.code,
      prompt: _kernel.prompt,
    }
  },
})

const prompt = endpoint({
  ...common,
  id: 'compute.kernel-prompt',
  route: 'GET /api/kernel/prompt',
  summary: 'What a caller must know to compute here; Markdown by Accept or ?format=markdown.',
  input: closed({ format: Type.Optional(oneOf(['json', 'markdown'], { description: 'Form of the answer.' })) }),
  result: answered(Type.Object({ version: Type.String(), prompt: Type.String() })),
  faults: [],
  example: {},
  produces: [MARKDOWN],
  handle({ compute, explorer }, { input, headers }) {
    const text = kernelPrompt(compute.kernelVersion, compute.registry.ids.length, explorer.pulse())
    const markdown = input.format === 'markdown' || (input.format === undefined && prefersMarkdown(headers.accept))
    if (markdown) return answer<never>({ body: text, type: `${MARKDOWN}; charset=utf-8` })
    return { version: compute.kernelVersion, prompt: text }
  },
})

/** Whether an Accept header names Markdown and does not name JSON before it. */
const prefersMarkdown = (accept = ''): boolean => {
  const at = accept.indexOf(MARKDOWN)
  const json = accept.indexOf('application/json')
  return at !== -1 && (json === -1 || at < json)
}

const pulseNow = endpoint({
  ...common,
  id: 'compute.pulse',
  route: 'GET /api/svc/pulse',
  summary: 'The pulse payload: tick, phase, modulation and the kernel note.',
  input: closed({}),
  result: pulse,
  faults: [],
  example: {},
  handle: ({ explorer }) => explorer.pulse(),
})

const sdkMetadata = endpoint({
  ...common,
  id: 'compute.sdk-metadata',
  route: 'GET /api/svc/sdk/metadata',
  summary: 'Constants a client is built with, the exact tick among them.',
  input: closed({}),
  result: answered(
    Type.Object({
      name: Type.String(),
      version: Type.String({ description: 'Release of the node.' }),
      interface_version: Type.String(),
      kernel_version: Type.String(),
      tick_ns: count({ description: 'Tick period in nanoseconds, exact.' }),
      tick_sec: finite({ description: 'A caption; wrong for absolute tick counts.' }),
      tick_sec_exact: finite(),
      pulse_hz: finite({ description: 'A caption.' }),
      pulse_hz_exact: finite(),
      alpha: finite(),
      genesisTick: count({ description: 'Mesh tick of the genesis.' }),
      genesis_ns: Type.String({ description: 'Genesis in Unix nanoseconds, decimal.' }),
      operators_max: count(),
      precision: finite({ description: 'Precision bound in percent.' }),
      endpoints: Type.String({ description: 'Path of the manifest.' }),
      openapi: Type.String({ description: 'Path of the machine-readable description.' }),
    }),
  ),
  faults: [],
  example: {},
  handle({ compute, explorer }) {
    const now = explorer.pulse()
    return {
      name: 'tickmesh',
      version: explorer.status().version,
      interface_version: explorer.surfaces.manifest().version,
      kernel_version: compute.kernelVersion,
      tick_ns: now.tick_ns,
      tick_sec: now.tickSec,
      tick_sec_exact: TICK_SECONDS,
      pulse_hz: now.pulseHz,
      pulse_hz_exact: PULSE_HZ_EXACT,
      alpha: now.alpha,
      genesisTick: now.genesisTick,
      genesis_ns: (BigInt(now.genesisTick) * TICK_NS).toString(),
      operators_max: 3,
      precision: now.precision,
      endpoints: '/api/endpoints',
      openapi: '/api/openapi.json',
    }
  },
})

export const kernelEndpoints = [kernel, prompt, pulseNow, sdkMetadata] as const
