// Goal: one byte form per value, and only that one is read back. Method: RFC 8785's own examples, then refusals one
// by one, then random JSON that must survive the round trip.
import assert from 'node:assert/strict'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { concat, constantTimeEqual, equalBytes, fromHex, utf8 } from '#core/bytes.ts'
import { canonical, canonicalBytes, DEPTH_MAX, DOCUMENT_BYTES_MAX, type Json, parseCanonical } from '#core/canonical.ts'
import { digest, type Purpose, purposes, signedBytes, withPurpose } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { parseJson } from '#core/json.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/canonical')

const refuses = (run: () => unknown, code: string): void => {
  assert.throws(run, (error) => error instanceof Fault && error.code === code)
}

test('RFC 8785 section 3.2.2 and 3.2.3 come out as published', () => {
  const first = {
    numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"\u002f',
    literals: [null, true, false],
  }
  const published =
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
    '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
  assert.equal(canonical(first), published)
  const names = { '\u20ac': 0, '\r': 0, '\ufb33': 0, '1': 0, '\ud83d\ude00': 0, '\u0080': 0, '\u00f6': 0 }
  const order = Object.keys(JSON.parse(canonical(names)) as object).filter((name) => name !== '1')
  assert.deepEqual(order, ['\r', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'])
  assert.ok(canonical(names).startsWith('{"\\r":0,"1":0,'))
})

test('RFC 8785 appendix B: every number of the table, from its bits', () => {
  const table = `
    0000000000000000 0                         8000000000000000 0
    0000000000000001 5e-324                    8000000000000001 -5e-324
    7fefffffffffffff 1.7976931348623157e+308   ffefffffffffffff -1.7976931348623157e+308
    4340000000000000 9007199254740992          c340000000000000 -9007199254740992
    4430000000000000 295147905179352830000     44b52d02c7e14af5 9.999999999999997e+22
    44b52d02c7e14af6 1e+23                     44b52d02c7e14af7 1.0000000000000001e+23
    444b1ae4d6e2ef4e 999999999999999700000     444b1ae4d6e2ef4f 999999999999999900000
    444b1ae4d6e2ef50 1e+21                     3eb0c6f7a0b5ed8c 9.999999999999997e-7
    3eb0c6f7a0b5ed8d 0.000001                  41b3de4355555553 333333333.3333332
    41b3de4355555554 333333333.33333325        41b3de4355555555 333333333.3333333
    41b3de4355555556 333333333.3333334         41b3de4355555557 333333333.33333343
    becbf647612f3696 -0.0000033333333333333333 43143ff3c1cb0959 1424953923781206.2`
  const pairs = [...table.matchAll(/([0-9a-f]{16}) (\S+)/g)]
  assert.equal(pairs.length, 24)
  for (const [, bits = '', text] of pairs) {
    const value = new DataView(fromHex(bits).buffer).getFloat64(0)
    assert.equal(canonical(value), text, bits)
  }
  refuses(() => canonical(Number.NaN), 'NOT_CANONICAL')
  refuses(() => canonical(Number.POSITIVE_INFINITY), 'NOT_CANONICAL')
})

test('what libraries drop, bend or call is refused', () => {
  class Thing {
    readonly a = 1
  }
  const withToJson = Object.assign([1], { toJSON: () => 2 })
  const values: readonly unknown[] = [
    undefined,
    { a: undefined },
    [undefined],
    new Array(2),
    1n,
    Symbol('s'),
    () => 1,
    { toJSON: () => 1 },
    withToJson,
    { [Symbol('s')]: 1 },
    new Thing(),
    new Map(),
    new Date(0),
    Float64Array.of(1),
    '\ud800',
    { '\udc00': 1 },
    JSON.parse('{"__proto__":1}'),
    { a: { b: [Number.NaN] } },
  ]
  for (const value of values) refuses(() => canonical(value as Json), 'NOT_CANONICAL')
  assert.equal(canonical(Object.assign(Object.create(null), { a: 1 }) as Json), '{"a":1}')
})

const nested = (levels: number): Json => {
  let value: Json = 1
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value }
  return value
}

test('depth and size have their bounds, to the level and to the byte', () => {
  assert.equal(canonical(nested(DEPTH_MAX)).length > 0, true)
  refuses(() => canonical(nested(DEPTH_MAX + 1)), 'NOT_CANONICAL')
  refuses(() => canonical(nested(100_000)), 'NOT_CANONICAL')
  const ring: Json[] = []
  ring.push(ring)
  refuses(() => canonical(ring), 'NOT_CANONICAL')
  assert.equal(canonicalBytes('a'.repeat(DOCUMENT_BYTES_MAX - 2)).length, DOCUMENT_BYTES_MAX)
  refuses(() => canonical('a'.repeat(DOCUMENT_BYTES_MAX - 1)), 'NOT_CANONICAL')
  // Three bytes of UTF-8 to a UTF-16 code unit: the bound counts bytes.
  assert.equal(canonicalBytes('€'.repeat(349_524)).length, DOCUMENT_BYTES_MAX - 2)
  refuses(() => canonical('€'.repeat(349_525)), 'NOT_CANONICAL')
  refuses(() => parseCanonical(new Uint8Array(DOCUMENT_BYTES_MAX + 1).fill(0x20)), 'NOT_CANONICAL')
  refuses(() => parseCanonical(utf8('['.repeat(500_000))), 'NOT_CANONICAL')
})

const json = fc.jsonValue({ maxDepth: 6 }) as fc.Arbitrary<Json>
const speakable = json.filter((value) => {
  try {
    return canonical(value) !== ''
  } catch {
    return false
  }
})

test('any JSON survives the round trip, and no other spelling of it is read', () => {
  fc.assert(
    fc.property(speakable, (value) => {
      const bytes = canonicalBytes(value)
      const back = parseCanonical(bytes)
      assert.equal(canonical(back), canonical(value))
      assert.deepEqual(parseJson(bytes, DOCUMENT_BYTES_MAX), JSON.parse(canonical(value)))
      refuses(() => parseCanonical(concat(bytes, utf8(' '))), 'NOT_CANONICAL')
      refuses(() => parseCanonical(concat(utf8('\n'), bytes)), 'NOT_CANONICAL')
    }),
    { seed, numRuns: 300 },
  )
})

test('JSON of any spelling is read as every reader would, or refused', () => {
  assert.deepEqual(parseJson(' { "a" : [1, -2.5e3, "x\\"{,:\\u0041"], "b": {"a": null} } ', 100), {
    a: [1, -2500, 'x"{,:A'],
    b: { a: null },
  })
  const twice = ['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '[{"b":{"c":1,"d":[],"c":3}}]', '{"a":{"a":1},"b":1,"a":1}']
  for (const text of twice) refuses(() => parseJson(text, 100), 'MALFORMED_JSON')
  for (const text of ['', '{', '01', '[1,]', "{'a':1}", '\u00ff', '\ufeff{}']) {
    refuses(() => parseJson(text, 100), 'MALFORMED_JSON')
  }
  refuses(() => parseJson(fromHex('22ff22'), 100), 'MALFORMED_JSON')
  refuses(() => parseJson('9007199254740993', 100), 'MALFORMED_JSON')
  refuses(() => parseJson('[-123456789012345678901]', 100), 'MALFORMED_JSON')
  refuses(() => parseJson('9'.repeat(400), 1_000), 'MALFORMED_JSON')
  assert.equal(parseJson('9007199254740992', 100), 2 ** 53)
  assert.equal(parseJson('89875517873681760', 100), 89875517873681760)
  assert.equal(parseJson('1.98892e30', 100), 1.98892e30)
  refuses(() => parseJson('"€€"', 7), 'BODY_TOO_LARGE')
  assert.equal(parseJson('"€€"', 8), '€€')
  refuses(() => parseJson(utf8('"€€"'), 7), 'BODY_TOO_LARGE')
  refuses(() => parseJson(`${'['.repeat(33)}${']'.repeat(33)}`, 100), 'MALFORMED_JSON')
})

test('a purpose stands in the table, once, in the agreed form, and keeps digests apart', () => {
  const all = Object.values(purposes)
  assert.equal(new Set(all).size, all.length)
  for (const purpose of all) assert.match(purpose, /^tickmesh\/[a-z-]+\/[0-9]+$/)
  assert.equal(new Set(all.map((purpose) => digest(purpose, {}))).size, all.length)
  assert.throws(() => withPurpose('tickmesh/other/1' as Purpose, new Uint8Array(0)), /broken invariant/)
  assert.deepEqual(signedBytes(purposes.claim, { b: 1, a: 2 }), utf8('tickmesh/claim/1\n{"a":2,"b":1}'))
})

test('any value is written as the reference writes it, whatever the order of its members', () => {
  const names = fc.string({ unit: 'binary', maxLength: 3 }).filter((it) => it.isWellFormed() && it !== '__proto__')
  const corners = ['\\ud800', '\\\\udc00', '\ud83d\ude00', '"\\', '\u2028', '\u0000', '\u007f', '9', '10', '-1', '']
  const strings = fc.oneof(names, fc.constantFrom(...corners))
  const numbers = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger(), fc.constant(-0))
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', maxDepth: 5 },
      fc.oneof(strings, numbers, fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(strings, tie('value'), { maxKeys: 6 }),
      fc.dictionary(strings, tie('value'), { maxKeys: 6, noNullPrototype: true }),
    ) as fc.Arbitrary<Json>,
  }))
  fc.assert(
    fc.property(value, (drawn) => {
      const reference = canonicalize(drawn) ?? ''
      assert.equal(canonical(drawn), reference)
      assert.equal(canonical(JSON.parse(reference) as Json), reference)
    }),
    { seed, numRuns: 1_000 },
  )
})

