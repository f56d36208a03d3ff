// Goal: a typed array and its JSON form have one digest, and schemas mean the same to every validator. Method:
// properties over random arrays, exact byte forms, and Ajv as the judge of the schema builders.
import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import Type from 'typebox'
import {
  type ArrayDigest,
  arrayDigest,
  digestible,
  digestibleEvidence,
  littleEndianBytes,
  positiveZero,
  toJson,
} from '#core/arrays.ts'
import { toHex } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { evidenceDigest, inputsDigest, resultDigest } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import * as schema from '#core/schema.ts'
import { sha256 } from '#crypto'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/arrays')

const refuses = (run: () => unknown, code = 'NOT_CANONICAL'): void => {
  assert.throws(run, (error) => error instanceof Fault && error.code === code)
}

const field = schema.closed({
  name: schema.text(8),
  u: schema.series({ unit: 'K', shape: ['n'], description: 'Temperature.' }),
  at: schema.series({ unit: '1', shape: ['n'], description: 'Index.', type: 'i32' }),
  raw: schema.series({ unit: '1', shape: ['n'], description: 'Bytes.', type: 'u8' }),
})

const rows = fc.array(
  fc.record({
    u: fc.double({ noNaN: true, noDefaultInfinity: true }),
    at: fc.integer(),
    raw: fc.integer({ min: 0, max: 255 }),
  }),
  { maxLength: 40 },
)

test('JSON text, numbers and typed arrays of the same values have one digest', () => {
  fc.assert(
    fc.property(rows, (values) => {
      const plain = {
        name: 'a',
        u: values.map((it) => it.u),
        at: values.map((it) => it.at),
        raw: values.map((it) => it.raw),
      }
      const typed = {
        name: 'a',
        u: Float64Array.from(plain.u),
        at: Int32Array.from(plain.at),
        raw: Uint8Array.from(plain.raw),
      }
      const expected = canonical(digestible(field, typed))
      assert.equal(canonical(digestible(field, plain)), expected)
      assert.equal(canonical(digestible(field, JSON.parse(JSON.stringify(plain)))), expected)
      assert.equal(canonical(digestible(field, JSON.parse(JSON.stringify(toJson(typed))))), expected)
      const about = { inputs: { n: values.length }, evidence: null }
      assert.equal(resultDigest(field, plain, about), resultDigest(field, typed, about))
    }),
    { seed, numRuns: 200 },
  )
})

test('the bytes are little-endian, row-major, of the view alone', () => {
  const bytes = toHex(littleEndianBytes(Float64Array.of(1, -2)))
  assert.equal(bytes, '000000000000f03f00000000000000c0')
  assert.equal(toHex(littleEndianBytes(Int32Array.of(1, -2))), '01000000feffffff')
  const part = Float64Array.of(9, 1, -2, 9).subarray(1, 3)
  assert.equal(toHex(littleEndianBytes(part)), bytes)
  assert.deepEqual(arrayDigest(part).$array, {
    type: 'f64',
    shape: [2],
    sha256: toHex(sha256(littleEndianBytes(part))),
  })
})

test('minus zero is zero in digests, and at the door of results', () => {
  const negative = Float64Array.of(-0, 1)
  assert.deepEqual(arrayDigest(negative), arrayDigest(Float64Array.of(0, 1)))
  assert.ok(Object.is(negative[0], -0), 'the digest leaves the array as it was')
  const output = positiveZero({ a: -0, b: [-0, { c: -0 }], u: negative, s: 'x', n: null, t: true })
  assert.ok(Object.is(output.a, 0))
  assert.ok(Object.is(output.u[0], 0))
  assert.equal(JSON.stringify(output), '{"a":0,"b":[0,{"c":0}],"u":{"0":0,"1":1},"s":"x","n":null,"t":true}')
  refuses(() => positiveZero({ a: [Number.NaN] }))
  refuses(() => positiveZero(Float64Array.of(Number.POSITIVE_INFINITY)))
})

const shapeOf = (shape: readonly (number | string)[], length: number, sizes = {}): readonly number[] => {
  const one = schema.closed({ u: schema.series({ unit: '1', shape, description: 'u' }) })
  const value = digestible(one, { u: new Float64Array(length) }, sizes) as unknown as { readonly u: ArrayDigest }
  return value.u.$array.shape
}

