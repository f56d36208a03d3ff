/*
 * Goal: no two tables share a place, retired prefixes stay retired, keys sort as their numbers do, and the stored form
 * of a row never changes. Method: the key table itself, fast-check over the parts of keys, and the bytes in a database.
 */
import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { CorruptRow } from '#store/corrupt-row.ts'
import { type Change, openDatabase } from '#store/database.ts'
import { AFTER, folderPart, keyOf, type Row, retired, SEPARATOR, seqKey, seqOf, tables, under } from '#store/layout.ts'
import { databaseKey, decodeRow, encodeRow, parseDatabaseKey } from '#store/rows.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

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

test('rows of one write stand as they were when it began: the sum over key and body, then the body', async () => {
  using dir = tempDir()
  await using database = await openDatabase(dir.path, true)
  const text = (length: number) => ({ credits: 1, envelopes: 2, note: 'é'.repeat(length) }) as Row<'usage'>
  const changes: Change[] = [
    { table: 'leaf', key: 'seal/0', row: new Uint8Array() },
    { table: 'leaf', key: 'seal/1', row: new Uint8Array(500).fill(7) },
    { table: 'leaf', key: 'seal/2', row: new Uint8Array(200_000).fill(9) },
    { table: 'usage', key: 'short', row: text(3) },
    // Around the room that is shared, where a unit of text may need one to three bytes.
    ...[21_000, 21_900, 32_700, 65_536, 300_000].map((it): Change => ({ table: 'usage', key: `${it}`, row: text(it) })),
    { table: 'usage', key: 'lone \ud800 é', row: { ...text(1), note: '\udc00' } as Row<'usage'> },
    { table: 'balance', key: 'free/a', row: 7 },
    { table: 'balance', key: 'free/b', row: undefined },
  ]
  const encoder = new TextEncoder()
  const expected = new Map<string, string>()
  for (const { table, key, row } of changes) {
    if (row === undefined) continue
    const body = row instanceof Uint8Array ? row : encoder.encode(JSON.stringify(row))
    const name = Buffer.from(`${tables[table].prefix}/${key}`)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body, crc32(name)))
    expected.set(name.toString(), Buffer.concat([sum, body]).toString('hex'))
  }
  const written = database.write(changes)
  for (const { row } of changes) if (row instanceof Uint8Array) row.fill(1)
  await written
  const stored = new Map<string, string>()
  for await (const [name, value] of database.raw()) stored.set(name, Buffer.from(value).toString('hex'))
  assert.deepEqual(stored, expected)
  assert.equal(stored.size, changes.length - 1)
  for (const { table, key, row } of changes) {
    if (typeof row === 'object' && !(row instanceof Uint8Array)) assert.deepEqual(await database.get(table, key), row)
  }
})

test.run()
