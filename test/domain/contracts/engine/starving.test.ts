// Goal: nobody's fire waits behind all of somebody else's, be they due at once, to be caught up with or set off by a
// storm of events. Method: a real node with one owner who has very many and others who have one each; the order in
// which fires were committed, as the feed of public machines numbers them.
import assert from 'node:assert/strict'
import { TICK_NS } from '#core/tick.ts'
import type { Client } from '#gateway/client.ts'
import { type TestNode, testNode } from '../../../kit/node.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { counting, pass, stage } from './engine-kit.ts'

const test = suite('domain: contracts, starving')

const many = async (owner: Client, slug: string, { count, definition }: { count: number; definition: object }) => {
  for (let i = 0; i < count; i += 50) {
    await Promise.all(
      Array.from({ length: Math.min(50, count - i) }, () =>
        owner.call('contracts.custom', { slug, definition, start: true }),
      ),
    )
  }
}

/** Another account with a public machine. */
const other = async (it: TestNode, slug: string): Promise<Client> => {
  const client = it.as((await it.client.call('identity.sign-up', {})).api_key)
  await client.call('machines.create', { slug, is_public: true })
  return client
}

/** Slugs of the fires since a number of the feed, in the order of their commits. */
const firesSince = async ({ node: { store } }: TestNode, from: number): Promise<readonly string[]> => {
  const slugs: string[] = []
  let number = 0
  for await (const [, { slug, type }] of store.range('machineFeed')) {
    if (number >= from && type === 'contract_fire') slugs.push(slug)
    number += 1
  }
  return slugs
}

const sizeOf = ({ node: { store } }: TestNode): number => store.peek('machineTotal', 'all')?.entries ?? 0

test('of many that are due in one tick, those of others are in the first transactions', async () => {
  const at = await stage()
  await using it = at.it
  const trigger = { kind: 'one_shot', at_tick: it.node.store.now().meshTick + 2 }
  const definition = counting(trigger)
  await many(at.owner, 'open', { count: 300, definition })
  const slugs = ['one', 'two']
  for (const slug of slugs) await many(await other(it, slug), slug, { count: 1, definition })
  const from = sizeOf(it)
  await pass(it, 2)
  const fires = await firesSince(it, from)
  assert.equal(fires.length, 302)
  const places = slugs.map((slug) => fires.indexOf(slug))
  assert.ok(
    // Of one machine 32 are decided in a turn; then it is somebody else's.
    places.every((place) => place >= 0 && place < 34),
    places.join(),
  )
}, 20_000)

test('an owner who catches up with very much, or has a storm of events, leaves others their turn', async () => {
  using dir = tempDir()
  const LISTENERS = 40
  const EVENTS = 40
  const begun = async () => {
    const at = await stage({ directory: dir.path })
    await using it = at.it
    const events = { hit: { data: {} } }
    const hears = counting({ kind: 'event', event: 'hit', overlap: { queue: 100 } }, { events })
    await many(at.owner, 'open', { count: LISTENERS, definition: hears })
    const catchUp = { mode: 'all', window: 10_000, max: 100 }
    const catches = counting({ kind: 'recurring', every_ticks: 1, catchUp })
    await at.owner.call('machines.create', { slug: 'late', is_public: true })
    await many(at.owner, 'late', { count: 10, definition: catches })
    const at_tick = it.node.store.now().meshTick + 200
    const others = await other(it, 'others')
    await many(others, 'others', { count: 1, definition: counting({ kind: 'one_shot', at_tick }) })
    return { key: at.key, instant: it.node.store.now().instant }
  }
  const { key, instant } = await begun()
  await using it = await testNode({ directory: dir.path, start: instant + 210n * TICK_NS })
  const from = sizeOf(it)
  const owner = it.as(key)
  // All at once: the events are in a few transactions, and the tick is over while they are heard.
  const sent = Array.from({ length: EVENTS }, () =>
    owner.call('machines.event', { slug: 'open', type: 'hit', data: {} }),
  )
  await Promise.all([...sent, it.advanceTicks(1)])
  await it.node.services.contracts.idle()
  const fires = await firesSince(it, from)
  const counted = (slug: string): number => fires.filter((of) => of === slug).length
  assert.deepEqual([counted('open'), counted('late'), counted('others')], [LISTENERS * EVENTS, 1_000, 1])
  const place = fires.indexOf('others')
  const before = fires.slice(0, place)
  assert.ok(before.filter((of) => of === 'late').length < 32, `${place} of ${fires.length}`)
  assert.ok(before.filter((of) => of === 'open').length < (LISTENERS * EVENTS * 3) / 4, `${place} of ${fires.length}`)
}, 30_000)

test.run()