test('a shape comes from numbers, from the input, or follows from the length', () => {
  assert.deepEqual(shapeOf([6], 6), [6])
  assert.deepEqual(shapeOf([2, 3], 6), [2, 3])
  assert.deepEqual(shapeOf(['n', 'm'], 6, { n: 2, m: 3 }), [2, 3])
  assert.deepEqual(shapeOf(['n + 1', 'n - 1'], 8, { n: 3 }), [4, 2])
  assert.deepEqual(shapeOf(['frames', 'n'], 6, { n: 3 }), [2, 3])
  assert.deepEqual(shapeOf(['k', 'k'], 9), [3, 3])
  assert.deepEqual(shapeOf(['k'], 0), [0])
  refuses(() => shapeOf([2, 3], 7))
  refuses(() => shapeOf(['n'], 5, { n: 4 }))
  refuses(() => shapeOf(['frames', 'n'], 7, { n: 3 }))
  refuses(() => shapeOf(['k', 'k'], 8))
  refuses(() => shapeOf(['a', 'b'], 6))
  assert.throws(() => shapeOf(['n * 2'], 6), /invariant/)
})

test('elements that do not fit are refused, wherever they stand', () => {
  const good = { name: 'a', u: [1], at: [1], raw: [1] }
  const bad: readonly object[] = [
    { ...good, u: [Number.NaN] },
    { ...good, u: [Number.POSITIVE_INFINITY] },
    { ...good, u: ['1'] },
    { ...good, u: [[1]] },
    { ...good, u: 1 },
    { ...good, u: Int32Array.of(1) },
    { ...good, at: [2 ** 31] },
    { ...good, at: [0.5] },
    { ...good, raw: [256] },
    { ...good, raw: [-1] },
    { ...good, name: Float64Array.of(1) },
    { ...good, u: Float64Array.of(Number.NaN) },
  ]
  for (const value of bad) refuses(() => digestible(field, value))
})

test('unions and records are walked to the typed arrays inside them', () => {
  const series = schema.series({ unit: 'K', shape: ['k'], description: 'u' })
  const union = Type.Object({
    either: Type.Union([
      Type.Object({ kind: Type.Literal('none') }),
      Type.Object({ kind: Type.Literal('field'), u: series }),
      Type.Null(),
    ]),
    all: Type.Record(Type.String(), series),
    list: Type.Array(Type.Union([series, Type.String()])),
  })
  const value = (u: unknown) => ({ either: { kind: 'field', u }, all: { x: u }, list: [u, 'text'] })
  const expected = digestible(union, value(Float64Array.of(1, 2)))
  assert.deepEqual(digestible(union, value([1, 2])), expected)
  assert.equal(JSON.stringify(expected).match(/\$array/g)?.length, 3)
  const none = { either: null, all: {}, list: [] }
  assert.deepEqual(digestible(union, none), none)
})

test('a variant that a value cannot be of is passed over, wherever it stands in its union', () => {
  const series = schema.series({ unit: 'K', shape: ['k'], description: 'u' })
  const variants = [Type.Object({ u: series }), Type.String(), Type.Null(), series]
  for (let first = 0; first < variants.length; first += 1) {
    const union = Type.Union([...variants.slice(first), ...variants.slice(0, first)])
    const array = arrayDigest(Float64Array.of(1, 2))
    assert.deepEqual(digestible(union, { u: [1, 2] }), { u: array })
    assert.deepEqual(digestible(union, [1, 2]), array)
    assert.equal(digestible(union, 'text'), 'text')
    assert.equal(digestible(union, null), null)
  }
})

test('evidence is digested without a schema, and nothing is null', () => {
  const evidence = { steps: Float64Array.of(1), deep: [{ i: Int32Array.of(1) }], n: -0, s: 'x' }
  const value = digestibleEvidence(evidence) as unknown as { readonly steps: ArrayDigest; readonly n: number }
  assert.deepEqual(value.steps, arrayDigest(Float64Array.of(1), [1]))
  assert.ok(Object.is(value.n, 0))
  assert.match(evidenceDigest(evidence) ?? '', /^[0-9a-f]{64}$/)
  assert.equal(evidenceDigest(null), null)
  assert.equal(evidenceDigest(undefined), null)
  for (const bad of [Number.NaN, new Float32Array(1), () => 1, Float64Array.of(Number.NaN)]) {
    refuses(() => digestibleEvidence({ bad }))
  }
  assert.notEqual(inputsDigest({}, { a: 1 }), inputsDigest({}, { a: 2 }))
  refuses(() => digestibleEvidence({ bad: undefined }))
})

const ajv = new Ajv2020({ strict: false, allErrors: false })

