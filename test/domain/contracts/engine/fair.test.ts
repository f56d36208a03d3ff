// Goal: nobody's contracts wait behind all of somebody else's. Method: the order of turns, and a queue of work whose
// pieces end when the test says so, are asked for owners with very many and with one.
import assert from 'node:assert/strict'
import { createRunQueue } from '#domain/contracts/engine/queue.ts'
import { inTurns } from '#domain/fair.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'

const test = suite('domain: contracts, fairness')

test('each owner’s n-th comes before anyone’s next, and nothing is lost', () => {
  const random = seeded(287)
  const items = Array.from({ length: 500 }, (_, i) => ({ i, owner: random.integer(0, 9) < 8 ? 'a' : `o${i % 7}` }))
  const ordered = inTurns(items, ({ owner }) => owner)
  assert.deepEqual(
    ordered.map(({ i }) => i).toSorted((a, b) => a - b),
    items.map(({ i }) => i),
  )
  const counts = new Map<string, number>()
  let round = 1
  for (const { owner } of ordered) {
    const count = (counts.get(owner) ?? 0) + 1
    counts.set(owner, count)
    assert(count >= round)
    round = count
  }
  assert.deepEqual(
    ordered.filter(({ owner }) => owner === 'a'),
    items.filter(({ owner }) => owner === 'a'),
  )
})

test('a queue runs no more than its bounds, gives everyone a turn, and runs again what came meanwhile', async () => {
  const running = new Map<string, PromiseWithResolvers<void>>()
  const begun: string[] = []
  const queue = createRunQueue({ most: 3, perOwner: 2 }, async (id) => {
    begun.push(id)
    const end = Promise.withResolvers<void>()
    running.set(id, end)
    await end.promise
    running.delete(id)
  })
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 8; i += 1) await undefined
  }
  for (const id of ['a1', 'a2', 'a3', 'a4']) queue.add(id, 'a')
  queue.add('b1', 'b')
  queue.add('c1', 'c')
  assert.deepEqual(begun, ['a1', 'a2', 'b1'])
  running.get('a1')?.resolve()
  await settle()
  // One of `a` is under way, but `c` waits longer for a turn than `a` does for its third.
  assert.equal(begun.length, 4)
  queue.add('b1', 'b')
  running.get('b1')?.resolve()
  await settle()
  let over = false
  void queue.over('b1').then(() => {
    over = true
  })
  while (running.size > 0) {
    for (const end of [...running.values()]) end.resolve()
    await settle()
  }
  await settle()
  assert.deepEqual(begun.toSorted(), ['a1', 'a2', 'a3', 'a4', 'b1', 'b1', 'c1'])
  assert.deepEqual([over, queue.size], [true, 0])
})

test.run()
