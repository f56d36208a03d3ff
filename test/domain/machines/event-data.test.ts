/*
 * Goal: data of an event are in its entry, open where everyone reads the chain anyway and else sealed, and the node
 * reads them back alike; what is too large or no JSON is refused and leaves the chain as it was.
 * Method: seeded objects on a public and a private machine of a real store; sizes at the bound, counted by a second
 * writer of canonical JSON; a destroyed data key; entries that are no events with data.
 */
import assert from 'node:assert/strict'
import canonicalize from 'canonicalize'
import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { WRITES_PER_MINUTE } from '#domain/machines/chain.ts'
import { EVENT_DATA_BYTES_MAX, eventOf } from '#domain/machines/event-data.ts'
import { sayAsNode } from '#domain/machines/record.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import { type Random, seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { type House, newAccount, openHouse, refusal } from '../house.ts'

const test = suite('machines: data of events')

type Caller = Awaited<ReturnType<typeof newAccount>>['caller']

const writing = (caller: Caller, slug: string, idempotencyKey?: string) => ({
  caller,
  slug,
  scope: 'test',
  idempotencyKey,
})

const rowOf = (house: House, slug: string, seq: number) => house.store.peek('machineEntry', keyOf(slug, seqKey(seq)))!

const read = (house: House, slug: string, seq: number) =>
  eventOf({ store: house.store, vault: house.keys.vault }, slug, rowOf(house, slug, seq))

const owner = async (house: House) => {
  const { caller } = await newAccount(house)
  await house.machines.create(caller, { slug: 'open', is_public: true })
  await house.machines.create(caller, { slug: 'shut', is_public: false })
  return caller
}

const madeUp = (random: Random): Record<string, Json> => {
  const scalars: readonly (() => Json)[] = [
    () => random.next() * 1e6,
    () => random.integer(-1_000, 1_000),
    () => random.integer(0, 1) === 1,
    () => 'ä"\u0001'.repeat(random.integer(0, 9)),
    () => null,
    () => ({ deep: [random.integer(0, 9), { x: 1 }] }),
  ]
  const names = ['pressure_Pa', 'b', 'data', 'event', 'Ω', '10', '9']
  const chosen = names.filter(() => random.integer(0, 1) === 1)
  return Object.fromEntries(chosen.map((it) => [it, scalars[random.integer(0, scalars.length - 1)]!()]))
}

test('data stand open on a public machine and sealed on a private one, and are read back from both', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const caller = await owner(house)
    const random = seeded()
    for (let round = 0; round < 40; round++) {
      const data = madeUp(random)
      const data_digest = digest(purposes.eventData, data)
      for (const slug of ['open', 'shut']) {
        const order = { type: `e${round}`, data, note: 'a note' }
        const { seq } = (await house.machines.event(writing(caller, slug), order)).answer
        const body = rowOf(house, slug, seq).entry.body as Record<string, Json>
        assert.equal(body['data_digest'], data_digest)
        assert.deepEqual(body['data'], slug === 'open' ? data : undefined)
        assert.deepEqual(read(house, slug, seq), { name: `e${round}`, data })
      }
    }
    // The sealed members are the owner's to open, the data of a private machine among them.
    const { entries } = await house.machines.decrypt({ caller, slug: 'shut' }, { from: 0, to: house.store.now().tick })
    const sealed = entries.find((it) => it.type === 'event')!.members as Record<string, Json>
    assert.deepEqual(Object.keys(sealed).sort(), ['by', 'data', 'note'])
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('what a machine shows later does not open what was sealed before', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const caller = await owner(house)
  const data = { secret: 7 }
  const { seq } = (await house.machines.event(writing(caller, 'shut'), { type: 'x', data })).answer
  await house.machines.settings({ caller, slug: 'shut' }, { is_public: true })
  assert.ok(!('data' in (rowOf(house, 'shut', seq).entry.body as object)))
  assert.deepEqual(read(house, 'shut', seq)?.data, data)
  const machine = house.store.peek('machine', 'shut')!
  await house.store.commit((tx) => tx.del('machineDataKey', keyOf('shut', machine.kid)))
  assert.equal(read(house, 'shut', seq), undefined, 'a destroyed key erases them')
})

test('data at the bound are taken, one byte more is refused, and nothing is entered', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const caller = await owner(house)
  const frame = canonicalize({ text: '' })!.length
  const ofSize = (bytes: number) => ({ text: 'a'.repeat(bytes - frame) })
  assert.equal(canonicalize(ofSize(EVENT_DATA_BYTES_MAX))!.length, EVENT_DATA_BYTES_MAX)
  const sized = (data: unknown) => house.machines.event(writing(caller, 'open'), { type: 'x', data })
  const { seq } = (await sized(ofSize(EVENT_DATA_BYTES_MAX))).answer
  for (const [data, code] of [
    [ofSize(EVENT_DATA_BYTES_MAX + 1), 'INVALID_INPUT'],
    [{ text: 'ä'.repeat((EVENT_DATA_BYTES_MAX - frame) / 2 + 1) }, 'INVALID_INPUT'],
    [{ text: '\ud800' }, 'NOT_CANONICAL'],
    [{ n: Number.POSITIVE_INFINITY }, 'NOT_CANONICAL'],
    [JSON.parse('{"__proto__": 1}'), 'NOT_CANONICAL'],
  ] as const) {
    assert.equal((await refusal(() => sized(data))).code, code)
  }
  assert.equal(house.store.peek('machineHead', 'open')!.size, seq + 1)
})

test('a repeat under its key is the same entry, and other data under it are refused', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const caller = await owner(house)
  const send = (n: number) => house.machines.event(writing(caller, 'shut', 'once'), { type: 'x', data: { n } })
  const first = await send(1)
  assert.deepEqual(await send(1), { answer: first.answer, replayed: true })
  assert.equal((await refusal(() => send(2))).code, 'IDEMPOTENCY_KEY_REUSED')
})

test('entries without data are nothing that a contract sees', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const caller = await owner(house)
  const plain = (await house.machines.event(writing(caller, 'shut'), { type: 'x', payload: { data: 1 } })).answer
  const state = (await house.machines.recordState(writing(caller, 'shut'), '0'.repeat(64))).answer
  for (const seq of [0, plain.seq, state.seq]) assert.equal(read(house, 'shut', seq), undefined)
})

test("what the node says by itself uses up none of the callers' entries", async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const caller = await owner(house)
  const hub = { wake: () => undefined, moved: () => Promise.resolve() }
  const context = { vault: house.keys.vault, hub }
  await house.store.commit((tx) => {
    const machine = tx.get('machine', 'open')!
    for (let i = 0; i <= WRITES_PER_MINUTE; i++) sayAsNode(context, tx, machine, { type: 'event', open: { i } })
  })
  const { seq } = (await house.machines.event(writing(caller, 'open'), { type: 'x' })).answer
  assert.ok(seq > WRITES_PER_MINUTE)
  assert.equal((rowOf(house, 'open', seq - 1).entry.body as Record<string, Json>)['source'], 'node')
})

test.run()
