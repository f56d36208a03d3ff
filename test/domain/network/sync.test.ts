/**
 * Goal: sync brings every source's event log whole and in order; of what a hostile relay brings nothing is kept that
 * the source has not signed, and the relay loses its standing. Method: real stores, streams in memory, and one side
 * whose frames are altered in every way there is; the reading side's own checks are never called by the test.
 */
import assert from 'node:assert/strict'
import { utf8 } from '#core/bytes.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import { eventsLogName } from '#core/ids.ts'
import { publicKeyOf } from '#core/keys.ts'
import { type Range, rangeFrame, readHello, readRange } from '#domain/network/sync/frames.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { foreignRow, type Keeper, keeper, rowsIn, syncBetween, type Tamper } from './keeper.ts'

const test = suite('domain/network: sync')
const random = seeded()

const viewOf = (it: Keeper, of: Keeper) => it.sync.sources().find((view) => view.node === of.node)
const sizeOf = (it: Keeper, of: Keeper): number => viewOf(it, of)?.size ?? 0

/** Rows that sync writes. */
const rowsOf = async (it: Keeper): Promise<number> => {
  const tables = ['foreignLog', 'foreignLogs', 'foreignBundle', 'foreignNode', 'assertion'] as const
  const counts = await Promise.all(tables.map(async (table) => (await rowsIn(it, table)).length))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The root of what one holds of another is the one that the other signed. */
const assertWhole = (it: Keeper, of: Keeper): void => {
  const row = foreignRow(it, of)
  assert.equal(row?.size, of.store.events.size)
  assert.equal(row.held?.root, of.store.events.root)
  assert.equal(row.held.note, of.note())
  assert.equal(row.aim, null)
}

test('a node away for 10,000 events comes back complete, through one that is not the source', async () => {
  await using source = await keeper(random)
  await using relay = await keeper(random)
  await using away = await keeper(random)
  await source.write(700)
  assert.deepEqual((await syncBetween(away, source)).own, { ok: true, leaves: 701 })
  await source.write(9_000)
  await source.write(300)
  const first = await syncBetween(relay, source)
  assert.deepEqual(first, { own: { ok: true, leaves: 10_003 }, other: { ok: true, leaves: 0 } })
  const second = await syncBetween(away, relay)
  assert.deepEqual(second.own, { ok: true, leaves: 9_302 })
  assertWhole(relay, source)
  assertWhole(away, source)
  assert.equal(away.counted.get('sync_leaves_total'), 10_003)
  assert.equal(viewOf(away, source)?.behind, 0)
  // Every assertion in the log has had its effect, whoever brought it.
  const assertions = await rowsIn(source, 'assertion')
  assert.equal(assertions.length, 200)
  assert.deepEqual(await rowsIn(away, 'assertion'), assertions)
  assert.deepEqual((await syncBetween(away, relay)).own, { ok: true, leaves: 0 })
}, 60_000)

test('both sides take what they lack in one sync, and a third gets it all from either', async () => {
  await using a = await keeper(random)
  await using b = await keeper(random)
  await using c = await keeper(random)
  await a.write(30)
  await b.write(400)
  assert.deepEqual(await syncBetween(a, b), { own: { ok: true, leaves: 401 }, other: { ok: true, leaves: 31 } })
  assert.deepEqual((await syncBetween(c, a)).own, { ok: true, leaves: 432 })
  for (const [it, of] of [
    [a, b],
    [b, a],
    [c, a],
    [c, b],
  ] as const)
    assertWhole(it, of)
})

test('any order of growth and of peers ends the same: roots equal, each source in order', async () => {
  const count = 4
  await using opened = new AsyncDisposableStack()
  const all: Keeper[] = []
  for (let i = 0; i < count; i++) all.push(opened.use(await keeper(random)))
  for (let round = 0; round < 24; round++) {
    const one = random.pick(all)
    const other = random.pick(all.filter((it) => it !== one))
    if (random.next() < 0.6) await one.write(random.integer(1, 700))
    const { own } = await syncBetween(one, other)
    assert.ok(own.ok)
  }
  for (let round = 0; round < count; round++) {
    for (const one of all) for (const other of all) if (one !== other) await syncBetween(one, other)
  }
  for (const it of all) for (const of of all) if (it !== of && of.store.events.size > 0) assertWhole(it, of)
}, 60_000)

/** Alters the ranges that a relay sends; its hello (frames 0 and 1) and the rest stay. */
const onRanges =
  (alter: (range: Range) => Range | readonly Uint8Array[] | 'end'): Tamper =>
  (frame) => {
    const range = readRange(frame)
    if (range === undefined) return [frame]
    const altered = alter(range)
    return Array.isArray(altered) || altered === 'end' ? altered : [rangeFrame(altered as Range)]
  }

const swapped = (leaves: readonly Uint8Array[]): readonly Uint8Array[] => [leaves[1]!, leaves[0]!, ...leaves.slice(2)]
const flipped = (leaf: Uint8Array): Uint8Array =>
  Uint8Array.from(leaf, (byte, i) => (i === leaf.length - 9 ? byte ^ 1 : byte))

const raw = (range: Range, more: (bytes: Uint8Array) => Uint8Array): readonly Uint8Array[] => [more(rangeFrame(range))]
const extended = (bytes: Uint8Array): Uint8Array => Uint8Array.from([...bytes, 0, 0, 0, 1, 7])

const beyond = (range: Range): Range => ({ ...range, leaves: Array(1_000).fill(utf8('x')) })

/** One row per trick: what the relay does, the word that it is refused with, leaves that were proved before that. */
const tricks: readonly (readonly [string, string, number, Tamper])[] = [
  ['withholds one leaf', 'root', 0, onRanges((it) => ({ ...it, leaves: it.leaves.slice(1) }))],
  ['withholds the last leaves', 'root', 0, onRanges((it) => ({ ...it, leaves: it.leaves.slice(0, -3) }))],
  ['withholds a whole range', 'order', 0, onRanges((it) => (it.from === 0 ? [] : it))],
  ['withholds all and leaves', 'withheld', 0, onRanges(() => 'end')],
  ['withholds the end and leaves', 'withheld', 768, onRanges((it) => (it.from === 0 ? it : 'end'))],
  ['reorders leaves', 'root', 0, onRanges((it) => ({ ...it, leaves: swapped(it.leaves) }))],
  ['alters a leaf', 'root', 0, onRanges((it) => ({ ...it, leaves: [flipped(it.leaves[0]!), ...it.leaves.slice(1)] }))],
  ['repeats a range', 'order', 768, onRanges((it) => [rangeFrame(it), rangeFrame(it)])],
  ['repeats a leaf', 'root', 0, onRanges((it) => ({ ...it, leaves: [it.leaves[0]!, ...it.leaves.slice(0, -1)] }))],
  ['adds a leaf', 'root', 0, onRanges((it) => ({ ...it, leaves: [...it.leaves, utf8('more')] }))],
  ['goes beyond the note', 'extra', 768, onRanges((it) => (it.from === 0 ? it : beyond(it)))],
  ['claims another place', 'order', 0, onRanges((it) => ({ ...it, from: it.from + 1 }))],
  ['answers another ask', 'order', 0, onRanges((it) => ({ ...it, ask: 1 }))],
  ['leaves the proof out', 'root', 0, onRanges((it) => ({ ...it, path: [] }))],
  ['alters the proof', 'root', 0, onRanges((it) => ({ ...it, path: it.path.map((hash) => hash.map((b) => b ^ 1)) }))],
  ['shows a beginning nobody asked for', 'bad_frame', 0, onRanges((it) => ({ ...it, before: it.path }))],
  ['sends bytes after the last leaf', 'bad_frame', 0, onRanges((it) => raw(it, extended))],
  ['cuts a range short', 'bad_frame', 0, onRanges((it) => raw(it, (bytes) => bytes.slice(0, -1)))],
  ['sends nothing in a range', 'bad_frame', 0, onRanges((it) => ({ ...it, leaves: [] }))],
  ['sends too many leaves', 'bad_frame', 0, onRanges((it) => ({ ...it, leaves: Array(1_001).fill(utf8('x')) }))],
  [
    'sends a leaf no event is as large as',
    'bad_frame',
    0,
    onRanges((it) => ({ ...it, leaves: [random.bytes(65_558)] })),
  ],
  ['sends noise', 'bad_frame', 0, onRanges(() => [random.bytes(64)])],
  ['sends an empty frame', 'bad_frame', 0, onRanges(() => [new Uint8Array(0)])],
  ['never stops', 'overrun', 0, (frame, at) => (at === 1 ? [frame, ...Array(64).fill(random.bytes(9))] : [frame])],
]

test('of what a hostile relay brings nothing is kept that its source has not signed, and it is barred', async () => {
  await using source = await keeper(random)
  await using relay = await keeper(random)
  await source.write(1_500)
  assert.ok((await syncBetween(relay, source)).own.ok)
  for (const [title, reason, proved, tamper] of tricks) {
    await using asker = await keeper(random)
    const { own } = await syncBetween(asker, relay, tamper)
    assert.ok(!own.ok, title)
    assert.deepEqual([own.reason, own.blame], [reason, true], title)
    assert.equal(sizeOf(asker, source), proved, title)
    if (proved === 0) assert.equal(await rowsOf(asker), 0, title)
    assert.equal(asker.counted.get(`sync_refused_total ${reason}`), 1, title)
    assert.equal(viewOf(asker, source)?.noted, source.store.events.size, 'what is missing is known')

    // It has lost its standing for 120 ticks; others are heard, and all is well.
    const again = await syncBetween(asker, relay)
    assert.ok(!again.own.ok && again.own.reason === 'refused', title)
    assert.deepEqual(asker.sync.due([relay.node]), [], title)
    assert.ok((await syncBetween(asker, source)).own.ok, title)
    assertWhole(asker, source)
    asker.clock.advanceTicks(120)
    assert.ok((await syncBetween(asker, relay)).own.ok, title)
  }
}, 90_000)

test('what a relay breaks off half way stays as far as it was proved, and another goes on from there', async () => {
  await using source = await keeper(random)
  await using asker = await keeper(random)
  await source.write(4_000)
  const { own } = await syncBetween(
    asker,
    source,
    onRanges((it) => (it.from < 1_536 ? it : 'end')),
  )
  assert.ok(!own.ok && own.reason === 'withheld')
  assert.equal(sizeOf(asker, source), 1_536)
  const row = foreignRow(asker, source)
  assert.equal(row?.held, null, 'no note is held whole yet, so nothing is offered')
  await using other = await keeper(random)
  assert.ok((await syncBetween(other, source)).own.ok)
  assert.deepEqual((await syncBetween(asker, other)).own, { ok: true, leaves: 4_001 - 1_536 })
  assertWhole(asker, source)
}, 30_000)

/** Alters the second frame a side sends: its hello. */
const onHello =
  (alter: (hello: NonNullable<ReturnType<typeof readHello>>) => object): Tamper =>
  (frame, place) =>
    place === 1 ? [utf8(JSON.stringify(alter(readHello(frame)!)))] : [frame]

test('a note that its log did not sign, another spelling, and a hello of another node are refused', async () => {
  await using source = await keeper(random)
  await source.write(10)
  const origin = source.store.events.origin
  const [, note] = [0, source.note()]
  const logs = (text: string): object => ({ [origin]: [0, text] })
  const twice = `${note}${note.slice(note.indexOf('\n\n') + 2)}`
  const alien = random.bytes(32)
  const forged = signCheckpoint({ origin, size: 99, root: new Uint8Array(32) }, publicKeyOf(source.node), alien)
  const rows: readonly (readonly [string, (hello: object) => object])[] = [
    ['bad_note', (hello) => ({ ...hello, logs: logs(note.replace('\n11\n', '\n12\n')) })],
    ['bad_note', (hello) => ({ ...hello, logs: logs(forged) })],
    ['bad_note', (hello) => ({ ...hello, logs: logs(twice) })],
    ['bad_frame', (hello) => ({ ...hello, logs: { [eventsLogName(source.node, 1)]: [0, note] } })],
    ['bad_frame', (hello) => ({ ...hello, logs: { 'tickmesh.log/x/1': [0, note] } })],
    ['bad_frame', (hello) => ({ ...hello, logs: { [origin]: note } })],
    ['bad_frame', (hello) => ({ ...hello, more: 1 })],
    ['bad_frame', (hello) => ({ v: 1, ...hello })],
  ]
  for (const [reason, alter] of rows) {
    await using asker = await keeper(random)
    const { own } = await syncBetween(asker, source, onHello(alter))
    if (reason === 'bad_frame' && own.ok) continue
    assert.ok(!own.ok)
    assert.deepEqual([own.reason, own.blame], [reason, true])
    assert.equal(await rowsOf(asker), 0)
  }
})

test.run()
