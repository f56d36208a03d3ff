/**
 * Goal: sync at its edges: sources that signed two histories, askers that break the protocol, logs larger than what is
 * kept, more sources than there is room for, and rows that are not what was written. Method: real stores, streams in
 * memory, small bounds, and peers that speak frame by frame.
 */
import assert from 'node:assert/strict'
import { utf8 } from '#core/bytes.ts'
import { verifyEquivocation } from '#core/equivocation.ts'
import { ackFrame, askFrame, helloFrame, type RangeRequest, readHello, readRange } from '#domain/network/sync/frames.ts'
import { type Bounds, defaultBounds } from '#domain/network/sync/limits.ts'
import { openDatabase } from '#store/database.ts'
import { sourceOf } from '#store/foreign.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { databaseDirectory } from '#store/lock.ts'
import type { ForeignLogRow } from '#store/rows/event.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { foreignRow, type Keeper, keeper, rowsIn, stream, syncBetween } from './keeper.ts'
import { author } from './party.ts'

const test = suite('domain/network: sync, edges')
const random = seeded()

test('two histories of one source: whoever brings the other is not blamed, and the proof verifies', async () => {
  for (const [mine, theirs] of [
    [300, 700],
    [255, 900],
  ] as const) {
    const seed = random.bytes(32)
    await using first = await keeper(random, { seed })
    await using second = await keeper(random, { seed })
    await using relay = await keeper(random)
    await using asker = await keeper(random)
    await first.write(mine)
    await second.write(theirs)
    assert.equal(first.store.events.origin, second.store.events.origin)
    assert.ok((await syncBetween(asker, first)).own.ok)
    assert.ok((await syncBetween(relay, second)).own.ok)
    const proofs: Parameters<Parameters<Keeper['sync']['onFork']>[0]>[0][] = []
    asker.sync.onFork((proof) => proofs.push(proof))
    const { own } = await syncBetween(asker, relay)
    assert.ok(!own.ok)
    assert.deepEqual([own.reason, own.blame], ['forked', false])
    assert.equal(foreignRow(asker, first)?.held?.note, first.note(), 'what was held stays')
    assert.deepEqual(
      proofs.map((proof) => verifyEquivocation(proof)),
      [{ origin: first.store.events.origin, node: first.node, size: mine + 1, larger: theirs + 1 }],
    )
    // It stops its own log only.
    await relay.write(5)
    assert.deepEqual((await syncBetween(asker, relay)).own, { ok: true, leaves: 6 })
  }
})

test('two histories of equal size are kept as heads that prove it', async () => {
  const seed = random.bytes(32)
  await using first = await keeper(random, { seed })
  await using second = await keeper(random, { seed })
  await using asker = await keeper(random)
  await first.write(20)
  await second.write(20)
  assert.ok((await syncBetween(asker, first)).own.ok)
  assert.deepEqual((await syncBetween(asker, second)).own, { ok: true, leaves: 0 })
  const [found] = asker.network.equivocations()
  assert.deepEqual([found?.origin, found?.size], [first.store.events.origin, 21])
})

test('whom to ask: the source at once, any other if it is away, ever more rarely while nobody has it', async () => {
  await using source = await keeper(random)
  await using asker = await keeper(random)
  const other = author(random).node
  /** Beats of so many at which a peer is asked, the round of every eighth beat left out. */
  const asked = (beats: number, connected: readonly string[]): readonly number[] => {
    const found: number[] = []
    for (let beat = 1; beat <= beats; beat++)
      if (asker.sync.due(connected).length > 0 && beat % 8 !== 0) found.push(beat)
    return found
  }
  assert.deepEqual(asked(16, []), [])
  assert.deepEqual(asked(16, [other]), [], 'nothing is known to be missing')
  asker.sync.noted(source.store.events.origin, 5)
  assert.deepEqual(asker.sync.due([other, source.node]), [source.node])
  assert.deepEqual(asked(5, [other]), [1, 3])
  asker.sync.noted(source.store.events.origin, 4)
  assert.deepEqual(asked(1, [other]), [], 'an older note is no news')
  asker.sync.noted(source.store.events.origin, 6)
  assert.deepEqual(asker.sync.due([other]), [other], 'a newer one is')
  asker.sync.noted(asker.store.events.origin, 99)
  assert.equal(asker.sync.sources().length, 1, 'the own log is no source')
})

