// Goal: whatever the channels of one owner do, those of another tick: many of one do not keep the others waiting, and
// of those that starve or are refused nothing is computed or charged in their stead. Method: a real node with an owner
// of very many channels beside one of a single channel, and with one whose credits are over.
import assert from 'node:assert/strict'
import type { Client } from '#gateway/client.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { accountOf, entriesOf, heardFrom, RADIUS, tickBy } from './channel-kit.ts'

const test = suite('domain: owners of channels')

/** Ticks that are written together. */
const GROUP = 128
/** Channels of one owner that are due in one tick: more than two groups, as many as are on their way at a time. */
const MANY = 300
const MAKERS = 8
/** Channels whose ticks cost more than their owner has. */
const STARVING = 40

const make = async (client: Client, channels: number, order: object = {}): Promise<void> => {
  let made = 0
  const lane = async (): Promise<void> => {
    while (made++ < channels) await client.call('compute.stream-create', { ...RADIUS, autotick: true, ...order })
  }
  await Promise.all(Array.from({ length: MAKERS }, lane))
}

test('who has one channel does not wait until all of somebody else’s are done', async () => {
  await using it = await testNode({ settings: { 'limits.keyCallsPerMinute': 1_000_000 } })
  const [many, one] = [await accountOf(it), await accountOf(it)]
  const seldom = { autotick: true, tickIntervalTicks: 100 }
  await make(many.client, MANY, seldom)
  const { stream } = await one.client.call('compute.stream-create', { ...RADIUS, ...seldom })
  const heard = heardFrom(it)
  it.passTicks(99)
  await tickBy(it, 1)
  assert.equal(heard.length, MANY + 1)
  // It is among the first of the first group; of two groups either may be durable before the other.
  const place = heard.findIndex(({ channel }) => channel === stream.id)
  assert(place <= GROUP + 1, `${place} ticks were told before`)
}, 60_000)

test('who starves takes nothing from anybody: no entry, no credit, no tick of another owner', async () => {
  await using it = await testNode()
  const [poor, other] = [await accountOf(it), await accountOf(it)]
  await make(poor.client, STARVING)
  const { stream } = await other.client.call('compute.stream-create', { ...RADIUS, autotick: true })
  const left = async ({ client }: typeof poor): Promise<number> => {
    const { free, paid } = await client.call('economy.credits', {})
    return free + paid
  }
  const before = await left(other)
  const ticks = Math.ceil((await left(poor)) / (STARVING * stream.price)) + 2
  await tickBy(it, ticks)
  const [sealed, rest] = [(await entriesOf(it, 'stream_tick')).length, await left(poor)]
  assert(rest < stream.price)
  await tickBy(it, 5)
  assert.equal((await entriesOf(it, 'stream_tick')).length, sealed + 5)
  assert.equal((await entriesOf(it, 'stream_status')).length, STARVING)
  assert.equal(await left(poor), rest)
  const { stream: now } = await other.client.call('compute.stream', { id: stream.id })
  assert.deepEqual([now.count, now.missed], [ticks + 5, 0])
  assert.equal(before - (await left(other)), now.count * stream.price)
}, 60_000)

test.run()