test('every builder writes a valid 2020-12 schema on which Ajv and we agree', () => {
  const samples: readonly (readonly [string, object, readonly unknown[], readonly unknown[]])[] = [
    ['finite', schema.finite(), [0, -1.5, Number.MAX_VALUE], [JSON.parse('1e400'), JSON.parse('-1e400'), '1', null]],
    ['integer', schema.integer(), [0, -(2 ** 53 - 1)], [0.5, 2 ** 53, '1']],
    ['count', schema.count({ maximum: 3 }), [0, 3], [-1, 4]],
    ['text', schema.text(3), ['', 'abc'], ['abcd', 1]],
    ['orNull', schema.orNull(schema.tick()), [null, 1], [-1, 'x']],
    ['oneOf', schema.oneOf(['a', 'b']), ['a'], ['c', 1]],
    ['pair', schema.pair('x, y'), [[1, 2]], [[1], [1, 2, 3], [1, 'x'], [1, JSON.parse('1e400')]]],
    ['zid', schema.zid(), [`zid1${'a'.repeat(32)}`], [`zid1${'A'.repeat(32)}`, `zid1${'a'.repeat(31)}`, 'house']],
    ['nodeId', schema.nodeId(), [`12D3KooW${'a'.repeat(44)}`], [`12D3KooW${'0'.repeat(44)}`]],
    ['tokenId', schema.tokenId(), ['0'.repeat(32)], ['0'.repeat(31), 'g'.repeat(32)]],
    ['slug', schema.slug(), ['a-b'], ['', 'a--b', 'a'.repeat(65)]],
    ['hex64', schema.hex64(), ['f'.repeat(64)], ['F'.repeat(64)]],
    ['closed', schema.closed({ a: schema.count() }), [{ a: 1 }], [{}, { a: 1, b: 1 }]],
    [
      'page',
      schema.closed({ limit: schema.pageLimit(), offset: schema.pageOffset() }),
      [{}, { limit: 1 }],
      [{ limit: 0 }],
    ],
    ['series', schema.series({ unit: 'm', shape: [2], description: 'x' }), [[1, 2]], [['a'], [JSON.parse('1e400')]]],
    ['u8', schema.series({ unit: '1', shape: [1], description: 'x', type: 'u8' }), [[0, 255]], [[-1], [256], [0.5]]],
    [
      'i32',
      schema.series({ unit: '1', shape: [1], description: 'x', type: 'i32' }),
      [[-(2 ** 31), 2 ** 31 - 1]],
      [[-(2 ** 31) - 1], [2 ** 31], [0.5]],
    ],
  ]
  for (const [name, it, good, bad] of samples) {
    const plain = JSON.parse(JSON.stringify(it)) as object
    assert.equal(ajv.validateSchema(plain), true, name)
    const judge = ajv.compile(plain)
    for (const value of good) {
      assert.equal(schema.misfit(it as never, value), undefined, `${name}: ${JSON.stringify(value)}`)
      assert.equal(judge(value), true, `${name}: ${JSON.stringify(value)}`)
    }
    for (const value of bad) {
      assert.notEqual(schema.misfit(it as never, value), undefined, `${name}: ${JSON.stringify(value)}`)
      assert.equal(judge(value), false, `${name}: ${JSON.stringify(value)}`)
    }
  }
  refuses(() => schema.fitting(schema.tick(), -1), 'INVALID_INPUT')
})

/** What comes of it: the digest, or the words of the refusal. */
const outcomeOf = (run: () => string): string => {
  try {
    return run()
  } catch (refusal) {
    assert.ok(refusal instanceof Fault)
    return `${refusal.code} ${refusal.message}`
  }
}

test('a value that is hashed as it stands has the digest, or the refusal, of one that is walked by its schema', () => {
  const schemas = [{}, schema.closed({ a: schema.finite() }), field, { anyOf: [field, { type: 'null' }] }]
  const odd: readonly unknown[] = [
    undefined,
    -0,
    Number.NaN,
    Float64Array.of(1, -0),
    new Date(0),
    new Array(2),
    '\ud800',
    1n,
  ]
  const names = fc.constantFrom('a', 'b', 'n', 'u', '$array', '"$array', '__proto__', '10', '9')
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      fc.oneof(
        { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 0 }) },
        { weight: 1, arbitrary: fc.constantFrom(...odd) },
      ),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(names, tie('value'), { maxKeys: 4 }),
    ),
  }))
  let hashed = 0
  const check = (shape: object, drawn: object): void => {
    const input = outcomeOf(() => digest(purposes.inputs, digestible(shape, drawn, drawn as Record<string, unknown>)))
    assert.equal(
      outcomeOf(() => inputsDigest(shape, drawn)),
      input,
    )
    const output = outcomeOf(() => {
      const walked = digestible(shape, drawn, drawn as Record<string, unknown>)
      return digest(purposes.result, { output: walked, evidence: 'e' } as Json)
    })
    assert.equal(
      outcomeOf(() => resultDigest(shape, drawn, { inputs: drawn, evidence: 'e' })),
      output,
    )
    if (/^[0-9a-f]{64}$/.test(input)) hashed++
  }
  fc.assert(fc.property(fc.constantFrom(...schemas), fc.dictionary(names, value, { maxKeys: 4 }), check), {
    seed,
    numRuns: 2_000,
  })
  assert.ok(hashed > 200, `${hashed} of the values were hashed`)
  const deep = (levels: number): object => (levels === 1 ? { a: [] } : { a: deep(levels - 1) })
  for (const levels of [29, 30, 31, 32, 33, 34]) check({}, deep(levels))
})

test.run()
