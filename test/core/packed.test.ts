/**
 * Goal: a value of JSON and typed arrays has one form in bytes, and nothing else is read. Method: values drawn at
 * random, there and back; bytes altered at random, which are refused or are the form of what they are read as; forms by
 * hand.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { equalBytes, utf8 } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { packed, unpacked } from '#core/packed.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core: packed')

const arrays = fc.oneof(
  fc.float64Array({ maxLength: 5 }),
  fc.int32Array({ maxLength: 5 }),
  fc.uint8Array({ maxLength: 5 }),
)
const leaf = fc.oneof(
  arrays,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.string({ unit: 'grapheme' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((it) => it + 0),
)
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string({ maxLength: 4 }), tie('value'), { maxKeys: 3 }),
  ),
}))

/** What bytes are read as; undefined for those that are refused. */
const readOf = (bytes: Uint8Array): unknown => {
  try {
    return { value: unpacked(bytes) }
  } catch (cause) {
    assert.ok(cause instanceof Fault, String(cause))
    return undefined
  }
}

test('what was packed comes back, and has the same bytes again', () => {
  fc.assert(
    fc.property(values, (value) => {
      const bytes = packed(value)
      const back = unpacked(bytes)
      assert.ok(equalBytes(packed(back), bytes))
      if (value instanceof Float64Array) assert.deepEqual(back, value)
    }),
  )
})

test('bytes with one changed, one more or one less are refused, or are the one form of what they are read as', () => {
  const change = fc.record({ at: fc.nat(), to: fc.nat(255), how: fc.constantFrom('set', 'add', 'drop') })
  fc.assert(
    fc.property(values, change, (value, { at, to, how }) => {
      const bytes = [...packed(value)]
      bytes.splice(at % bytes.length, how === 'add' ? 0 : 1, ...(how === 'drop' ? [] : [to]))
      const altered = Uint8Array.from(bytes)
      const read = readOf(altered) as { readonly value: unknown } | undefined
      if (read !== undefined) assert.ok(equalBytes(packed(read.value), altered), 'two forms of one value')
    }),
  )
})

test('an array has its type, then its length, and nothing beside them', () => {
  const read = (head: string, ...tail: readonly number[]): unknown =>
    readOf(Uint8Array.from([...utf8(`${head}\n`), ...tail]))
  assert.deepEqual(read('{"$array":{"type":"u8","length":2}}', 7, 8), { value: Uint8Array.of(7, 8) })
  for (const about of [
    '{"length":2,"type":"u8"}',
    '{"type":"u8","length":2,"more":1}',
    '{"type":"u8"}',
    '{"type":"u9","length":2}',
    '{"type":"u8","length":-2}',
    '{"type":"u8","length":2.5}',
    '{"type":"u8","length":"2"}',
    '{"type":"__proto__","length":2}',
    '[]',
    'null',
    '7',
  ]) {
    assert.equal(read(`{"$array":${about}}`, 7, 8), undefined, about)
  }
  assert.equal(read('{"$array":{"type":"u8","length":2}}', 7), undefined, 'too few')
  assert.equal(read('{"$array":{"type":"u8","length":2}}', 7, 8, 9), undefined, 'too many')
  assert.equal(read('{"a":1, "b":2}'), undefined, 'another spelling')
  assert.equal(readOf(utf8('{}')), undefined, 'no end of the head')
})

test.run()
