import type { Credential } from '#api/access.ts'
import { type Endpoint, idempotencyFaults } from '#api/endpoint.ts'
import { type FaultCode, faults } from '#core/fault.ts'
import { accepted } from '#core/strict-schema.ts'
import { INTERFACE_VERSION } from './manifest.ts'
import { PROBLEM_TYPE } from './problem.ts'
import { producedBy } from './produced.ts'
import { type Route, routesOf } from './router.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
type Part = Readonly<Record<string, unknown>>

const security: Readonly<Record<Credential, readonly Part[]>> = {
  none: [],
  optional: [{}, { bearer: [] }, { session: [] }],
  bearer: [{ bearer: [] }, { session: [] }],
  handshake: [{ handshake: [] }],
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key: demo, account or machine key.' },
  session: { type: 'apiKey', in: 'cookie', name: 'tickmesh', description: 'The session of the page.' },
  handshake: {
    type: 'apiKey',
    in: 'header',
    name: 'x-node-handshake',
    description: 'v1;<sender>;<mesh tick>;<HMAC-SHA256>, over the exact bytes of the body.',
  },
}

const problemSchema = {
  type: 'object',
  description: 'RFC 9457.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'retryable'],
  properties: {
    type: { type: 'string', pattern: '^urn:tickmesh:fault:[A-Z_]+$' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', pattern: '^urn:uuid:' },
    code: { type: 'string', enum: [...Object.keys(faults), 'INTERNAL'] },
    retryable: { type: 'boolean' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}

/** What the gateway itself may answer, whatever the endpoint. */
const common: readonly FaultCode[] = [
  'MALFORMED_REQUEST',
  'INVALID_INPUT',
  'NOT_ACCEPTABLE',
  'HEADER_TOO_SLOW',
  'HOST_REFUSED',
  'HEADER_TOO_LARGE',
  'NODE_STOPPING',
  'STORE_FAILED',
]
const ofBodies: readonly FaultCode[] = [
  'MALFORMED_JSON',
  'ORIGIN_REFUSED',
  'BODY_TOO_SLOW',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]

const takesBody = (method: string): boolean => method !== 'GET' && method !== 'DELETE'

/** Every refusal that an endpoint can give: its own, and what stands before it. */
export const faultsOf = (endpoint: Endpoint): readonly FaultCode[] => {
  const [method = ''] = endpoint.route.split(' ')
  const asked = endpoint.access.credential
  const credential: readonly FaultCode[] = asked === 'bearer' || asked === 'optional' ? ['UNAUTHENTICATED'] : []
  const body = takesBody(method) ? ofBodies : method === 'GET' ? [] : (['ORIGIN_REFUSED'] as const)
  const limited: readonly FaultCode[] = endpoint.limits?.unlimited === true ? [] : ['RATE_LIMITED', 'NODE_BUSY']
  const repeated: readonly FaultCode[] = endpoint.idempotent === true ? idempotencyFaults : []
  return [...new Set([...common, ...limited, ...credential, ...body, ...endpoint.faults, ...repeated])]
}

const problemResponses = (endpoint: Endpoint): Part => {
  const byStatus = Map.groupBy(faultsOf(endpoint), (code) => faults[code].status)
  const responses = [...byStatus].sort(([a], [b]) => a - b)
  const content = { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } }
  const described = responses.map(([status, codes]): [string, Part] => [
    String(status),
    { description: codes.map((code) => `${code}: ${faults[code].title}`).join('\n'), content, 'x-codes': codes },
  ])
  return Object.fromEntries(described)
}

const schemaOf = (schema: unknown): Json => JSON.parse(JSON.stringify(accepted(schema))) as Json
const resultOf = (schema: unknown): Json => JSON.parse(JSON.stringify(schema)) as Json

const partsOf = (endpoint: Endpoint): { properties: Record<string, unknown>; required: readonly string[] } => {
  const { properties = {}, required = [] } = schemaOf(endpoint.input) as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  return { properties, required }
}

const propertiesOf = (schema: unknown): Readonly<Record<string, { description?: string }>> =>
  schema === undefined ? {} : ((schemaOf(schema) as { properties?: Record<string, object> }).properties ?? {})

const parametersOf = ({ method, names, endpoint }: Route): readonly Part[] => {
  const { properties, required } = partsOf(endpoint)
  const described = (name: string, place: 'path' | 'query', schema: { description?: string } | undefined): Part => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(schema?.description === undefined ? {} : { description: schema.description }),
    schema: schema ?? { type: 'string' },
  })
  const parameter = (name: string, place: 'path' | 'query'): Part =>
    described(name, place, properties[name] as { description?: string } | undefined)
  const query = takesBody(method) ? [] : Object.keys(properties).filter((name) => !names.includes(name))
  const beside = Object.entries(propertiesOf(endpoint.query)).map(([name, schema]) => described(name, 'query', schema))
  return [...names.map((name) => parameter(name, 'path')), ...query.map((name) => parameter(name, 'query')), ...beside]
}