/** A peer that speaks frame by frame with a keeper that answers. */
const speaker = async (to: Keeper) => {
  const { node } = author(random)
  const [mine, theirs] = stream()
  const outcome = to.sync.run(node, theirs, false)
  await mine.send(new Uint8Array(0))
  await mine.send(helloFrame({ v: 1, node, mesh_tick: 0, logs: {} }))
  const frames = mine.frames[Symbol.asyncIterator]()
  const next = async (): Promise<Uint8Array> => (await frames.next()).value as Uint8Array
  await next()
  const hello = readHello(await next())
  assert.ok(hello)
  return { node, mine, theirs, next, outcome, hello }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('an asker that never acknowledges gets four ranges and no more, and is blamed', async () => {
  await using source = await keeper(random)
  await source.write(6_000)
  const it = await speaker(source)
  await it.mine.send(askFrame([[source.store.events.origin, 0, source.store.events.size]]))
  for (let i = 0; i < 4; i++) assert.equal(readRange(await it.next())?.from, i * 768)
  await turn()
  it.theirs.expire()
  const outcome = await it.outcome
  assert.ok(!outcome.ok)
  assert.deepEqual([outcome.reason, outcome.blame], ['unacknowledged', true])
  it.theirs.close()
  assert.equal(await it.next(), undefined, 'no fifth was sent')
  const [, again] = stream()
  assert.equal((await source.sync.run(it.node, again, false)).ok, false, 'it has lost its standing')
}, 30_000)

test('an asker that asks or acknowledges what was not offered or sent is blamed', async () => {
  await using source = await keeper(random)
  await source.write(2_000)
  const { origin, size } = source.store.events
  const asks: readonly (readonly [string, readonly RangeRequest[] | Uint8Array])[] = [
    ['bad_ask', [[`${origin}1`, 0, size]]],
    ['bad_ask', [[origin, 0, size - 1]]],
    ['bad_ask', [[origin, 0, size + 1]]],
    ['bad_frame', [[origin, size, size]]],
    ['bad_frame', [[origin, -1, size]]],
    ['bad_frame', [[origin, 0.5, size]]],
    [
      'bad_frame',
      [
        [origin, 0, size],
        [origin, 1, size],
      ],
    ],
    ['bad_frame', utf8('{"ask":[],"more":1}')],
    ['bad_frame', utf8('{ "ask":[]}')],
    ['bad_frame', utf8(`{"ask":${'['.repeat(40)}${']'.repeat(40)}}`)],
    ['bad_frame', ackFrame(1)],
    ['bad_frame', random.bytes(300)],
  ]
  for (const [reason, ask] of asks) {
    const it = await speaker(source)
    await it.mine.send(ask instanceof Uint8Array ? ask : askFrame(ask))
    const outcome = await it.outcome
    assert.ok(!outcome.ok)
    assert.deepEqual([outcome.reason, outcome.blame], [reason, true], JSON.stringify(ask))
  }
  const acks: readonly (readonly [string, readonly Uint8Array[]])[] = [
    ['bad_ack', [ackFrame(0)]],
    ['bad_ack', [ackFrame(2)]],
    ['bad_ack', [ackFrame(1), ackFrame(1)]],
    ['bad_frame', [utf8('{}')]],
    ['overrun', Array.from({ length: 20 }, (_, i) => ackFrame(i + 1))],
  ]
  for (const [reason, frames] of acks) {
    const it = await speaker(source)
    await it.mine.send(askFrame([[origin, 0, size]]))
    for (let i = 0; i < 3; i++) await it.next()
    for (const frame of frames) await it.mine.send(frame)
    const outcome = await it.outcome
    assert.ok(!outcome.ok)
    assert.deepEqual([outcome.reason, outcome.blame], [reason, true])
  }
}, 30_000)

test('a peer that says nothing is given up, and one that only leaves is not blamed', async () => {
  await using source = await keeper(random)
  const [, silent] = stream()
  const outcome = source.sync.run(author(random).node, silent, false)
  silent.expire()
  assert.partialDeepStrictEqual(await outcome, { ok: false, reason: 'slow', blame: true })
  const [left, end] = stream()
  left.close()
  assert.partialDeepStrictEqual(await source.sync.run(author(random).node, end, false), {
    reason: 'broken',
    blame: false,
  })
})

const small: Bounds = {
  ...defaultBounds,
  sourcesMax: 3,
  sourceBytesMax: 300_000,
  totalBytesMax: 900_000,
  silentTicks: 10,
}

test('of a log larger than what is kept the prefix goes, its compact range stays, and it grows on', async () => {
  using dir = tempDir()
  await using source = await keeper(random)
  await using whole = await keeper(random)
  await using late = await keeper(random)
  {
    await using asker = await keeper(random, { directory: dir.path, bounds: small })
    await source.write(2_900)
    assert.ok((await syncBetween(asker, source)).own.ok)
    assert.ok((await syncBetween(whole, source)).own.ok)
    const row = foreignRow(asker, source)
    assert.ok(row !== undefined && row.first > 0 && row.first % 256 === 0)
    assert.ok(row.bytes <= small.sourceBytesMax)
    assert.equal(row.held?.root, source.store.events.root)
    await source.write(300)
    assert.deepEqual((await syncBetween(asker, source)).own, { ok: true, leaves: 301 })
    assert.equal(foreignRow(asker, source)?.held?.root, source.store.events.root)
    // Whoever has the prefix can go on from here; whoever lacks it must ask elsewhere.
    assert.ok((foreignRow(asker, source)?.first ?? 0) <= 2_901, 'the bounds leave what the next one needs')
    assert.deepEqual((await syncBetween(whole, asker)).own, { ok: true, leaves: 301 })
    assert.equal(foreignRow(whole, source)?.held?.root, source.store.events.root)
    assert.deepEqual((await syncBetween(late, asker)).own, { ok: true, leaves: 0 })
  }
  assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
}, 30_000)

test('beyond the last place a source is refused; one that was silent makes room, and nothing of it stays', async () => {
  using dir = tempDir()
  {
    await using asker = await keeper(random, { directory: dir.path, bounds: small })
    await using stack = new AsyncDisposableStack()
    const sources: Keeper[] = []
    for (let i = 0; i < 5; i++) sources.push(stack.use(await keeper(random)))
    for (const [i, it] of sources.entries()) {
      await it.write(400 + i)
      const { own } = await syncBetween(asker, it)
      assert.deepEqual(own, { ok: true, leaves: i < 3 ? 401 + i : 0 })
    }
    assert.equal(asker.counted.get('sync_refused_total full'), 2)
    asker.clock.advanceTicks(9)
    await sources[1]!.write(1)
    assert.ok((await syncBetween(asker, sources[1]!)).own.ok)
    asker.clock.advanceTicks(1)
    assert.deepEqual((await syncBetween(asker, sources[4]!)).own, { ok: true, leaves: 405 })
    assert.equal(foreignRow(asker, sources[0]!), undefined)
    assert.equal(asker.sync.sources().find((view) => view.node === sources[0]!.node)?.size, 0)
    assert.equal((await rowsIn(asker, 'foreignLog')).length, 3)
  }
  assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
}, 30_000)

test('fsck names what is not what the source signed, even where every checksum fits', async () => {
  using dir = tempDir()
  let source = ''
  {
    await using asker = await keeper(random, { directory: dir.path })
    await using other = await keeper(random)
    await other.write(600)
    assert.ok((await syncBetween(asker, other)).own.ok)
    source = sourceOf(other.store.events.origin)
  }
  const files = databaseDirectory(dir.path)
  type Change = Parameters<Awaited<ReturnType<typeof openDatabase>>['write']>[0][number]
  /** Writes, looks, and puts back. */
  const named = async (change: Change): Promise<string> => {
    const write = async (it: Change) => {
      await using database = await openDatabase(files, false)
      const before = database.peek(change.table, change.key)
      await database.write([it])
      return before
    }
    const before = await write(change)
    const { bad } = await fsck({ directory: dir.path })
    await write({ table: change.table, key: change.key, row: before } as Change)
    return bad === null ? 'nothing' : bad.table
  }
  const read = async <T>(look: (database: Awaited<ReturnType<typeof openDatabase>>) => T | Promise<T>): Promise<T> => {
    await using database = await openDatabase(files, false)
    return await look(database)
  }
  const row = await read((it) => it.peek('foreignLog', source) as ForeignLogRow)
  const changed = (more: Partial<ForeignLogRow>): Change => ({
    table: 'foreignLog',
    key: source,
    row: { ...row, ...more },
  })
  const note = row.held!
  const rows: readonly (readonly [string, Change])[] = [
    ['foreignBundle', changed({ size: row.size + 1 })],
    ['foreignBundle', changed({ size: row.size - 1 })],
    ['foreignLog', changed({ first: 256 })],
    ['foreignLog', changed({ first: 1 })],
    ['foreignLog', changed({ bytes: row.bytes + 1 })],
    ['foreignLog', changed({ edge: [...row.edge].reverse() })],
    ['foreignLog', changed({ held: null })],
    ['foreignLog', changed({ held: { ...note, root: '00'.repeat(32) } })],
    ['foreignLog', changed({ held: { ...note, note: note.note.replace('\n601\n', '\n600\n') } })],
    ['foreignLog', changed({ aim: { ...note, path: [] } })],
    ['foreignLog', changed({ node: author(random).node })],
    ['foreignLog', { table: 'foreignLog', key: source, row: undefined }],
    ['foreignLogs', { table: 'foreignLogs', key: 'all', row: undefined }],
    ['foreignLogs', { table: 'foreignLogs', key: 'all', row: [source, source] }],
    ['assertionCount', { table: 'assertionCount', key: 'all', row: 7 }],
  ]
  for (const [table, change] of rows) assert.equal(await named(change), table, JSON.stringify(change).slice(0, 200))

  for (const table of ['foreignBundle', 'foreignNode', 'assertion'] as const) {
    const all = await read(async (it) => {
      const found: [string, unknown][] = []
      for await (const [key, one] of it.range(table)) found.push([key, one])
      return found
    })
    assert.ok(all.length > 1)
    for (const [key, one] of all.slice(0, 1)) {
      assert.notEqual(await named({ table, key, row: undefined }), 'nothing', `${table} ${key} is gone`)
      if (!(one instanceof Uint8Array)) continue
      const altered = Uint8Array.from(one, (byte, i) => (i === 20 ? byte ^ 1 : byte))
      assert.notEqual(await named({ table, key, row: altered }), 'nothing', `${table} ${key} is another`)
      assert.notEqual(await named({ table, key: `${key}0`, row: one }), 'nothing', `${table} ${key}0 is one more`)
    }
  }
  assert.equal((await fsck({ directory: dir.path })).ok, true)
}, 60_000)

test.run()
