// Goal: the parts of the description that people read are there, small enough, and true: names, introduction, examples,
// headers. Method: loops over the served document, in which nothing names an endpoint; examples against their schemas.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { faults } from '#core/fault.ts'
import { problemSchema } from '#gateway/openapi/refusals.ts'
import { suite } from '../kit/suite.ts'
import {
  document,
  errorsOf,
  judgeAt,
  type Media,
  operations,
  type Parameter,
  type Part,
  placesOf,
  type Response,
  resolved,
  served,
} from './openapi-document.ts'

const test = suite('api/openapi: parts')

const BYTES_MAX = 1_200_000
const GOLDEN_LINES_MAX = 44_000
/** Characters from which on a schema that stands twice must have a name. */
const REPEATED_CHARS_MAX = 600

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
const pointerOf = (path: string, method: string): string => `/paths/${escaped(path)}/${method}`

test('it is as small as people can read and merge', () => {
  const folder = new URL('../../protocols/openapi/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((it) => /\.\w+$/.test(it))
  const lines = files.map((it) => readFileSync(new URL(it, folder), 'utf8').split('\n').length - 1)
  assert(Buffer.byteLength(served) <= BYTES_MAX, `${Buffer.byteLength(served)} bytes`)
  assert(lines.reduce((sum, it) => sum + it) <= GOLDEN_LINES_MAX)
})

test('every reference names a component, and every component is named', () => {
  const named = new Set(
    Object.entries(document.components).flatMap(([kind, all]) =>
      Object.keys(all).map((it) => `#/components/${kind}/${it}`),
    ),
  )
  const used = new Set(placesOf(document).flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : [])))
  assert.deepEqual(
    [...used].filter((it) => !named.has(it)),
    [],
  )
  const unused = [...named].filter((it) => !used.has(it) && !it.includes('/securitySchemes/'))
  assert.deepEqual(unused, [])
})

test('names say what a thing is, and a large schema that stands twice has one', () => {
  for (const name of Object.keys(document.components.schemas)) assert.match(name, /^[A-Z][A-Za-z]*(?:64)?$/, name)
  for (const name of ['HeatInput', 'HeatResult', 'Envelope', 'Claim', 'Job', 'Problem', 'Machine', 'Peer', 'Key']) {
    assert(name in document.components.schemas, name)
  }
  const repeated = new Map<string, string[]>()
  for (const [at, part] of placesOf({ components: { schemas: document.components.schemas }, paths: document.paths })) {
    const schema = typeof part['type'] === 'string' || 'anyOf' in part || 'allOf' in part
    const text = schema ? JSON.stringify(part) : ''
    if (text.length > REPEATED_CHARS_MAX) repeated.set(text, [...(repeated.get(text) ?? []), at])
  }
  // Schemas of solvers are published word for word, each revision by itself, and take no title.
  const ofSolver = (at: string): boolean => /^\/components\/schemas\/(?:Dock|Lattice|Shift)Input\//.test(at)
  const twice = [...repeated.values()].filter((at) => at.length > 1 && !at.every(ofSolver))
  assert.deepEqual(twice, [], 'give it a name: model(…) of core/schema.ts')
})

test('the introduction has what a caller must know first, a problem every code; every tag has a meaning', () => {
  const { description } = document.info
  for (const head of ['Quick start', 'Authentication', 'Errors', 'Limits', 'Idempotency']) {
    assert(description.includes(`\n## ${head}\n`), head)
  }
  for (const word of [
    'curl',
    'Retry-After',
    'RateLimit-Remaining',
    'Idempotency-Key',
    'application/problem+json',
    'x-access',
    '/docs/errors',
  ]) {
    assert(description.includes(word), word)
  }
  assert.deepEqual(problemSchema.properties.code.enum, [...Object.keys(faults), 'INTERNAL'])
  for (const { name, description: about = '' } of document.tags) assert(about.length > 0, name)
})

const exampleFits = (at: string, { example }: Media | Parameter): void => {
  const validate = judgeAt(`${at}/schema`)
  assert(validate(example), `${at}: ${errorsOf(validate)}: ${JSON.stringify(example).slice(0, 300)}`)
}

test('every operation has an example of what is sent and of what is answered, and each fits its schema', () => {
  let [sent, answered] = [0, 0]
  for (const { path, method, it } of operations) {
    const at = pointerOf(path, method)
    for (const [type, media] of Object.entries(it.requestBody?.content ?? {})) {
      exampleFits(`${at}/requestBody/content/${escaped(type)}`, media)
      sent++
    }
    const [media, done] = ['application/json', resolved<Response>(it.responses['200'] ?? {})]
    const json = done.content?.[media]
    // What has no answer has no example of one.
    if (json === undefined || 'not' in resolved<Part>(json.schema)) continue
    assert('example' in json, `${at} has no example`)
    exampleFits(`${at}/responses/200/content/${escaped(media)}`, json)
    answered++
  }
  assert(sent > 60 && answered > operations.length - 3)
})

test('examples of parameters and of components fit', () => {
  for (const { path, method, it } of operations) {
    it.parameters.forEach((part, i) => {
      if ('example' in part) exampleFits(`${pointerOf(path, method)}/parameters/${i}`, part as Parameter)
    })
  }
  for (const kind of ['parameters', 'headers', 'responses'] as const) {
    for (const [at, part] of placesOf(document.components[kind], `/components/${kind}`)) {
      if ('example' in part && 'schema' in part) exampleFits(at, part as unknown as Media)
    }
  }
  const shown = Object.entries(document.components.schemas).filter(([, { examples }]) => Array.isArray(examples))
  for (const [name, { examples }] of shown) {
    const validate = judgeAt(`/components/schemas/${name}`)
    for (const example of examples as readonly unknown[]) assert(validate(example), `${name}: ${errorsOf(validate)}`)
  }
  assert(['Claim', 'Envelope', 'Problem'].every((name) => shown.some(([it]) => it === name)))
})

test('what waits, counts, repeats and defers says so in its headers', () => {
  const headersOf = (part: Part | Response | undefined): readonly string[] =>
    Object.keys(resolved<Response>(part ?? {}).headers ?? {})
  for (const { path, it } of operations) {
    assert.equal(headersOf(it.responses['200']).includes('RateLimit-Remaining'), !('x-unlimited' in it), path)
    assert.equal(headersOf(it.responses['200']).includes('Idempotency-Replayed'), 'x-idempotent' in it, path)
    for (const status of ['429', '503']) {
      if (status in it.responses) assert(headersOf(it.responses[status]).includes('Retry-After'), path)
    }
    if ('401' in it.responses) assert(headersOf(it.responses['401']).includes('WWW-Authenticate'), path)
    if ('202' in it.responses) assert(headersOf(it.responses['202']).includes('Location'), path)
  }
})

test.run()
