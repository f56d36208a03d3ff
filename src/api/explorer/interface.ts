import Type from 'typebox'
import { answer, answered, domains, endpoint } from '#api/endpoint.ts'
import { closed, oneOf } from '#core/schema.ts'
import { manifest } from '#domain/explorer/views.ts'

/** The interface describing itself. */
const slugs = Object.keys(domains) as (keyof typeof domains)[]

const listEndpoints = endpoint({
  id: 'explorer.endpoints',
  route: 'GET /api/endpoints',
  domain: 'explorer-platform',
  tier: 'computation',
  access: { credential: 'none' },
  summary: 'The manifest of what this node answers, whole or of one domain.',
  input: closed({ domain: Type.Optional(oneOf(slugs, { description: 'Manifest domain.' })) }),
  result: answered(manifest),
  faults: [],
  example: { domain: 'explorer-platform' },
  handle: ({ explorer }, { input }) => explorer.surfaces.manifest(input.domain),
})

const describe = endpoint({
  id: 'explorer.openapi',
  route: 'GET /api/openapi.json',
  domain: 'explorer-platform',
  tier: 'computation',
  access: { credential: 'none' },
  summary: 'The machine-readable description: OpenAPI 3.1.0.',
  input: closed({}),
  sends: ['Cache-Control'],
  result: Type.Object({ openapi: Type.String(), paths: Type.Record(Type.String(), Type.Unknown()) }),
  faults: [],
  example: {},
  handle: ({ explorer }) => {
    const document = explorer.surfaces.openapi() as { openapi: string; paths: Record<string, unknown> }
    return answer({ body: document, headers: { 'Cache-Control': 'no-cache' } })
  },
})

export const interfaceEndpoints = [listEndpoints, describe] as const
