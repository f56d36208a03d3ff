// Goal: no body, however made, becomes an input that two readers could understand differently, and none hurts the node.
// Method: hostile bodies by hand, then random JSON against JSON.parse as the judge.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Fault } from '#core/fault.ts'
import { parseObject } from '#gateway/json.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('gateway/json')

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const refused = (body: Uint8Array): void => {
  assert.throws(
    () => parseObject(body),
    (thrown) => thrown instanceof Fault && thrown.code === 'MALFORMED_JSON',
  )
}

const nested = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`

const hostile: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['null', 'null'],
  ['a number', '1'],
  ['a text', '"x"'],
  ['an array', '[1]'],
  ['a cut-off object', '{"a":1'],
  ['a cut-off text', '{"a":"\\"}'],
  ['two values', '{}{}'],
  ['a trailing comma', '{"a":1,}'],
  ['a comment', '{/* */}'],
  ['a byte order mark', '\ufeff{}'],
  ['a name twice', '{"a":1,"a":2}'],
  ['a name twice, spelt differently', '{"a":1,"\\u0061":2}'],
  ['a name twice, further down', '{"x":[{"b":{"a":1,"c":2,"a":3}}]}'],
  ['__proto__', '{"__proto__":{"admin":true}}'],
  ['__proto__, spelt differently', '{"\\u005f_proto__":1}'],
  ['__proto__, further down', '{"x":[{"__proto__":1}]}'],
  ['a number beyond the doubles', '{"a":1e400}'],
  ['a negative one', '{"a":-1E+999}'],
  ['one without an exponent', `{"a":${'9'.repeat(400)}}`],
  ['NaN', '{"a":NaN}'],
  ['Infinity', '{"a":Infinity}'],
  ['33 levels', nested(32)],
  ['a hundred thousand levels', '['.repeat(100_000)],
  ['a hundred thousand objects', '{"a":'.repeat(100_000)],
  ['a raw control character', '{"a":"\u0000"}'],
  ['half of a surrogate pair', '{"a":"\\ud800"}'],
  ['the other half', '{"a":["x\\udc00"]}'],
  ['half of one as a name', '{"\\ud83d":1}'],
  ['two halves the wrong way round', '{"a":"\\ude00\\ud83d"}'],
]
for (const [what, body] of hostile) test(`refused: ${what}`, () => refused(bytes(body)))

test('refused: bytes that are not UTF-8', () => {
  for (const tail of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
    refused(new Uint8Array([...bytes('{"a":"'), ...tail, ...bytes('"}')]))
  }
})

test('taken: the same name in different objects, 32 levels, the largest double, a quoted brace', () => {
  const texts = [
    '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
    '{"\\ud83d\\ude00":"\\ud83d\\ude00 \\\\ud800"}',
    nested(31),
    '{"a":1.7976931348623157e308}',
    '{"{":"}[,\\"","a":1}',
  ]
  for (const text of texts) assert.deepEqual(parseObject(bytes(text)), JSON.parse(text))
})

test('any object that JSON.stringify writes is read as JSON.parse reads it', () => {
  const value = fc.dictionary(
    fc.string().filter((name) => name !== '__proto__'),
    fc.jsonValue({ maxDepth: 6 }),
  )
  const hasProto = (text: string): boolean => /"__proto__":/.test(text)
  fc.assert(
    fc.property(value, (it) => {
      const text = JSON.stringify(it)
      fc.pre(!hasProto(text))
      assert.deepEqual(parseObject(bytes(text)), JSON.parse(text))
    }),
    { seed, numRuns: 300 },
  )
})

test('random bytes never do more than be refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (it) => {
      try {
        assert.equal(typeof parseObject(it), 'object')
      } catch (thrown) {
        assert(thrown instanceof Fault && thrown.code === 'MALFORMED_JSON')
      }
    }),
    { seed, numRuns: 500 },
  )
})

test.run()
