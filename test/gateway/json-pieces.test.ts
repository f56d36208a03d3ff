// Goal: a body that is read as it comes is understood as one that is read whole; what is refused there is refused here.
// Method: objects by hand and drawn ones, whole and spoilt, cut at any place, against `parseObject` as the judge.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Fault } from '#core/fault.ts'
import { parseObject } from '#gateway/json.ts'
import { objectInPieces } from '#gateway/json-pieces.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('gateway/json-pieces')

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

type Read = Readonly<Record<string, unknown>> | string

const codeOf = (work: () => Read): Read => {
  try {
    return work()
  } catch (thrown) {
    assert(thrown instanceof Fault, String(thrown))
    return thrown.code
  }
}

/** What comes of bytes that arrive in pieces of these sizes, over and over. */
const inPieces = (bytes: Uint8Array, sizes: readonly number[], blockBytes = 8): Read =>
  codeOf(() => {
    const found: unknown[] = []
    const reader = objectInPieces('ids', (some) => found.push(...some), { blockBytes, apartBytesMax: 4_096 })
    for (let at = 0, i = 0; at < bytes.length; i += 1) {
      const size = sizes[i % sizes.length] ?? 1
      reader.take(bytes.subarray(at, at + size))
      at += size
    }
    const object = reader.end()
    return found.length === 0 ? object : { ...object, ids: found }
  })

const alike = (bytes: Uint8Array, sizes: readonly number[], blockBytes?: number): void =>
  assert.deepEqual(
    inPieces(bytes, sizes, blockBytes),
    codeOf(() => parseObject(bytes)),
    new TextDecoder().decode(bytes),
  )

const byHand: readonly string[] = [
  ...[
    '',
    ' ',
    '{}',
    ' {} ',
    '{}{}',
    '[]',
    '["ids",[1]]',
    'null',
    '"ids"',
    '{"ids"}',
    '{"ids":',
    '{"ids":[',
    '{"ids":[1',
  ],
  ...['{"ids":[]}', '{"ids":[ ]}', '{"ids":[,]}', '{"ids":[1,]}', '{"ids":[,1]}', '{"ids":[1,,2]}', '{"ids":[1 2]}'],
  ...[
    '{"ids":[1}',
    '{"ids":[1}]',
    '{"ids":[{"a":1]}',
    '{"ids":[1]]}',
    '{"ids":[1],"ids":[2]}',
    '{"ids":[1],"\\u0069ds":[2]}',
  ],
  ...['{"\\u0069ds":[1,2,3]}', '{"a\\"ids":[1]}', '{"a":"\\"ids\\":[","ids":[1]}', '{"x":{"ids":[1,2]},"ids":[3]}'],
  ...[
    '{"ids" \n:\t[ 1 , 2 ]\r, "to":"x"}',
    '{"to":[1,[2]],"ids":[[1,[2,3]],{"a":[","]}]}',
    '{"ids":["]","}",",","\\""]}',
  ],
  ...[
    '{"ids":["\\ud800"]}',
    '{"ids":["\ud83d\ude00"]}',
    '{"ids":[1e400]}',
    '{"ids":[{"a":1,"a":2}]}',
    '{"ids":[{"__proto__":1}]}',
  ],
  ...[
    '{"ids":["a\u0000"]}',
    '{"__proto__":{},"ids":[1]}',
    '{"a":1,"a":2,"ids":[1]}',
    '\ufeff{"ids":[1]}',
    '}{"ids":[1]}',
  ],
  ...[`{"ids":[${'['.repeat(30)}${']'.repeat(30)}]}`, `{"ids":[${'['.repeat(31)}${']'.repeat(31)}]}`, '{"ids":[1]}x'],
  ...[
    '{{"ids":[1]}',
    '{"ids":[1]},"a":[2]}',
    '{["ids"]:1}',
    '{"a":"ids":[1]}',
    '{"ids":[tru',
    '{"ids":[1]',
    '{"ids":["x]}',
  ],
]

test('objects by hand, cut at every place', () => {
  for (const text of byHand) {
    const bytes = bytesOf(text)
    for (const size of [1, 2, 3, 7, 1_000]) for (const block of [0, 4, 1_000]) alike(bytes, [size], block)
  }
})

test('bytes that are not UTF-8, in the list and beside it', () => {
  for (const tail of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xc3, 0x22]]) {
    const [before, behind] = [bytesOf('{"ids":["aaaaaaaaaaaa","'), bytesOf('"]}')]
    alike(new Uint8Array([...before, ...tail, ...behind]), [5])
    alike(new Uint8Array([...bytesOf('{"ids":[1],"a":"'), ...tail, ...bytesOf('"}')]), [5])
  }
})

test('drawn objects, as they are and with bytes altered, left out and put in', () => {
  const value = fc.record({
    before: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 }),
    ids: fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 12 }),
    sizes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
    spoil: fc.array(fc.tuple(fc.nat(), fc.constantFrom('"', '\\', ',', '[', ']', '{', '}', ':', ' ', '1', 'x', '')), {
      maxLength: 3,
    }),
    space: fc.constantFrom(undefined, 1),
  })
  fc.assert(
    fc.property(value, ({ before, ids, sizes, spoil, space }) => {
      let text = JSON.stringify({ ...before, ids, to: 'x' }, null, space)
      for (const [at, mark] of spoil) {
        const place = at % (text.length + 1)
        text = text.slice(0, place) + mark + text.slice(mark === '' ? place + 1 : place)
      }
      alike(bytesOf(text), sizes)
    }),
    { seed, numRuns: 3_000 },
  )
})

test('an element or a rest beyond its bound is refused, however long it goes on', () => {
  const long = (text: string): Read => inPieces(bytesOf(text), [100])
  assert.equal(long(`{"ids":["${'a'.repeat(5_000)}"]}`), 'INVALID_INPUT')
  assert.equal(long(`{"ids":[1],"to":"${'a'.repeat(5_000)}"}`), 'INVALID_INPUT')
  assert.equal(long(`{"ids":[${' '.repeat(5_000)}`), 'INVALID_INPUT')
  const many = Array.from({ length: 5_000 }, (_, i) => i)
  assert.deepEqual(long(JSON.stringify({ ids: many, to: 'x' })), { ids: many, to: 'x' })
})

test.run()
