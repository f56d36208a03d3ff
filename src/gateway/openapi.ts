import type { Credential } from '#api/access.ts'
import { answerGroups } from '#api/compute/answer.ts'
import { domains, type Endpoint } from '#api/endpoint.ts'
import type { Json } from '#core/canonical.ts'
import { templateOf } from '#core/route.ts'
import { accepted } from '#core/strict-schema.ts'
import { INTERFACE_VERSION } from './manifest.ts'
import { type Components, createComponents } from './openapi/components.ts'
import { defaultsOf, exampleOf } from './openapi/examples.ts'
import { answerHeaders, deferredHeaders, headers } from './openapi/headers.ts'
import { introduction, tagOf } from './openapi/introduction.ts'
import { type Described, inOrder, isObject, type JsonObject, jsonOf } from './openapi/json.ts'
import { problemSchema, refusalsOf, takesBody } from './openapi/refusals.ts'
import { producedBy } from './produced.ts'
import { type Route, routesOf } from './router.ts'

const security: Readonly<Record<Credential, readonly Described[]>> = {
  none: [],
  optional: [{}, { bearer: [] }, { session: [] }],
  bearer: [{ bearer: [] }, { session: [] }],
  handshake: [{ handshake: [] }],
  'signed-link': [{ signedLink: [] }],
  'stream-session': [{ streamSession: [] }],
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
  signedLink: { type: 'apiKey', in: 'query', name: 'sig', description: 'The signature of a link to a channel.' },
  streamSession: { type: 'apiKey', in: 'query', name: 'session', description: 'A session of a channel.' },
}

const headerParameter = (name: string, title: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', maxLength: 255, title },
})

/** Parameters every call may carry in its header, where they mean something. */
const everyPost = [
  headerParameter(
    'Idempotency-Key',
    'Idempotency-Key',
    '1 to 255 visible ASCII characters; the same key brings back the stored answer.',
  ),
  headerParameter('Prefer', 'Prefer', 'RFC 7240: respond-async, wait=<seconds>.'),
]

/** Of a call that changes what others may change as well. */
const ifMatch = headerParameter(
  'If-Match',
  'If-Match',
  'Digest or number of the version that the call goes by; VERSION_CONFLICT where another stands.',
)

const inputOf = (schema: unknown): { readonly properties: JsonObject; readonly required: readonly string[] } => {
  const { properties = {}, required = [] } = jsonOf(accepted(schema)) as JsonObject
  return { properties: properties as JsonObject, required: required as readonly string[] }
}

/** `compute.heat` is `Heat`; other domains stand before the names of theirs, since two may have the same. */
const nameOf = ({ id, domain }: Endpoint): string => {
  const words = id.split(/[.-]/).slice(domains[domain] === 'compute' ? 1 : 0)
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
}

const parametersOf = ({ method, names, endpoint }: Route, components: Components): readonly Described[] => {
  const { properties, required } = inputOf(endpoint.input)
  const examples = endpoint.example as JsonObject
  const described = (name: string, place: 'path' | 'query', schema: Json = { type: 'string' }): Described =>
    components.parameter({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(isObject(schema) && schema['description'] !== undefined ? { description: schema['description'] } : {}),
      schema,
      ...(examples[name] === undefined ? {} : { example: examples[name] }),
    })
  const query = takesBody(method) ? [] : Object.keys(properties).filter((name) => !names.includes(name))
  const beside = endpoint.query === undefined ? {} : inputOf(endpoint.query).properties
  return [
    ...names.map((name) => described(name, 'path', properties[name])),
    ...query.map((name) => described(name, 'query', properties[name])),
    ...Object.entries(beside).map(([name, schema]) => described(name, 'query', schema)),
    ...(method === 'POST' && endpoint.access.credential !== 'handshake' ? everyPost.map(components.parameter) : []),
    ...(endpoint.matches === true ? [components.parameter(ifMatch)] : []),
  ]
}

/** The literal's own example; of an input that may be left out whole, its defaults. */
const exampleBody = ({ names, endpoint }: Route, schema: Json): JsonObject => {
  const given = Object.entries(endpoint.example as JsonObject).filter(([name]) => !names.includes(name))
  return given.length > 0 ? Object.fromEntries(given) : defaultsOf(schema)
}

/** A list as a line for each element. */
const linesText = (elements: readonly Json[]): string => elements.map((it) => `${JSON.stringify(it)}\n`).join('')

