/*
 * Goal: what nodes say of themselves slows down with their number, and strangers' ids slow it down no further than the
 * setting. Method: the rule of protocol.md (Scale) in numbers, then a service that hears of many nodes.
 */
import assert from 'node:assert/strict'
import { createHeard, headEveryTicks, presenceEveryTicks } from '#domain/network/pace.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { author, body, handshake, party } from './party.ts'

const test = suite('domain/network: pace')
const random = seeded()

test('a head every ceil(n/128) ticks, a presence every 16 times that', () => {
  const paces = [0, 1, 128, 129, 256, 257, 400, 8_192].map((n) => [headEveryTicks(n), presenceEveryTicks(n)])
  assert.deepEqual(paces, [
    [1, 16],
    [1, 16],
    [1, 16],
    [2, 32],
    [2, 32],
    [3, 48],
    [4, 64],
    [64, 1_024],
  ])
})

test('a node counts for 1,287 ticks after it was heard of, and of more than fit the newest count', () => {
  const heard = createHeard(3)
  heard.note('a', 10)
  heard.note('b', 11)
  heard.note('a', 12)
  assert.deepEqual([heard.count(12), heard.count(11 + 1_286)], [2, 2])
  assert.deepEqual([heard.count(11 + 1_287), heard.count(12 + 1_287)], [1, 0])
  for (const [i, node] of ['a', 'b', 'c', 'd'].entries()) heard.note(node, 2_000 + i)
  // `a` gave way: it is `b` that goes next.
  assert.deepEqual([heard.count(2_000 + 1_287), heard.count(2_001 + 1_287)], [3, 2])
})

for (const { meshSize, heads, presences } of [
  { meshSize: 4_096, heads: 16, presences: 1 },
  { meshSize: 128, heads: 48, presences: 3 },
]) {
  test(`of 300 nodes heard of and at most ${meshSize} reckoned with: heads and presence of 48 ticks`, async () => {
    let note: string | undefined
    using it = party(random, { meshSize, ownHead: () => note })
    for (let i = 0; i < 300; i++) {
      const bytes = body(author(random).presence(it.meshTick()))
      const header = handshake(it.node, it.meshTick(), bytes)
      assert.equal(it.network.receive(bytes, { kind: 'http', handshake: header }).status, 'received')
    }
    // What came in by HTTP went out again.
    it.sent.length = 0
    const self = author(random)
    const channels: string[] = []
    for (let tick = 0; tick < 48; tick++) {
      it.clock.advanceTicks(1)
      note = self.note(tick + 1, 7)
      it.network.peering.beat()
      // What the beat says is signed first and sent later; this queues behind it.
      await it.network.announce('presence', { addresses: [], genesisTick: 0, registry_version: '', version: '0' })
      it.sent.pop()
      channels.push(...it.sent.map(({ channel }) => channel))
      it.sent.length = 0
    }
    const count = (channel: string): number => channels.filter((one) => one === channel).length
    assert.deepEqual([count('head'), count('event')], [heads, presences])
  })
}

test.run()
