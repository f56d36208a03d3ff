/*
 * Goal: no two tables share a place, retired prefixes stay retired, and keys sort as their numbers do. Method: the
 * key table itself, and fast-check over the parts of keys.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { CorruptRow } from '#store/corrupt-row.ts'
import { AFTER, folderPart, keyOf, retired, SEPARATOR, seqKey, seqOf, tables, under } from '#store/layout.ts'
import { databaseKey, decodeRow, encodeRow, parseDatabaseKey } from '#store/rows.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('store: layout')

test('prefixes are unique, of one or two letters, and none is a retired one', () => {
  const prefixes = Object.values(tables).map((it) => it.prefix)
  assert.equal(new Set(prefixes).size, prefixes.length)
  for (const prefix of prefixes) {
    assert.match(prefix, /^[a-z]{1,2}$/)
    assert.equal(retired[prefix], undefined)
  }
  assert.ok(AFTER > SEPARATOR && AFTER.charCodeAt(0) === SEPARATOR.charCodeAt(0) + 1)
})

test('number parts sort as numbers and are read back', () => {
  const number = fc.oneof(fc.maxSafeNat(), fc.nat(300))
  fc.assert(
    fc.property(number, number, (a, b) => {
      assert.equal(seqOf(seqKey(a)), a)
      assert.equal(seqKey(a) < seqKey(b), a < b)
    }),
    { seed },
  )
})

test('the keys under some parts are inside their bounds, and others are not', () => {
  const part = fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme' }).filter((it) => it.isWellFormed())
  fc.assert(
    fc.property(part, part, part, (a, b, c) => {
      const [list, folder, other] = [a, b, c].map(folderPart) as [string, string, string]
      const { gte, lt } = under(list, folder)
      const inside = (key: string): boolean => key >= gte && key < lt
      assert.ok(inside(keyOf(list, folder, seqKey(7))))
      assert.equal(inside(keyOf(list, other, seqKey(7))), other === folder)
    }),
    { seed },
  )
})

test('a stored row is read back, and under another key, table or with another bit it is not', () => {
  const stored = encodeRow('usage', 'a', { credits: 1, envelopes: 2 })
  assert.deepEqual(decodeRow('usage', 'a', stored), { credits: 1, envelopes: 2 })
  assert.deepEqual(parseDatabaseKey(databaseKey('usage', 'a/b')), { table: 'usage', key: 'a/b' })
  assert.equal(parseDatabaseKey('zz/a'), undefined)
  assert.throws(() => decodeRow('usage', 'b', stored), CorruptRow)
  assert.throws(() => decodeRow('peer', 'a', stored), CorruptRow)
  for (let bit = 0; bit < stored.length * 8; bit++) {
    const flipped = Uint8Array.from(stored, (byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
    assert.throws(() => decodeRow('usage', 'a', flipped), CorruptRow)
  }
  for (let length = 0; length < stored.length; length++) {
    assert.throws(() => decodeRow('usage', 'a', stored.subarray(0, length)), CorruptRow)
  }
})

test.run()
