// Goal: whatever a clock does, a channel that ticks by itself seals no due tick twice, fills none that it missed, and
// says of each run of them once how many they were and why. Method: a real node whose wall clock jumps, sleeps, falls
// back and is away for a month; its chain and its whole store afterwards.
import assert from 'node:assert/strict'
import { type Instant, TICK_NS } from '#core/tick.ts'
import { NS_PER_DAY, NS_PER_SECOND } from '#core/time.ts'
import type { Client } from '#gateway/client.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { accountOf, codeOf, entriesOf, heardFrom, RADIUS, soundStore, tickBy } from './channel-kit.ts'

const test = suite('domain: clocks of channels')

const NS_PER_HOUR = 3_600n * NS_PER_SECOND

const meshTickOf = ({ node }: TestNode): number => node.store.now().meshTick

/** A channel that ticks by itself. */
const ticking = async (client: Client, tickIntervalTicks = 1): Promise<string> =>
  (await client.call('compute.stream-create', { ...RADIUS, autotick: true, tickIntervalTicks })).stream.id

/** Gaps of a channel, as its chain says them. */
const gapsOf = async (it: TestNode, id: string) =>
  (await entriesOf(it, 'stream_gap'))
    .filter(({ channel }) => channel === id)
    .map(({ from_mesh, to_mesh, missed, reason }) => ({ from: from_mesh, to: to_mesh, missed, reason }))

/** Holds what was sealed and what was missed of a channel against the grid: each due tick is one of both, once. */
const assertWhole = async (it: TestNode, id: string, client: Client): Promise<void> => {
  const { stream } = await client.call('compute.stream', { id })
  const ticks = (await entriesOf(it, 'stream_tick')).filter(({ channel }) => channel === id)
  assert.deepEqual(
    ticks.map(({ count }) => count),
    Array.from({ length: stream.count }, (_, i) => i + 1),
  )
  const missed = (await gapsOf(it, id)).reduce((sum, gap) => sum + Number(gap.missed), 0)
  assert.equal(stream.missed, missed)
  const born = it.node.store.genesisMeshTick + stream.created_tick
  const due = Math.floor((meshTickOf(it) - born) / stream.tickIntervalTicks)
  assert.equal(stream.count + missed, due)
}

test('some ticks that a clock jumps are late, and hours that it slept it was away; nothing is filled', async () => {
  using dir = tempDir()
  {
    await using it = await testNode({ directory: dir.path })
    const heard = heardFrom(it)
    const { client } = await accountOf(it)
    const [each, seldom] = [await ticking(client), await ticking(client, 1_000)]
    await tickBy(it, 2)
    const before = meshTickOf(it)
    await it.jumpWall(5n * TICK_NS)
    await it.node.services.channels.idle()
    assert.deepEqual(await gapsOf(it, each), [{ from: before + 1, to: before + 4, missed: 4, reason: 'late' }])
    await tickBy(it, 2)
    const asleep = meshTickOf(it)
    await it.jumpWall(5n * NS_PER_HOUR)
    await it.node.services.channels.idle()
    await tickBy(it, 2)
    const gap = (await gapsOf(it, each)).at(-1)
    const slept = Number((5n * NS_PER_HOUR) / TICK_NS)
    assert.deepEqual(gap, { from: asleep + 1, to: asleep + slept - 1, missed: slept - 1, reason: 'down' })
    assert.equal((await gapsOf(it, each)).length, 2)
    // Of one that is due every thousand ticks the newest is sealed late or not at all, and the rest is one gap.
    const [long, ...none] = await gapsOf(it, seldom)
    assert.partialDeepStrictEqual(long, { reason: 'down' })
    assert.deepEqual(none, [])
    for (const id of [each, seldom]) await assertWhole(it, id, client)
    const told = heard.filter(({ kind, channel }) => kind === 'gap' && channel === each)
    assert.equal(told.length, 2)
  }
  await soundStore(dir.path)
})

test('a clock that falls back is not followed, and after a start behind the last tick nothing is sealed', async () => {
  using dir = tempDir()
  let [id, key, at] = ['', '', 0n as Instant]
  {
    await using it = await testNode({ directory: dir.path })
    const account = await accountOf(it)
    key = account.key
    id = await ticking(account.client)
    await tickBy(it, 3)
    await it.jumpWall(-NS_PER_HOUR)
    await tickBy(it, 3)
    await assertWhole(it, id, account.client)
    assert.deepEqual(await gapsOf(it, id), [])
    at = it.node.store.now().instant
  }
  await using it = await testNode({ directory: dir.path, start: at - 4n * TICK_NS })
  const client = it.as(key)
  assert.equal(await codeOf(client.call('compute.stream-tick', { id })), 'CLOCK_BEHIND')
  await tickBy(it, 3)
  const { stream: waiting } = await client.call('compute.stream', { id })
  assert.deepEqual([waiting.count, waiting.refusals, waiting.last_fault], [6, 0, null])
  await tickBy(it, 3)
  await assertWhole(it, id, client)
  const { stream } = await client.call('compute.stream', { id })
  assert.deepEqual([stream.count, stream.missed], [8, 0])
})

test('a jump that is not believed changes nothing until a start, and then the node was away', async () => {
  using dir = tempDir()
  let [id, key, at] = ['', '', 0n as Instant]
  {
    await using it = await testNode({ directory: dir.path })
    const account = await accountOf(it)
    key = account.key
    id = await ticking(account.client)
    await tickBy(it, 2)
    await it.jumpWall(2n * NS_PER_DAY)
    await tickBy(it, 3)
    assert(it.lines.some(({ event }) => event === 'clock_jump_refused'))
    const { stream } = await account.client.call('compute.stream', { id })
    assert.deepEqual([stream.count, stream.missed], [5, 0])
    at = it.node.store.now().instant
  }
  {
    await using it = await testNode({ directory: dir.path, start: at + 2n * NS_PER_DAY })
    await tickBy(it, 2)
    await assertWhole(it, id, it.as(key))
    const [gap, ...none] = await gapsOf(it, id)
    assert.deepEqual([gap?.reason, none], ['down', []])
  }
  await soundStore(dir.path)
})

test('after a month without the node one gap for each channel says all that was missed, and it goes on', async () => {
  using dir = tempDir()
  const ids: string[] = []
  let [key, at] = ['', 0n as Instant]
  {
    await using it = await testNode({ directory: dir.path })
    const account = await accountOf(it)
    key = account.key
    for (const interval of [1, 77, 1_000_000]) ids.push(await ticking(account.client, interval))
    await tickBy(it, 2)
    at = it.node.store.now().instant
  }
  {
    await using it = await testNode({ directory: dir.path, start: at + 30n * NS_PER_DAY })
    await tickBy(it, 80)
    const gaps: (readonly unknown[])[] = []
    for (const id of ids) {
      await assertWhole(it, id, it.as(key))
      gaps.push((await gapsOf(it, id)).map(({ reason, missed }) => [reason, missed]))
    }
    const month = Number((30n * NS_PER_DAY) / TICK_NS)
    // Of the rare ones the newest due tick is sealed, late, for the next is not due yet.
    const rare = [77, 1_000_000].map((interval) => [['down', Math.floor(month / interval) - 1]])
    assert.deepEqual(gaps, [[['down', month]], ...rare])
  }
  await soundStore(dir.path)
})

test.run()
