// Goal: the interface changes only where a diff of its golden description says so, and the description is valid.
// Method: the document of the endpoints against protocols/openapi.json, and its parts against OpenAPI 3.1's own rules.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Endpoint } from '#api/endpoint.ts'
import { endpoints } from '#api/index.ts'
import { openapi } from '#gateway/openapi.ts'
import { suite } from '../kit/suite.ts'

const test = suite('api/openapi')

interface Operation {
  readonly operationId: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: object
  }[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object; readonly example: unknown }> }
  readonly responses: Record<
    string,
    { readonly description: string; readonly content?: Record<string, { readonly schema: object }> }
  >
  readonly security: readonly Record<string, readonly string[]>[]
}
interface Document {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly securitySchemes: object; readonly schemas: { readonly Problem: object } }
}

const document = JSON.parse(JSON.stringify(openapi(endpoints as unknown as readonly Endpoint[]))) as Document
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, it]) => ({ path, method, it })),
)
const ajv = new Ajv2020({ strict: false, formats: {} })

test('the golden description is what the endpoints say', () => {
  const golden = JSON.parse(readFileSync(new URL('../../protocols/openapi.json', import.meta.url), 'utf8'))
  assert.deepEqual(document, golden, 'run `node scripts/openapi.ts`, and read the diff')
})

test('the versions are those of the interface document', () => {
  assert.deepEqual([document.openapi, document.info.version], ['3.1.0', '1.287.0'])
})

test('operation ids are unique, paths and their parameters agree', () => {
  assert.equal(new Set(operations.map(({ it }) => it.operationId)).size, operations.length)
  for (const { path, it } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    assert.deepEqual(
      it.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
      named,
      path,
    )
    const keys = it.parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
    assert.equal(new Set(keys).size, keys.length, path)
    for (const parameter of it.parameters) if (parameter.in === 'path') assert(parameter.required, path)
  }
})

test('every schema is valid, and every example fits its own', () => {
  for (const { path, it } of operations) {
    for (const { schema } of it.parameters) assert(ajv.validateSchema(schema), path)
    for (const { schema, example } of Object.values(it.requestBody?.content ?? {})) {
      assert(ajv.validate(schema, example), `${path}: ${ajv.errorsText(ajv.errors)}`)
    }
    for (const { content } of Object.values(it.responses)) {
      for (const { schema } of Object.values(content ?? {}))
        if (!('$ref' in schema)) assert(ajv.validateSchema(schema), path)
    }
  }
})

test('every operation says how it is refused, and names only security schemes that stand', () => {
  const schemes = Object.keys(document.components.securitySchemes)
  for (const { path, it } of operations) {
    assert('400' in it.responses, path)
    assert('429' in it.responses || 'x-unlimited' in it, path)
    for (const [status, { description }] of Object.entries(it.responses)) {
      assert(/^[1-5]\d\d$/.test(status) && description.length > 0, path)
    }
    for (const way of it.security) for (const name of Object.keys(way)) assert(schemes.includes(name), path)
    const bearer = it.security.some((way) => 'bearer' in way)
    // A link has its credential in its own input.
    const other = it.security.some((way) => 'handshake' in way) || ('x-acts' in it && it['x-acts'] === 'by-link')
    assert.equal('401' in it.responses, bearer || other, path)
  }
})

test('a method with a body takes no query but how the answer is wanted, and none without takes a body', () => {
  const wanted = new Set(['plot', 'format', 'index'])
  for (const { path, method, it } of operations) {
    const query = it.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    const body = it.requestBody !== undefined
    const fits = method === 'get' || method === 'delete' ? !body : query.every((name) => wanted.has(name))
    assert(fits, `${method} ${path}: ${query.join()}`)
  }
})

test.run()
