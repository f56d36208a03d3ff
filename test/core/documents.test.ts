// Goal: a second implementer can write the verifier from protocols/wire alone. Method: the tables of the documents are
// read and held against the schemas, member for member, and against the steps; then what the text says of levels, of
// lists in place of none and of unions is tried.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { digestible } from '#core/arrays.ts'
import {
  askedClaimSchema,
  BUNDLE_BYTES_MAX,
  bundleSchema,
  bundleText,
  envelopeSchema,
  parseBundle,
  plainClaimSchema,
  tickReceiptSchema,
} from '#core/bundle.ts'
import type { Json } from '#core/canonical.ts'
import type { Bundle } from '#core/claim.ts'
import { equationsDigest, inputsDigest, resultDigest } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { PROOF_CHARS_MAX } from '#core/tlog-proof.ts'
import { codeSchema, verdictSchema } from '#core/verdict.ts'
import { stepNames } from '#core/verify.ts'
import { bundleVectors } from '../../scripts/vectors/wire.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/documents')

const read = (name: string): string => readFileSync(new URL(`../../protocols/wire/${name}.md`, import.meta.url), 'utf8')

/** The first columns of a document's tables, by the title of that column; a cell may name several members. */
const tablesOf = (name: string): readonly (readonly [string, readonly string[]])[] => {
  const blocks = read(name).split(/\n{2,}/)
  const tables = blocks.map((it) => it.split('\n').filter((line) => line.startsWith('|'))).filter((it) => it.length > 2)
  return tables.map(([title = '', , ...rows]) => [
    title.split('|')[1]?.trim() ?? '',
    rows.flatMap((row) => (row.split('|')[1] ?? '').split(',').map((cell) => cell.trim().replaceAll('`', ''))),
  ])
}
const membersOf = (name: string): readonly (readonly string[])[] =>
  tablesOf(name)
    .filter(([title]) => title === 'member')
    .map(([, members]) => members)

test('the tables name every member of bundle, envelope, receipt, claim, code and verdict, and no other', () => {
  const result = bundleSchema.properties.result.properties
  const bundle = Object.keys(bundleSchema.properties)
  const { properties: asked } = bundleSchema.properties.question
  const nested = Object.keys(result).map((it) => `result.${it}`)
  const inQuestion = [
    ...Object.keys(asked).map((it) => `question.${it}`),
    ...Object.keys(asked.reading.properties).map((it) => `question.reading.${it}`),
  ]
  const inWork = Object.keys(bundleSchema.properties.work.properties).map((it) => `work.${it}`)
  const under: Readonly<Record<string, readonly string[]>> = { result: nested, question: inQuestion, work: inWork }
  assert.deepEqual(membersOf('bundle'), [bundle.flatMap((it) => [it, ...(under[it] ?? [])])])
  assert.deepEqual(membersOf('claim'), [Object.keys(askedClaimSchema.properties), Object.keys(codeSchema.properties)])
  const { asked: _, ...first } = askedClaimSchema.properties
  assert.deepEqual(Object.keys(plainClaimSchema.properties), Object.keys(first), 'asked is of version 2 alone')
  const envelope = Object.keys(envelopeSchema.properties)
  assert.deepEqual(membersOf('envelope'), [envelope, Object.keys(tickReceiptSchema.properties)])
  assert.deepEqual(membersOf('verdict'), [[...Object.keys(verdictSchema.properties), 'signature']])
})

test('every member is required but those that the table calls optional', () => {
  for (const it of [plainClaimSchema, askedClaimSchema, codeSchema, envelopeSchema, tickReceiptSchema, verdictSchema]) {
    assert.deepEqual([...(it.required as readonly string[])].sort(), Object.keys(it.properties).sort())
  }
  const optional = read('bundle').match(/^\| `([a-z]+)` \| .*\*optional\*/gm) ?? []
  const left = Object.keys(bundleSchema.properties).filter((it) => !bundleSchema.required.includes(it as 'v'))
  assert.deepEqual(
    optional.map((row) => row.split('`')[1]),
    left,
  )
})

test('the table of steps has every step, in order, and the bounds are those of the code', () => {
  const [, steps] = tablesOf('bundle').find(([title]) => title === 'step') ?? []
  assert.deepEqual(steps, [...stepNames])
  for (const bound of [BUNDLE_BYTES_MAX, PROOF_CHARS_MAX]) {
    assert.ok(read('bundle').includes(bound.toLocaleString('en')), String(bound))
  }
  assert.ok(read('checkpoint').includes(PROOF_CHARS_MAX.toLocaleString('en')))
})

/** Lists in lists. */
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
const inObject = (levels: number): string => `{"x":${nested(levels - 1)}}`

