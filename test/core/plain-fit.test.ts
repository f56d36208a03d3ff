// Goal: what is said to fit beyond doubt does fit, and what plainly fits is not sent on to the schema library. Method:
// every value of a list against every schema of another, judged by a validator of its own (Ajv).
import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { surelyFits } from '#core/plain-fit.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/plain-fit')

const schemas: readonly object[] = [
  {},
  ...['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'].map((type) => ({ type })),
  { enum: ['a', 1, null] },
  { const: true },
  { anyOf: [{ type: 'null' }, { type: 'string', maxLength: 2 }] },
  { type: 'number', minimum: -1, maximum: 2 },
  { type: 'string', minLength: 1, maxLength: 3, pattern: '^[a-c]+$' },
  { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2 },
  { type: 'array' },
  { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } }, required: ['a'] },
  { type: 'object', properties: { a: {} }, additionalProperties: false },
  { type: 'object', properties: { a: { type: 'object', properties: { c: { const: 1 } }, required: ['c'] } } },
  {
    type: 'object',
    patternProperties: { '^[ab]$': { type: 'integer' } },
    maxProperties: 1,
    additionalProperties: false,
  },
  { type: 'object', properties: { a: {} }, patternProperties: { '^a': { const: 1 } }, additionalProperties: false },
  { type: 'object', patternProperties: { '^b': { type: 'string' } } },
  { type: 'integer', description: 'a note', default: 3, 'x-unit': 'm' },
]

const values: readonly unknown[] = [
  ...[null, true, false, 0, -1, 2, 2.5, 1e15, '', 'a', 'abc', 'abcd', 'd', '1'],
  ...[
    [],
    [1],
    [1, 2],
    [1, 2, 3],
    ['a'],
    [null],
    {},
    { a: 1 },
    { a: '1' },
    { b: 'x' },
    { a: 1, b: 'x' },
    { a: 1, b: 2 },
  ],
  ...[{ a: 1, d: 1 }, { a: { c: 1 } }, { a: { c: 2 } }, { a: {} }, { d: 1 }, JSON.parse('{"__proto__":1}')],
]

test('a value fits beyond doubt where it fits, but for names that a schema does not know', () => {
  const ajv = new Ajv2020({ strict: false })
  let fitting = 0
  for (const schema of schemas) {
    const fits = ajv.compile(schema)
    const {
      properties = {},
      patternProperties,
      additionalProperties,
    } = schema as {
      properties?: object
      patternProperties?: object
      additionalProperties?: boolean
    }
    for (const value of values) {
      const sure = surelyFits(schema, value)
      const what = `${JSON.stringify(value)} in ${JSON.stringify(schema)}`
      if (sure) assert(fits(value), what)
      const names = value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.keys(value) : []
      const open = additionalProperties === undefined || patternProperties !== undefined
      const plain = open || names.every((name) => Object.hasOwn(properties, name))
      if (plain) assert.equal(sure, fits(value), what)
      fitting += sure ? 1 : 0
    }
  }
  assert(fitting > 100, `${fitting} fit`)
})

test('what it does not know is left to the library: other words, numbers that are none, halves of characters', () => {
  for (const schema of [{ not: {} }, { type: 'string', format: 'date' }, { $ref: '#/a' }, { allOf: [] }]) {
    assert.equal(surelyFits(schema, 'a'), false, JSON.stringify(schema))
  }
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) assert(!surelyFits({ type: 'integer' }, value))
  assert(!surelyFits({ type: 'number' }, Number.NaN))
  for (const text of ['\ud83d\ude00', '\ud83d']) assert(!surelyFits({ type: 'string' }, text))
})

test.run()
