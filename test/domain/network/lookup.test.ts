/*
 * Goal: who does not keep a log can ask for its events by what they name, from whoever keeps it; an answer can be
 * stale and never false, costs little, and what came of it is what sync brings. Method: keepers whose questions go from
 * one to another in memory, where a relay may alter them; the rows of who asked against those of who synced.
 */
import assert from 'node:assert/strict'
import type { Json } from '#core/canonical.ts'
import { eventId, type MeshEvent, signEvent } from '#core/events.ts'
import {
  answerFrame,
  FOUND_MAX,
  type FoundEvents,
  type LookupName,
  questionFrame,
  readAnswer,
  readQuestion,
} from '#domain/network/lookup/frames.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { addIndexed } from '#store/indexed.ts'
import { seqKey } from '#store/key-parts.ts'
import type { TableName } from '#store/layout.ts'
import { INDEXED_MAX, indexedKey } from '#store/rows/indexed.ts'
import type { Transaction } from '#store/transaction.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { foreignRow, type Keeper, keeper, rowsIn, syncBetween } from './keeper.ts'

const test = suite('domain/network: lookup')
const random = seeded()
const hex64 = (): string => Buffer.from(random.bytes(32)).toString('hex')

const closeTick = async (it: Keeper): Promise<void> => {
  it.clock.advanceTicks(1)
  await it.store.closeTick()
}

const record = async (it: Keeper, type: 'work' | 'resolve', payload: Json): Promise<MeshEvent> => {
  const event = await it.network.record(type, payload)
  await closeTick(it)
  return event
}
const works = (): Json => ({ root: hex64(), count: 1 })
const counted = (proposal: string): Json => ({
  ...{ proposal, root: hex64(), counted: 0, yes: 0, no: 0, zids: 0, passed: false },
})

/** Alters an answer on its way. */
type Tamper = (found: FoundEvents) => FoundEvents
/** Lets a keeper ask others. @returns whom it asked. */
const joined = (asker: Keeper, others: readonly (readonly [Keeper, Tamper?])[]): readonly string[] => {
  const asked: string[] = []
  asker.network.lookup?.join({
    connected: () => others.map(([it]) => it.node),
    ask: async (node, question) => {
      asked.push(node)
      const [it, tamper] = others.find(([one]) => one.node === node) ?? []
      const answer = await it?.network.lookup?.answer(question)
      if (answer === undefined) throw new Error('nobody is there')
      const found = readAnswer(answer)
      assert(found !== undefined)
      return tamper === undefined ? answer : answerFrame(tamper(found))
    },
  })
  return asked
}
const find = async (it: Keeper, about: LookupName): Promise<number> => (await it.network.lookup?.find(about)) ?? -1