test('levels count from the outermost bracket of a text, and from the value that is written in a digest', () => {
  const golden = bundleVectors().bundle as Bundle
  const text = (place: string, value: string): string => {
    const mark = { inputs: { x: 'HERE' }, result: { ...golden.result, output: { x: 'HERE' } } }
    const bundle = { ...golden, ...(place === 'inputs' ? { inputs: mark.inputs } : {}) } as Bundle
    if (place === 'inputs') return bundleText(bundle).replace('{"x":"HERE"}', value)
    if (place === 'output') {
      return bundleText({ ...golden, result: mark.result } as Bundle).replace('{"x":"HERE"}', value)
    }
    return bundleText({ ...golden, envelope: { ...golden.envelope, equations: 'HERE' } }).replace('"HERE"', value)
  }
  for (const [place, levels] of [
    ['inputs', 31],
    ['output', 30],
    ['equations', 30],
  ] as const) {
    parseBundle(text(place, inObject(levels)))
    assert.throws(() => parseBundle(text(place, inObject(levels + 1))), Fault, place)
  }
  const value = (levels: number) => JSON.parse(inObject(levels)) as { readonly [name: string]: Json }
  const about = { inputs: {}, evidence: null }
  const digests: readonly (readonly [number, (levels: number) => unknown])[] = [
    [32, (levels) => inputsDigest({}, value(levels))],
    [32, (levels) => equationsDigest(value(levels))],
    [31, (levels) => resultDigest({}, value(levels), about)],
  ]
  for (const [most, make] of digests) {
    make(most)
    assert.throws(() => make(most + 1), Fault, `${most}`)
  }
  // An array of a schema is three levels deep in the digest, whatever it holds.
  const wrapped = (levels: number): readonly [object, object] => {
    let schema: object = { type: 'array', 'x-shape': ['k'], 'x-type': 'f64' }
    let inputs: unknown = [1]
    for (let i = 0; i < levels; i++) {
      schema = { type: 'object', properties: { x: schema } }
      inputs = { x: inputs }
    }
    return [schema, inputs as object]
  }
  inputsDigest(...wrapped(29))
  assert.throws(() => inputsDigest(...wrapped(30)), Fault)
})

test('a list in place of no array enters as it is, nothing takes the place of an array, unions go by kind', () => {
  const series = { type: 'array', 'x-shape': ['n'], 'x-type': 'f64' }
  const schema = { type: 'object', properties: { a: { type: 'number' }, u: series } }
  assert.deepEqual(digestible(schema, { a: [1, 2] }), { a: [1, 2] })
  assert.deepEqual(digestible(schema, { a: 'text', b: { c: [1] } }), { a: 'text', b: { c: [1] } })
  for (const u of [null, 1, 'text', { 0: 1 }, [null], ['1'], [[1]]]) {
    assert.throws(() => digestible(schema, { u } as Json, { n: 1 }), Fault, JSON.stringify(u))
  }
  const isArray = (value: Json): boolean => JSON.stringify(value).includes('$array')
  const union = { properties: { u: { anyOf: [series, { type: 'null' }] } } }
  assert.ok(isArray(digestible(union, { u: [1] }, { n: 1 })))
  assert.deepEqual(digestible(union, { u: null }), { u: null })
  assert.deepEqual(digestible(union, { u: 3 }), { u: 3 }, 'a variant of no list and no object fits any scalar')
  assert.deepEqual(digestible(union, { u: { v: [1] } }), { u: { v: [1] } }, 'none fits: as it is')
  const kinds = { anyOf: ['a', 'b'].map((it) => ({ type: 'object', properties: { k: { const: it }, [it]: series } })) }
  assert.ok(isArray(digestible(kinds, { k: 'b', b: [1] }, { n: 1 })))
  assert.ok(!isArray(digestible(kinds, { k: 'a', b: [1] }, { n: 1 })))
  assert.ok(!isArray(digestible(kinds, { b: [1] }, { n: 1 })), 'a constant that is missing is not equal')
  const named = { patternProperties: { '^p': series }, additionalProperties: series, properties: { pq: {} } }
  assert.ok(isArray(digestible(named, { p: [1] }, { n: 1 })) && isArray(digestible(named, { q: [1] }, { n: 1 })))
  assert.ok(!isArray(digestible(named, { pq: [1] }, { n: 1 })))
})

test('a length that the inputs do not have follows from the elements, where one entry alone is unknown', () => {
  const shape = (entries: readonly (string | number)[], length: number, sizes = {}): Json => {
    const it = digestible({ 'x-shape': entries }, Array(length).fill(0), sizes) as { $array: { shape: Json } }
    return it.$array.shape
  }
  assert.deepEqual(shape(['n', 'n + 1'], 6, { n: 2 }), [2, 3])
  assert.deepEqual(shape(['k', 3], 6), [2, 3])
  assert.deepEqual(shape(['k', 'k'], 9), [3, 3])
  assert.deepEqual(shape(['k', 0], 0), [0, 0])
  assert.deepEqual(shape(['n'], 2, { n: 'text' }), [2])
  for (const entries of [
    ['k', 'm'],
    ['k', 'k + 1'],
    ['k', 4],
    ['k', 'k'],
  ]) {
    assert.throws(() => shape(entries, 6), Fault, entries.join())
  }
  assert.throws(() => shape(['n - 3', 'n - 3'], 1, { n: 2 }), Fault, 'no entry is negative')
})

test.run()
