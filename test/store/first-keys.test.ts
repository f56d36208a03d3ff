// Goal: a range that is answered without a read holds nothing for sure, whatever was written, removed and read in
// between and however reads and writes overlap; and what comes round while nothing is due reads nothing.
// Method: drawn courses over a database of its own, each range held against the truth of before and after a write that
// is on its way; and the memory of first keys by itself, told what a database would tell it.
import assert from 'node:assert/strict'
import { Level } from 'level'
import { openDatabase } from '#store/database.ts'
import { createFirstKeys } from '#store/first-keys.ts'
import type { RangeOptions } from '#store/row-reader.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('store: first keys')

const usage = { credits: 1, envelopes: 1 }
const KEYS = ['', 'a', 'b', 'b/1', 'c', 'd', 'é', '\u{e000}', '\u{1f600}'] as const

const within = (key: string, { gt, gte, lt, lte }: RangeOptions): boolean => {
  const [at, ...[after, from, before, to]] = [key, gt, gte, lt, lte].map((it) =>
    it === undefined ? undefined : Buffer.from(it),
  )
  const compared = (other: Buffer | undefined): number => Buffer.compare(at as Buffer, other as Buffer)
  return (
    (after === undefined || compared(after) > 0) &&
    (from === undefined || compared(from) >= 0) &&
    (before === undefined || compared(before) < 0) &&
    (to === undefined || compared(to) <= 0)
  )
}

test('whatever is written and however it overlaps, a range has the rows of before a write or of after it', async () => {
  using dir = tempDir()
  await using database = await openDatabase(dir.path, true)
  const random = seeded()
  const drawn = (): RangeOptions =>
    random.pick([
      {},
      { gt: '' },
      { lt: random.pick(KEYS) },
      { gt: '', lt: random.pick(KEYS), limit: 2 },
      { lte: random.pick(KEYS) },
      { gte: random.pick(KEYS), lt: random.pick(KEYS) },
      { reverse: true, lt: random.pick(KEYS) },
    ])
  const read = async (options: RangeOptions): Promise<readonly string[]> => {
    const found: string[] = []
    for await (const [key] of database.range('usage', options)) found.push(key)
    return found.sort()
  }
  const due = (truth: ReadonlySet<string>, options: RangeOptions): number =>
    Math.min([...truth].filter((key) => within(key, options)).length, options.limit ?? truth.size)
  let truth = new Set<string>()
  for (let round = 0; round < 400; round++) {
    const before = truth
    truth = new Set(before)
    const all = round % 8 === 7 ? KEYS.slice(1) : undefined
    const changes = Array.from({ length: all?.length ?? random.integer(0, 3) }, (_, i) => {
      const key = all?.[i] ?? random.pick(KEYS.slice(1))
      const stays = all === undefined && random.integer(0, 1) === 0
      if (stays) truth.add(key)
      else truth.delete(key)
      return { table: 'usage' as const, key, row: stays ? usage : undefined }
    })
    const [early, late] = [drawn(), drawn()]
    const reading = read(early)
    const written = database.write(changes)
    const during = read(late)
    for (const [options, found] of [
      [early, await reading],
      [late, await during],
    ] as const) {
      const counts = [due(before, options), due(truth, options)]
      assert.ok(counts.includes(found.length), `round ${round}: ${found.length} rows, not ${counts}`)
    }
    await written
    for (let i = 0; i < 3; i++) {
      const options = drawn()
      assert.equal((await read(options)).length, due(truth, options), `round ${round}: ${JSON.stringify(options)}`)
    }
  }
})

test('a look that finds nothing due is the last one until the first key is', async () => {
  using dir = tempDir()
  await using database = await openDatabase(dir.path, true)
  let reads = 0
  const { iterator } = Level.prototype
  // Only counted: each is the database's own.
  Level.prototype.iterator = function (this: Level, ...of: Parameters<typeof iterator>) {
    reads += 1
    return iterator.apply(this, of)
  } as typeof iterator
  try {
    const due = async (by: string): Promise<number> => {
      let found = 0
      for await (const _ of database.range('usage', { gt: '', lt: by })) found += 1
      return found
    }
    await database.write([{ table: 'usage', key: 't7', row: usage }])
    // It reads what is due, of which there is nothing, and the first key of all.
    assert.deepEqual([await due('t3'), reads], [0, 2])
    assert.deepEqual([await due('t4'), await due('t5'), await due('t7'), reads], [0, 0, 0, 2])
    assert.deepEqual([await due('t8'), reads], [1, 3])
    await database.write([{ table: 'usage', key: 't2', row: usage }])
    assert.deepEqual([await due('t3'), reads], [1, 4])
    const gone = ['t2', 't7'].map((key) => ({ table: 'usage' as const, key, row: undefined }))
    await database.write(gone)
    assert.deepEqual([await due('t8'), await due('t9'), reads], [0, 0, 6])
  } finally {
    Level.prototype.iterator = iterator
  }
})

test('where nothing was before a key, nothing is until something is written there', () => {
  const keys = createFirstKeys()
  const row = usage
  assert.equal(keys.isEmpty('usage', {}), false)
  keys.look('usage', { lt: 'c' })?.('f')
  const known = () => [{ lt: 'f' }, { lte: 'e' }, { lte: 'f' }, { lt: 'g' }, {}].map((it) => keys.isEmpty('usage', it))
  assert.deepEqual(known(), [true, true, false, false, false])
  keys.written([{ table: 'usage', key: 'z', row }])
  assert.deepEqual(known(), [true, true, false, false, false])
  keys.written([{ table: 'usage', key: 'e', row }])
  assert.deepEqual(known(), [false, false, false, false, false])
  assert.equal(keys.isEmpty('usage', { lt: 'e' }), true)
  // What was removed leaves it unknown, until somebody has looked.
  keys.written([{ table: 'usage', key: 'e' }])
  assert.equal(keys.isEmpty('usage', { lt: 'f' }), false)
  keys.look('usage', {})?.(undefined)
  assert.deepEqual(known(), [true, true, true, true, true])
  // A look that a write overtakes says nothing, nor does one that began somewhere else.
  const told = keys.look('usage', {})
  keys.written([{ table: 'usage', key: 'a', row }])
  told?.(undefined)
  assert.equal(keys.isEmpty('usage', {}), false)
  assert.equal(keys.look('usage', { gt: 'b' }), undefined)
  assert.equal(keys.look('usage', { reverse: true }), undefined)
  assert.equal(keys.isEmpty('account', {}), false)
})

test.run()