test('a work is found at a relay; its rows are those that sync brings, before and after it does', async () => {
  using dir = tempDir()
  {
    await using source = await keeper(random)
    await using relay = await keeper(random)
    await using asker = await keeper(random, { directory: dir.path })
    await using synced = await keeper(random)
    await source.write(300)
    const event = await record(source, 'work', works())
    const id = eventId(event)
    await source.write(5)
    for (const it of [relay, synced]) assert.equal((await syncBetween(it, source)).own.ok, true)
    const asked = joined(asker, [[relay]])
    assert.equal(await find(asker, { kind: 'work', name: hex64() }), 0)
    assert.equal(await find(asker, { kind: 'work', name: id }), 1)
    assert.deepEqual(asked, [relay.node, relay.node])
    const expected = (await rowsIn(synced, 'disputed')).filter(([key]) => key === `work/${id}/${id}`)
    assert.equal(expected.length, 1)
    assert.deepEqual(await rowsIn(asker, 'disputed'), expected)
    assert.deepEqual(await rowsIn(asker, 'eventBy'), [], 'what it does not keep it cannot show')
    assert.deepEqual(readAnswer((await asker.network.lookup?.answer(questionFrame({ kind: 'work', name: id })))!), {
      events: [],
      notes: {},
    })

    assert.equal((await syncBetween(asker, source)).own.ok, true)
    assert.deepEqual(await rowsIn(asker, 'disputed'), await rowsIn(synced, 'disputed'))
    assert.deepEqual(await rowsIn(asker, 'eventBy'), await rowsIn(synced, 'eventBy'))
    assert.equal(
      readAnswer((await asker.network.lookup?.answer(questionFrame({ kind: 'work', name: id })))!)?.events.length,
      1,
    )
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('what a relay alters is refused whole, and the next one is asked', async () => {
  await using source = await keeper(random)
  await using other = await keeper(random)
  const proposal = hex64()
  await record(source, 'resolve', counted(proposal))
  await record(other, 'resolve', counted(proposal))
  const about = { kind: 'proposal', name: proposal } as const
  await using relay = await keeper(random)
  for (const it of [source, other]) assert.equal((await syncBetween(relay, it)).own.ok, true)
  const aside = await record(source, 'work', works())
  const change = (found: FoundEvents, edit: (event: MeshEvent) => Json): FoundEvents => ({
    ...found,
    events: found.events.map((it, i) => (i === 1 ? { ...it, event: edit(it.event as unknown as MeshEvent) } : it)),
  })
  const lies: Readonly<Record<string, Tamper>> = {
    'an event altered': (found) => change(found, (event) => ({ ...event, tick: event.tick + 1 }) as unknown as Json),
    'an event signed anew by another': (found) =>
      change(found, ({ signature: _, ...event }) => signEvent(relay.seed, event) as unknown as Json),
    'a path cut short': ({ events, notes }) => ({ events: events.map((it) => ({ ...it, path: [] })), notes }),
    'an index that is another': ({ events, notes }) => ({
      events: events.map((it) => ({ ...it, index: it.index + 1 })),
      notes,
    }),
    'a note of another log': ({ events, notes }) => {
      const [a = '', b = ''] = Object.keys(notes)
      const swapped = (from: string, to: string): string => (notes[from] ?? '').replace(from, to)
      return { events, notes: { [a]: swapped(b, a), [b]: swapped(a, b) } }
    },
    'an event of something else': (found) => change(found, () => aside as unknown as Json),
  }
  for (const [what, lie] of Object.entries(lies)) {
    await using asker = await keeper(random)
    // Whoever is asked first lies: the other comes next.
    const [one, two] = [relay, source].sort((a, b) => (a.node < b.node ? -1 : 1)) as [Keeper, Keeper]
    const honest = one === relay ? 1 : 2
    const asked = joined(asker, [[one, lie], [two]])
    assert.equal(await find(asker, about), honest, what)
    assert.deepEqual(asked, [one.node, two.node], what)
    assert.equal((await rowsIn(asker, 'resolution')).length, honest, what)
  }
})

test('an answer has 64 events at most, and what is not kept any more is not in it', async () => {
  const proposal = hex64()
  await using source = await keeper(random)
  await using relay = await keeper(random, {
    bounds: { sourcesMax: 4, sourceBytesMax: 60_000, totalBytesMax: 240_000, silentTicks: 10 },
  })
  await record(source, 'resolve', counted(proposal))
  await source.write(1_000)
  const seqs: number[] = []
  for (let i = 0; i < 70; i++) seqs.push((await source.network.record('resolve', counted(proposal))).seq)
  await closeTick(source)
  assert.equal((await syncBetween(relay, source)).own.ok, true)
  const question = questionFrame({ kind: 'proposal', name: proposal })
  const answerOf = async (it: Keeper): Promise<FoundEvents | undefined> =>
    readAnswer(await it.network.lookup!.answer(question))
  const [own, theirs] = [await answerOf(source), await answerOf(relay)]
  assert.deepEqual([own?.events.length, own?.events[0]?.index], [FOUND_MAX, 0])
  const first = foreignRow(relay, source)?.first ?? 0
  assert.ok(first > 0, 'its first leaves are gone there')
  assert.deepEqual(
    theirs?.events.map(({ index }) => index),
    seqs.filter((it) => it >= first).slice(0, FOUND_MAX),
  )
})

test('a name is asked about once in 64 ticks, a few names in one, and without a way none', async () => {
  await using source = await keeper(random)
  await using asker = await keeper(random)
  const name = hex64()
  assert.equal(await find(asker, { kind: 'bond', name }), 0)
  const asked = joined(asker, [[source]])
  const both = await Promise.all([find(asker, { kind: 'bond', name }), find(asker, { kind: 'bond', name })])
  assert.deepEqual([both, asked.length], [[0, 0], 1])
  await find(asker, { kind: 'bond', name })
  assert.equal(asked.length, 1)
  for (let i = 0; i < 20; i++) await find(asker, { kind: 'bond', name: hex64() })
  assert.equal(asked.length, 8)
  asker.clock.advanceTicks(64)
  await find(asker, { kind: 'bond', name })
  assert.equal(asked.length, 9)
})

test('of more entries than fit the oldest go', async () => {
  await using it = await keeper(random)
  const key = (name: string): string => indexedKey({ kind: 'bond', name, isIt: true }, 'node.1', 7)
  const [old, fresh] = [key(hex64()), key(hex64())]
  await it.store.commit((tx) => addIndexed(tx, old))
  await it.store.commit((tx) => addIndexed(tx, old))
  assert.equal(it.store.peek('eventByNext', 'next'), 1, 'once')
  await it.store.commit((tx) => tx.put('eventByNext', 'next', INDEXED_MAX))
  await it.store.commit((tx) => addIndexed(tx, fresh))
  assert.deepEqual(await rowsIn(it, 'eventBy'), [[fresh, 0]])
})

test('fsck holds each entry and its place against each other', async () => {
  type Change = (tx: Transaction, key: string) => void
  const spoilt: readonly (readonly [TableName, Change])[] = [
    ['eventBy', (tx, key) => tx.put('eventBy', key, 1)],
    ['eventBy', (tx, key) => tx.del('eventBySlot', seqKey(tx.get('eventBy', key) ?? 0))],
    ['eventBySlot', (tx, key) => tx.del('eventBy', key)],
    ['eventBySlot', (tx, key) => tx.put('eventBySlot', seqKey(9), key)],
    ['eventByNext', (tx) => tx.put('eventByNext', 'next', 7)],
    ['eventByNext', (tx) => tx.del('eventByNext', 'next')],
  ]
  for (const [table, change] of spoilt) {
    using dir = tempDir()
    {
      await using it = await keeper(random, { directory: dir.path })
      await record(it, 'resolve', counted(hex64()))
      const [[key] = ['']] = await rowsIn(it, 'eventBy')
      await it.store.commit((tx) => change(tx, key))
    }
    assert.equal((await fsck({ directory: dir.path })).bad?.table, table, String(change))
  }
})

test('questions and answers that are none', () => {
  const name = hex64()
  const bytes = (value: Json): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
  assert.deepEqual(readQuestion(questionFrame({ kind: 'bond', name })), { kind: 'bond', name })
  for (const it of [{}, { bond: name, work: name }, { bond: 7 }, { coin: name }, { node: name }, { bond: 'x' }, []]) {
    assert.equal(readQuestion(bytes(it as Json)), undefined, JSON.stringify(it))
  }
  for (const it of [
    {},
    { events: [] },
    { events: {}, notes: {} },
    { events: [], notes: { a: 'a\n' } },
    { events: [[]], notes: {} },
  ]) {
    assert.equal(readAnswer(bytes(it as Json)), undefined, JSON.stringify(it))
  }
  assert.deepEqual(readAnswer(bytes({ events: [], notes: {} })), { events: [], notes: {} })
})

test.run()