const bodyOf = ({ method, names, endpoint }: Route): Part => {
  if (!takesBody(method)) return {}
  const { properties, required } = partsOf(endpoint)
  const inBody = Object.entries(properties).filter(([name]) => !names.includes(name))
  if (inBody.length === 0 && endpoint.access.credential !== 'handshake') return {}
  const example = Object.fromEntries(
    Object.entries(endpoint.example as Record<string, unknown>).filter(([name]) => !names.includes(name)),
  )
  const needed = required.filter((name) => !names.includes(name))
  const schema = {
    ...(schemaOf(endpoint.input) as Part),
    properties: Object.fromEntries(inBody),
    ...(needed.length > 0 ? { required: needed } : {}),
  }
  const { required: _, ...without } = schema as Record<string, unknown>
  const shown = needed.length > 0 ? schema : without
  return { requestBody: { required: needed.length > 0, content: { 'application/json': { schema: shown, example } } } }
}

/** Parameters every call may carry in its header, where they mean something. */
const headerParameters = (route: Route): readonly Part[] => {
  if (route.method !== 'POST' || route.endpoint.access.credential === 'handshake') return []
  const header = (name: string, description: string): Part => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', maxLength: 255 },
  })
  return [
    header('Idempotency-Key', '1 to 255 visible ASCII characters; the same key brings back the stored answer.'),
    header('Prefer', 'RFC 7240: respond-async, wait=<seconds>.'),
  ]
}

/** What an endpoint states that OpenAPI has no word for. */
const extensionsOf = ({ describe, acts, limits = {} }: Endpoint): Part => {
  const { tags: _, ...described } = describe ?? {}
  const stated = {
    'x-acts': acts,
    'x-calls-per-minute': limits.callsPerMinute,
    'x-body-bytes-max': limits.bodyBytes,
    'x-unlimited': limits.unlimited,
  }
  return { ...described, ...Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)) }
}

const operation = (route: Route): Part => {
  const { endpoint, alias } = route
  const { tags = [] } = endpoint.describe ?? {}
  const media = Object.fromEntries(producedBy(endpoint).map((type) => [type, { schema: { type: 'string' } }]))
  const result = { schema: resultOf(endpoint.result) }
  return {
    operationId: alias ? `${endpoint.id}@${route.path}` : endpoint.id,
    summary: endpoint.summary,
    tags: [endpoint.domain, ...tags],
    ...(alias ? { deprecated: true } : {}),
    'x-tier': endpoint.tier,
    ...extensionsOf(endpoint),
    security: security[endpoint.access.credential],
    parameters: [...parametersOf(route), ...headerParameters(route)],
    ...bodyOf(route),
    responses: {
      200: { description: 'Done.', content: { 'application/json': result, ...media } },
      ...problemResponses(endpoint),
    },
  }
}

/** The OpenAPI 3.1.0 document of the running node, derived from the endpoints alone. */
export const openapi = (endpoints: readonly Endpoint[]): Part => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routesOf(endpoints)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) }
  }
  const tags = [...new Set(endpoints.flatMap((it) => [it.domain, ...(it.describe?.tags ?? [])]))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'tickmesh',
      version: INTERFACE_VERSION,
      description: 'Verified numerical computation with sealed proof receipts, and what stands around it.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: { securitySchemes, schemas: { Problem: problemSchema } },
  }
}