const bodyOf = (route: Route, components: Components): Described => {
  const { method, names, endpoint } = route
  if (!takesBody(method)) return {}
  const { properties, required } = inputOf(endpoint.input)
  const inBody = Object.entries(properties).filter(([name]) => !names.includes(name))
  if (inBody.length === 0 && endpoint.access.credential !== 'handshake') return {}
  const needed = required.filter((name) => !names.includes(name))
  const { required: _, ...whole } = jsonOf(accepted(endpoint.input)) as JsonObject
  const schema = {
    ...whole,
    properties: Object.fromEntries(inBody),
    ...(needed.length > 0 ? { required: needed } : {}),
  }
  const shown = components.refer(schema, `${nameOf(endpoint)}Input`)
  const example = exampleBody(route, schema)
  const elements = endpoint.listed === undefined ? undefined : (example[endpoint.listed] as readonly Json[])
  const content = {
    'application/json': { schema: shown, example },
    ...(elements && { 'application/x-ndjson': { schema: { type: 'string' }, example: linesText(elements) } }),
  }
  return { requestBody: { required: needed.length > 0, content } }
}

/** What an endpoint states that OpenAPI has no word for. */
const extensionsOf = ({ describe, acts, access, idempotent, limits = {} }: Endpoint): Described => {
  const { tags: _, ...described } = describe ?? {}
  const stated = {
    'x-access': access,
    'x-idempotent': idempotent,
    'x-acts': acts,
    'x-calls-per-minute': limits.callsPerMinute,
    'x-body-bytes-max': limits.bodyBytes,
    'x-unlimited': limits.unlimited,
  }
  return { ...described, ...Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)) }
}

/** What an example of an answer has from the call that it answers, and from what solves it. */
const hintsOf = ({ example, input, describe }: Endpoint): JsonObject => {
  const asked = { ...defaultsOf(jsonOf(input)), ...(example as JsonObject) }
  return { ...asked, ...(describe?.['x-solver'] as JsonObject | undefined) }
}

const statuses = { 201: 'Made.', 303: 'Leads on.' } as const

/** The answer by which a call has become a job: the same for each endpoint that may become one. */
const deferredAnswer = (job: Json, components: Components): Described => ({
  description: 'Accepted: a job, to come back to.',
  headers: deferredHeaders,
  content: { 'application/json': { schema: components.refer(job), example: exampleOf(job) } },
})

const answersOf = ({ endpoint, alias }: Pick<Route, 'endpoint' | 'alias'>, components: Components): Described => {
  const { status, defers } = endpoint
  const schema = jsonOf(endpoint.result)
  const shown = { schema: components.refer(schema, `${nameOf(endpoint)}Result`) }
  const produced = Object.fromEntries(producedBy(endpoint).map((type) => [type, { schema: { type: 'string' } }]))
  // What is never answered has no example.
  const example = isObject(schema) && 'not' in schema ? {} : { example: exampleOf(schema, hintsOf(endpoint)) }
  const sent = { headers: answerHeaders(endpoint, alias) }
  return {
    200: { description: 'Done.', ...sent, content: { 'application/json': { ...shown, ...example }, ...produced } },
    ...(status && { [status]: { description: statuses[status], ...sent, content: { 'application/json': shown } } }),
    ...(defers && { 202: components.response('Deferred', deferredAnswer(jsonOf(defers), components)) }),
    ...refusalsOf(endpoint, components),
  }
}

const operation = (route: Route, components: Components): Described => {
  const { endpoint, alias } = route
  const { tags = [] } = endpoint.describe ?? {}
  return {
    operationId: alias ? `${endpoint.id}@${route.path}` : endpoint.id,
    summary: endpoint.summary,
    tags: [endpoint.domain, ...tags],
    ...(alias ? { deprecated: true } : {}),
    'x-tier': endpoint.tier,
    ...extensionsOf(endpoint),
    security: security[endpoint.access.credential],
    parameters: parametersOf(route, components),
    ...bodyOf(route, components),
    responses: answersOf(route, components),
  }
}

/** The OpenAPI 3.1.0 document of the running node, derived from the endpoints alone. */
export const openapi = (endpoints: readonly Endpoint[]): Described => {
  const components = createComponents()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routesOf(endpoints)) {
    const path = templateOf(route.path)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components) }
  }
  const { schemas, parameters, responses } = components.all()
  const tags = [...new Set(endpoints.flatMap((it) => [it.domain, ...(it.describe?.tags ?? [])]))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'tickmesh',
      version: INTERFACE_VERSION,
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    'x-groups': answerGroups,
    tags: tags.map(tagOf),
    paths,
    components: {
      securitySchemes,
      headers,
      parameters,
      responses,
      schemas: inOrder([...Object.entries(schemas), ['Problem', problemSchema]]),
    },
  }
}
