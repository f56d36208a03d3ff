// Goal: the interface changes only where a diff of its golden description says so, and the description is valid.
// Method: the document of the endpoints against protocols/openapi, and its parts against OpenAPI 3.1's own rules.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { type Endpoint, endpoint } from '#api/endpoint.ts'
import { endpoints } from '#api/index.ts'
import { templateOf } from '#core/route.ts'
import { closed, count, model } from '#core/schema.ts'
import { openapi } from '#gateway/openapi.ts'
import { type Description, goldensOf } from '../../scripts/openapi/goldens.ts'
import { suite } from '../kit/suite.ts'
import {
  type Document,
  document,
  isSchema,
  operations,
  type Parameter,
  type Response,
  resolved,
} from './openapi-document.ts'

const test = suite('api/openapi')

const all = endpoints as unknown as readonly Endpoint[]
const folder = new URL('../../protocols/openapi/', import.meta.url)

test('the golden description is what the endpoints say, file by file', () => {
  const made = goldensOf(document as unknown as Description)
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((it) => /\.\w+$/.test(it))
  assert.deepEqual(written.sort(), [...made.keys()].sort(), 'run `node scripts/openapi.ts`')
  for (const [name, text] of made) {
    assert.equal(
      readFileSync(new URL(name, folder), 'utf8'),
      text,
      `${name}: run \`node scripts/openapi.ts\`, and read the diff`,
    )
  }
})

test('the golden files together are the description, with nothing twice', () => {
  const made = goldensOf(document as unknown as Description)
  const parts = [...made].filter(([name]) => name.endsWith('.json')).map(([, text]) => JSON.parse(text) as Document)
  const paths: Record<string, object> = {}
  const components: Record<string, Record<string, unknown>> = {}
  for (const part of parts) {
    for (const [path, item] of Object.entries(part.paths ?? {})) {
      for (const method of Object.keys(item)) assert(!(method in (paths[path] ?? {})), `${method} ${path}`)
      paths[path] = { ...paths[path], ...item }
    }
    for (const [kind, named] of Object.entries(part.components)) {
      for (const name of Object.keys(named)) assert(!(name in (components[kind] ?? {})), `${kind} ${name}`)
      components[kind] = { ...components[kind], ...named }
    }
  }
  assert.deepEqual(paths, document.paths)
  assert.deepEqual(components, document.components)
})

test('the versions are those of the interface document', () => {
  assert.deepEqual([document.openapi, document.info.version], ['3.1.0', '1.287.0'])
})

test('operation ids are unique, paths and their parameters agree', () => {
  assert.equal(new Set(operations.map(({ it }) => it.operationId)).size, operations.length)
  for (const { path, it } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const parameters = it.parameters.map((part) => resolved<Parameter>(part))
    assert.deepEqual(
      parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
      named,
      path,
    )
    const keys = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
    assert.equal(new Set(keys).size, keys.length, path)
    for (const parameter of parameters) if (parameter.in === 'path') assert(parameter.required, path)
  }
})

test('every schema is valid', () => {
  for (const [name, schema] of Object.entries(document.components.schemas)) assert(isSchema(schema), name)
  for (const { path, it } of operations) {
    const schemas = [
      ...it.parameters.map((part) => resolved<Parameter>(part).schema),
      ...Object.values(it.requestBody?.content ?? {}).map(({ schema }) => schema),
      ...Object.values(it.responses).flatMap((part) =>
        Object.values(resolved<Response>(part).content ?? {}).map(({ schema }) => schema),
      ),
    ]
    for (const schema of schemas) assert(isSchema(schema), path)
  }
})

test('every operation says how it is refused, and names only security schemes that stand', () => {
  const schemes = Object.keys(document.components.securitySchemes)
  for (const { path, it } of operations) {
    assert('400' in it.responses, path)
    assert('429' in it.responses || 'x-unlimited' in it, path)
    for (const [status, part] of Object.entries(it.responses)) {
      assert(/^[1-5]\d\d$/.test(status) && resolved<Response>(part).description.length > 0, path)
    }
    for (const way of it.security) for (const name of Object.keys(way)) assert(schemes.includes(name), path)
    const bearer = it.security.some((way) => 'bearer' in way)
    // A link has its credential in its own input.
    const handled = ['handshake', 'signedLink', 'streamSession']
    const other =
      it.security.some((way) => handled.some((name) => name in way)) || ('x-acts' in it && it['x-acts'] === 'by-link')
    assert.equal('401' in it.responses, bearer || other, path)
  }
})

test('a method with a body takes no query but how the answer is wanted, and none without takes a body', () => {
  // What ends a batch stands beside its body, for the body with its key is what names the batch.
  const wanted = new Set(['plot', 'format', 'index', 'after', 'cancel'])
  for (const { path, method, it } of operations) {
    const parameters = it.parameters.map((part) => resolved<Parameter>(part))
    const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    const body = it.requestBody !== undefined
    const fits = method === 'get' || method === 'delete' ? !body : query.every((name) => wanted.has(name))
    assert(fits, `${method} ${path}: ${query.join()}`)
  }
})

test('access, limits and idempotency are those of the literal', () => {
  for (const { id, route, access, idempotent, acts } of all) {
    const [method = '', path = ''] = route.split(' ')
    const operation = document.paths[templateOf(path)]?.[method.toLowerCase()]
    assert.deepEqual(operation?.['x-access'], JSON.parse(JSON.stringify(access)), id)
    assert.deepEqual([operation?.['x-idempotent'], operation?.['x-acts']], [idempotent, acts], id)
  }
})

/** An endpoint for a description of its own. */
const sample = (id: string, thing: ReturnType<typeof model>): Endpoint =>
  endpoint({
    id,
    route: `GET /api/${id}`,
    domain: 'apps',
    tier: 'computation',
    access: { credential: 'none' },
    summary: 'A sample.',
    input: closed({}),
    result: thing,
    faults: [],
    example: {},
    handle: () => ({}),
  }) as unknown as Endpoint

test('an endpoint that is added leaves every name and every component that stood as it was', () => {
  const added = sample('apps.sample', model('SampleThing', { number: count() }))
  const schemasOf = (list: readonly Endpoint[]) =>
    (JSON.parse(JSON.stringify(openapi(list))) as Document).components.schemas
  const { SampleThing, ...others } = schemasOf([added, ...all])
  assert.deepEqual(others, document.components.schemas)
  assert.deepEqual(SampleThing, {
    type: 'object',
    required: ['number'],
    properties: { number: { $ref: '#/components/schemas/Count' } },
  })
})

test('two schemas of one name are refused', () => {
  const one = sample('apps.one', model('SampleThing', { number: count() }))
  const other = sample('apps.other', model('SampleThing', { amount: count() }))
  assert.throws(() => openapi([one, other]), /SampleThing names two different schemas/)
})

test.run()