test('half of a surrogate pair is refused wherever it stands, and nothing that only looks like one', () => {
  const halves: readonly Json[] = ['\ud800', ['\udfff'], { a: '\ud83d' }, { '\ud83d': 1 }, { b: 1, a: '\\\udc00' }]
  for (const half of halves) refuses(() => canonical(half), 'NOT_CANONICAL')
  const texts = ['\\ud800', '\\\\ud800', '\ud83d\ude00\\udfff', '\\\ud83d\ude00']
  for (const text of texts) assert.equal(canonical({ b: text, [text]: 1 }), canonicalize({ b: text, [text]: 1 }))
})

test('of two faults the one that stands first is told, in whatever order the members are written', () => {
  const why = (value: unknown): string => {
    try {
      return canonical(value as Json)
    } catch (refusal) {
      return (refusal as Fault).message
    }
  }
  assert.match(why({ b: Number.NaN, a: undefined }), /not finite/)
  assert.match(why({ b: undefined, a: Number.NaN }), /type undefined/)
  assert.match(why({ b: '\ud800', a: [() => 1] }), /type function/)
  assert.match(why({ b: '\ud800', a: 'a'.repeat(DOCUMENT_BYTES_MAX) }), /surrogate/)
})

test('equality of bytes, quick and in constant time, is equality', () => {
  const bytes = fc.uint8Array({ maxLength: 8 })
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      const expected = Buffer.compare(a, b) === 0
      assert.equal(equalBytes(a, b), expected)
      assert.equal(constantTimeEqual(a, b), expected)
      assert.equal(constantTimeEqual(a, Uint8Array.from(a)), true)
    }),
    { seed },
  )
})

test.run()
