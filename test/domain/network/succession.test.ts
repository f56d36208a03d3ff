// Goal: a succession reaches the others by gossip and by the event logs, and from then on the old key is silent;
// halves, forgeries and rivals change nothing or, where a key is in two hands, leave nobody in its place. Method:
// network services with stores, given real documents of logs that ended; every order of arrival is tried.
import assert from 'node:assert/strict'
import { toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import type { MeshEvent } from '#core/events.ts'
import { eventsLogName, logName } from '#core/ids.ts'
import { emptyRoot } from '#core/merkle.ts'
import { createStanding } from '#domain/network/standing.ts'
import { isTooLate, successorOf, supersededUpTo } from '#domain/network/succession.ts'
import { originHash } from '#domain/network/witness/evidence.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { SUCCESSORS_MAX } from '#store/rows/era.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { EVENTS, eventOf, GENESIS, keyOf, listener, passOn, payloadOf } from './succession-kit.ts'

const test = suite('domain/network: succession')
const random = seeded()
test('heard from the old key or the new one, it silences the old one, and the peers know who follows', async () => {
  for (const teller of ['old', 'new'] as const) {
    using dir = tempDir()
    const [a, b] = [keyOf(random), keyOf(random)]
    {
      await using it = await listener(random, dir.path)
      const now = it.meshTick()
      const proven = passOn(a, b)
      const presence = { addresses: [], genesisTick: 1, registry_version: 'r', version: '1' }
      const here = (tick: number): MeshEvent => eventOf(a, presence, { type: 'presence', tick })
      assert.equal(it.hear(here(now)).status, 'received')
      const by = teller === 'old' ? a : b
      assert.equal(
        it.hear(eventOf(by, payloadOf(a, proven), { tick: now, seq: teller === 'old' ? EVENTS : 0 })).status,
        'received',
      )
      await it.settled()
      assert.equal(successorOf(it.store, a.node), b.node)
      assert.equal(successorOf(it.store, b.node), undefined)
      assert.equal(it.network.peers().find((peer) => peer.node === a.node)?.superseded_by, b.node)
      const late = it.hear(here(now + 1))
      assert.deepEqual([late.status, late.status === 'dropped' && late.reason], ['dropped', 'refused'])
      assert.equal(it.hear(eventOf(b, presence, { type: 'presence', tick: now })).status, 'received')

      const standing = createStanding(it.store, undefined, 'open')
      const seal = standing(logName(a.node, GENESIS))
      assert.deepEqual(seal, { counts: true, up_to: 3, because: 'superseded' })
      assert.equal(standing(eventsLogName(a.node, GENESIS)).up_to, EVENTS + 1)
      assert.deepEqual(standing(logName(a.node, 7)), { counts: false, up_to: 0, because: 'superseded' })
      assert.equal(standing(logName(b.node, GENESIS)).up_to, null)
      const row = it.store.peek('successor', a.node)
      assert.ok(!isTooLate(row, { type: 'evidence', seq: EVENTS - 1 }))
      assert.ok(isTooLate(row, { type: 'evidence', seq: EVENTS }))
      assert.ok(!isTooLate(row, { type: 'succession', seq: EVENTS }))
    }
    assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
  }
})

test('halves, forgeries and words of third parties are dropped and change nothing', async () => {
  using dir = tempDir()
  await using it = await listener(random, dir.path)
  const tick = it.meshTick()
  const [a, b, c] = [keyOf(random), keyOf(random), keyOf(random)]
  const proven = passOn(a, b)
  const good = payloadOf(a, proven)
  const wrong: readonly MeshEvent[] = [
    eventOf(c, good, { tick }),
    eventOf(a, good, { tick, seq: EVENTS - 1 }),
    eventOf(a, payloadOf(a, { ...proven, new_signature: proven.old_signature }), { tick, seq: EVENTS }),
    eventOf(a, payloadOf(a, { ...proven, old_signature: passOn(a, c).old_signature }), { tick, seq: EVENTS }),
    eventOf(a, payloadOf(a, { ...proven, succession: { ...proven.succession, size: 99 } }), { tick, seq: EVENTS }),
    eventOf(b, payloadOf(c, proven), { tick }),
    eventOf(b, payloadOf(a, { ...proven, path: [] }), { tick }),
    eventOf(b, { ...(good as object), more: 1 } as Json, { tick }),
    eventOf(b, proven as unknown as Json, { tick }),
    { ...eventOf(b, good, { tick }), sourceNodeId: a.node, seq: EVENTS },
  ]
  for (const event of wrong) assert.equal(it.hear(event).status, 'dropped', JSON.stringify(event).slice(0, 200))
  await it.settled()
  assert.equal(it.store.peek('successor', a.node), undefined)
  assert.equal(it.store.peek('successorCount', 'all'), undefined)
})

test('a key in two hands has no successor, and what counts is the shorter, whatever comes first', async () => {
  const [a, b, c, d] = [keyOf(random), keyOf(random), keyOf(random), keyOf(random)]
  const tellers = [
    [b, passOn(a, b, 5), 5],
    [c, passOn(a, c, 2), 4],
    [d, passOn(a, d, 4), 6],
  ] as const
  const orders = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
    [0, 0, 1, 2, 2],
  ]
  const found = new Set<string>()
  for (const order of orders) {
    using dir = tempDir()
    await using it = await listener(random, dir.path)
    for (const i of order) {
      const [by, proven, events] = tellers[i] as (typeof tellers)[number]
      it.hear(eventOf(by, payloadOf(a, proven, events), { tick: it.meshTick() }))
      await it.settled()
    }
    assert.equal(successorOf(it.store, a.node), undefined)
    assert.equal(it.store.peek('successorCount', 'all'), 1)
    found.add(JSON.stringify(it.store.peek('successor', a.node)))
    assert.ok((supersededUpTo(it.store, logName(a.node, GENESIS)) ?? 9) <= 4)
  }
  assert.equal(found.size, 1)
})

test('the place for successions is bounded; known keys are still minded when it is full', async () => {
  using dir = tempDir()
  await using it = await listener(random, dir.path)
  await it.store.commit((tx) => tx.put('successorCount', 'all', SUCCESSORS_MAX))
  const [a, b] = [keyOf(random), keyOf(random)]
  it.hear(eventOf(b, payloadOf(a, passOn(a, b)), { tick: it.meshTick() }))
  await it.settled()
  assert.equal(successorOf(it.store, a.node), undefined)
  assert.equal(it.store.peek('successorCount', 'all'), SUCCESSORS_MAX)
  const [c, d] = [keyOf(random), keyOf(random)]
  const origin = logName(c.node, GENESIS)
  const row = { origin, size: 0, root: toHex(emptyRoot()), note: '' }
  await it.store.commit((tx) => tx.put('witnessed', originHash(origin), row))
  it.hear(eventOf(d, payloadOf(c, passOn(c, d)), { tick: it.meshTick() }))
  await it.settled()
  assert.equal(successorOf(it.store, c.node), d.node, 'for a log that is known here there is room')
  assert.equal(it.store.peek('successorCount', 'all'), SUCCESSORS_MAX + 1)
})

test.run()
