// Goal: a machine has so many contracts and no more, however many calls ask at once. Method: a store whose index is
// nearly full, and places taken, given back and taken again.
import assert from 'node:assert/strict'
import { CONTRACTS_MAX, CONTRACTS_PER_MACHINE_MAX, createRooms } from '#domain/contracts/rooms.ts'
import { keyOf } from '#store/layout.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { codeOf, counter, leftIn, stageOf } from './contract-kit.ts'

const test = suite('domain: contracts, places')

test('the last places are given once each, and refused ones come back', async () => {
  await using node = await testNode()
  const { store } = node.node
  await store.commit((tx) => {
    for (let i = 0; i < CONTRACTS_PER_MACHINE_MAX - 2; i += 1) tx.put('contractOf', keyOf('full', `c${i}`), `c${i}`)
  })
  const rooms = createRooms(store)
  await rooms.look('full')
  const full = { code: 'CAPACITY_EXCEEDED', details: { limit: CONTRACTS_PER_MACHINE_MAX } }
  rooms.take('full', 'a', 1)
  rooms.take('full', 'a', 1)
  rooms.take('full', 'b', 2)
  assert.throws(() => rooms.take('full', 'c', 3), full)
  rooms.settle('full', 'a', false)
  rooms.take('full', 'c', 3)
  rooms.settle('full', 'b', true)
  rooms.settle('full', 'c', true)
  assert.throws(() => rooms.take('full', 'd', 4), full)
  await rooms.look('empty')
  assert.throws(() => rooms.take('empty', 'a', CONTRACTS_MAX), { details: { limit: CONTRACTS_MAX } })
  rooms.take('empty', 'a', 0)
})

test('a full machine takes no contract more', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  await node.node.store.commit((tx) => {
    for (let i = 0; i < CONTRACTS_PER_MACHINE_MAX - 2; i += 1) tx.put('contractOf', keyOf('shut', `c${i}`), `c${i}`)
  })
  const make = () => codeOf(owner.call('contracts.custom', { slug: 'shut', definition: counter }))
  const codes = await Promise.all([make(), make(), make(), make()])
  assert.deepEqual(codes.toSorted(), ['CAPACITY_EXCEEDED', 'CAPACITY_EXCEEDED', 'ok', 'ok'])
  const before = await leftIn(node)
  assert.equal(await make(), 'CAPACITY_EXCEEDED')
  assert.equal(await leftIn(node), before)
})

test.run()
