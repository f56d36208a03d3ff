// Goal: lists of tokens are packed one way, found in, rooted and proved as RFC 6962 says, and refused in another form.
// Method: properties over drawn lists, held against plain arithmetic on their places: a sort, the tree of merkle.ts.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { fromHex, toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { leafHash, rootOf, verifyInclusion } from '#core/merkle.ts'
import * as list from '#core/token/list.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/token list')
const LIST_MAX = 70

const tokenId = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(toHex)
const seq = fc.oneof(fc.constantFrom(0, 1, 255, 256, list.SPEND_SEQ_MAX), fc.nat(list.SPEND_SEQ_MAX))
const place = fc.record({ token_id: tokenId, spend_seq: seq }, { noNullPrototype: true })
const places = fc.uniqueArray(place, { minLength: 1, maxLength: LIST_MAX, selector: (it) => it.token_id })
const holds = <T>(of: fc.Arbitrary<T>, property: (value: T) => void): void =>
  fc.assert(fc.property(of, property), { seed, numRuns: 200 })
const code = (work: () => unknown): string | undefined => {
  try {
    work()
    return undefined
  } catch (thrown) {
    assert.ok(thrown instanceof Fault, String(thrown))
    return thrown.code
  }
}
const sorted = (of: readonly list.TokenPlace[]) => of.toSorted((a, b) => (a.token_id < b.token_id ? -1 : 1))
const entryOf = ({ token_id, spend_seq }: list.TokenPlace): string => token_id + spend_seq.toString(16).padStart(8, '0')

test('packed lists are the sorted entries, 20 bytes each, whichever way they came, and read back', () => {
  holds(places, (drawn) => {
    const packed = list.packSorted(drawn)
    assert.equal(toHex(packed), sorted(drawn).map(entryOf).join(''))
    assert.deepEqual([...list.placesOf(packed)], sorted(drawn))
    assert.deepEqual(list.packList(sorted(drawn)), packed)
    assert.equal(list.countOf(packed), drawn.length)
    list.assertList(packed)
  })
})

test('a token is found where it stands, and another nowhere', () => {
  holds(fc.tuple(places, tokenId), ([drawn, stranger]) => {
    const packed = list.packSorted(drawn)
    for (const it of drawn) assert.deepEqual(list.findIn(packed, it.token_id), it)
    const known = drawn.find((it) => it.token_id === stranger)
    assert.deepEqual(list.findIn(packed, stranger), known)
  })
})

test('a token twice and any disorder are refused, and so are half entries, no token and too many', () => {
  holds(fc.tuple(places, fc.nat(), seq), ([drawn, at, other]) => {
    const again = { token_id: sorted(drawn)[at % drawn.length]?.token_id ?? '', spend_seq: other }
    assert.equal(
      code(() => list.packSorted([...drawn, again])),
      'INVALID_INPUT',
    )
    const inOrder = sorted(drawn)
    assert.equal(
      code(() => list.packList(inOrder.toSpliced(at % drawn.length, 0, again))),
      'INVALID_INPUT',
    )
    const from = at % drawn.length
    const [moved] = inOrder.slice(from)
    for (let to = 0; to < drawn.length; to += 1) {
      const shuffled = inOrder.toSpliced(from, 1).toSpliced(to, 0, moved as list.TokenPlace)
      assert.equal(
        code(() => list.packList(shuffled)),
        to === from ? undefined : 'INVALID_INPUT',
      )
    }
    const packed = list.packSorted(drawn)
    assert.equal(
      code(() => list.assertList(packed.subarray(1 + (at % 19)))),
      'INVALID_INPUT',
    )
  })
  assert.equal(
    code(() => list.packList([])),
    'INVALID_INPUT',
  )
  const tooMany = new Uint8Array((list.LIST_TOKENS_MAX + 1) * list.ENTRY_BYTES)
  assert.equal(
    code(() => list.assertList(tooMany)),
    'INVALID_INPUT',
  )
})

test('the root is that of RFC 6962 over the entries, however they come in, and every entry has its path', () => {
  holds(fc.tuple(places, fc.nat(LIST_MAX)), ([drawn, cut]) => {
    const packed = list.packSorted(drawn)
    const leaves = sorted(drawn).map((it) => leafHash(fromHex(entryOf(it))))
    const root = rootOf(leaves)
    assert.equal(list.tokensRoot(packed), toHex(root))
    const builder = list.rootBuilder()
    const middle = Math.min(cut, drawn.length) * list.ENTRY_BYTES
    builder.add(packed.subarray(0, middle))
    builder.add(packed.subarray(middle))
    assert.equal(builder.root(), toHex(root))
    for (const [index, leaf] of leaves.entries()) {
      const path = list.pathIn(packed, index).map(fromHex)
      assert.ok(verifyInclusion({ leafHash: leaf, index, size: leaves.length, path, root }))
    }
  })
})

test('any change of a place is another root', () => {
  holds(fc.tuple(places, fc.nat(), fc.nat(7)), ([drawn, at, bit]) => {
    const packed = list.packSorted(drawn)
    const i = at % packed.length
    const changed = packed.with(i, (packed[i] as number) ^ (1 << bit))
    assert.notEqual(list.tokensRoot(changed), list.tokensRoot(packed))
  })
})

test('two lists share the first token that stands in both at one count of changes', () => {
  const few = fc.record(
    { token_id: fc.nat(12).map((n) => n.toString(16).padStart(32, '0')), spend_seq: fc.nat(1) },
    { noNullPrototype: true },
  )
  const fewPlaces = fc.uniqueArray(few, { minLength: 1, maxLength: 8, selector: (it) => it.token_id })
  let [found, none] = [0, 0]
  holds(fc.tuple(fewPlaces, fewPlaces), ([one, other]) => {
    const entries = new Set(other.map(entryOf))
    const expected = sorted(one).find((it) => entries.has(entryOf(it)))
    const [a, b] = [list.packSorted(one), list.packSorted(other)]
    const shared = list.sharedIn(a, b)
    if (shared === undefined) none += 1
    else found += 1
    assert.deepEqual(shared && list.placeAt(a, shared.inA), expected)
    assert.deepEqual(shared && list.placeAt(b, shared.inB), expected)
  })
  assert.ok(found > 20 && none > 20, `${found} and ${none}`)
})

test.run()
