// Goal: a row that is read again is the one on disk, whatever was written in between and however reads and writes
// overlap; what is read cannot be changed; the cache is bounded. Method: drawn courses over a database of its own, each
// read held against what was written.
import assert from 'node:assert/strict'
import { openDatabase } from '#store/database.ts'
import type { Row } from '#store/layout.ts'
import { createRowCache } from '#store/row-cache.ts'
import { databaseKey, encodeRow } from '#store/rows.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('store: row cache')

/** Where a row stands, and what reads it there. */
const at = (key: string, stored: () => Uint8Array | undefined) => ({ full: databaseKey('usage', key), stored })

const usage = (credits: number) => ({ credits, envelopes: credits })

test('reads between and during writes give what is durable, and after a write what was written', async () => {
  using dir = tempDir()
  await using database = await openDatabase(dir.path, true)
  const random = seeded()
  const truth = new Map<string, number>()
  for (let round = 0; round < 200; round++) {
    const before = new Map(truth)
    const changes = Array.from({ length: random.integer(1, 4) }, () => {
      const key = `k${random.integer(0, 5)}`
      const credits = random.integer(0, 9) === 0 ? undefined : round
      if (credits === undefined) truth.delete(key)
      else truth.set(key, credits)
      return { table: 'usage' as const, key, row: credits === undefined ? undefined : usage(credits) }
    })
    const written = database.write(changes)
    for (let i = 0; i < 6; i++) {
      const found = database.peek('usage', `k${i}`)?.credits
      assert.ok(found === before.get(`k${i}`) || found === truth.get(`k${i}`), `round ${round}`)
    }
    await written
    for (let i = 0; i < 6; i++) {
      const expected = truth.get(`k${i}`)
      assert.equal(database.peek('usage', `k${i}`)?.credits, expected)
      assert.equal((await database.get('usage', `k${i}`))?.credits, expected)
    }
  }
})

test('a row is read once while it stays, and again when it was written; nobody can change it', () => {
  const cache = createRowCache()
  let reads = 0
  const stored = (): Uint8Array => {
    reads += 1
    return encodeRow('usage', 'a', usage(reads))
  }
  const row = cache.read('usage', 'a', at('a', stored))
  assert.equal(cache.read('usage', 'a', at('a', stored)), row)
  assert.throws(() => Object.assign(row as object, { credits: 7 }), TypeError)
  cache.written([{ table: 'usage', key: 'a' }])
  assert.deepEqual([cache.read('usage', 'a', at('a', stored))?.credits, reads], [2, 2])
  // What is not there is looked for each time.
  const nothing = (): undefined => {
    reads += 1
  }
  assert.deepEqual(
    [cache.read('usage', 'b', at('b', nothing)), cache.read('usage', 'b', at('b', nothing)), reads],
    [undefined, undefined, 4],
  )
})

test('a row that comes later is kept, unless something was written between the question and the answer', async () => {
  const cache = createRowCache()
  const asked: PromiseWithResolvers<Uint8Array | undefined>[] = []
  const later = (): Promise<Uint8Array | undefined> => {
    const one = Promise.withResolvers<Uint8Array | undefined>()
    asked.push(one)
    return one.promise
  }
  const first = cache.readLater('usage', 'a', later)
  cache.written([{ table: 'usage', key: 'b' }])
  asked[0]?.resolve(encodeRow('usage', 'a', usage(1)))
  assert.equal((await first)?.credits, 1)
  const second = cache.readLater('usage', 'a', later)
  assert.equal(asked.length, 2, 'the first may have been of before the write')
  asked[1]?.resolve(encodeRow('usage', 'a', usage(2)))
  assert.equal((await second)?.credits, 2)
  assert.equal((await cache.readLater('usage', 'a', later))?.credits, 2)
  assert.equal(
    cache.read(
      'usage',
      'a',
      at('a', () => undefined),
    )?.credits,
    2,
  )
  assert.equal(asked.length, 2)
})

test('many rows make room for each other, the oldest first', () => {
  const cache = createRowCache()
  let reads = 0
  const read = (key: string) =>
    cache.read(
      'usage',
      key,
      at(key, () => {
        reads += 1
        return encodeRow('usage', key, usage(1))
      }),
    )
  for (let i = 0; i < 10_000; i++) read(`k${i}`)
  assert.equal(reads, 10_000)
  for (let i = 2_000; i < 10_000; i++) read(`k${i}`)
  assert.equal(reads, 10_000)
  for (let i = 0; i < 900; i++) read(`k${i}`)
  assert.equal(reads, 10_900)
})

/** A head whose kind is kept as it was written. */
const head = (count: number): Row<'channelHead'> => ({
  ...{ status: 'open', epoch: 1, count, sealed: count, head: null, next_due: count + 1, missed: 0, refusals: 0 },
  ...{ last_fault: { code: 'TIMEOUT', detail: 'It took too long.', mesh_tick: count }, took_ms: 0.5 },
})

test('a row that is kept as written needs no read, is the one on disk, and cannot be changed', async () => {
  using dir = tempDir()
  const written = head(7)
  {
    await using database = await openDatabase(dir.path, true)
    await database.write([{ table: 'channelHead', key: 'a', row: written }])
    assert.equal(database.peek('channelHead', 'a'), written)
    assert.throws(() => Object.assign(written.last_fault as object, { code: 'GONE' }), TypeError)
    await database.write([{ table: 'channelHead', key: 'b', row: head(1) }])
    await database.write([{ table: 'channelHead', key: 'b', row: undefined }])
    assert.equal(database.peek('channelHead', 'b'), undefined)
  }
  await using database = await openDatabase(dir.path, false)
  assert.deepEqual(database.peek('channelHead', 'a'), written)
})

test('a write that failed leaves nothing of itself', async () => {
  using dir = tempDir()
  const database = await openDatabase(dir.path, true)
  await database.write([{ table: 'channelHead', key: 'a', row: head(1) }])
  const unwritable = { ...head(2), took_ms: 1n as unknown as number }
  await assert.rejects(async () => database.write([{ table: 'channelHead', key: 'a', row: unwritable }]), TypeError)
  assert.deepEqual(database.peek('channelHead', 'a'), head(1))
  await database[Symbol.asyncDispose]()
})

test.run()
