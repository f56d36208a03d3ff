// Goal: whoever watches a machine learns whether it still writes, and for how long it has not. Method: a real store
// with a clock moved by hand, over the edge of the window, a pause and a stranger; and the endpoint once over HTTP.
import assert from 'node:assert/strict'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { newAccount, openHouse, refusal } from '../house.ts'

const test = suite('machines: awareness')

/** Ticks that count as now. */
const WINDOW = 60

test('a machine is aware while it is active and its newest entry is no older than the window', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller } = await newAccount(house)
  await house.machines.create(caller, { slug: 'pump', is_public: false })
  const asking = { caller, slug: 'pump' }
  const look = async () => {
    const { aware, silent_ticks } = await house.machines.awareness(asking)
    return [aware, silent_ticks]
  }
  assert.deepEqual(await look(), [true, 0])
  house.clock.advanceTicks(WINDOW - 1)
  assert.deepEqual(await look(), [true, WINDOW - 1])
  house.clock.advanceTicks(1)
  assert.deepEqual(await look(), [false, WINDOW])
  await house.machines.event({ ...asking, scope: 'test', idempotencyKey: undefined }, { type: 'reading' })
  assert.deepEqual(await look(), [true, 0])
  await house.machines.setStatus(asking, 'paused')
  const { last_tick, head, ...rest } = await house.machines.awareness(asking)
  assert.deepEqual(rest, {
    ...{ slug: 'pump', status: 'paused', aware: false, silent_ticks: 0, window_ticks: WINDOW },
    ...{ contracts: { live: 0, paused: 0, frozen: 0 }, next_due_mesh_tick: null, pages: 0 },
  })
  const row = house.store.peek('machineHead', 'pump')!
  assert.deepEqual(head, { seq: row.size - 1, hash: row.hash })
  assert.equal(last_tick, house.store.now().tick)
  const { caller: stranger } = await newAccount(house)
  assert.equal((await refusal(async () => house.machines.awareness({ ...asking, caller: stranger }))).code, 'NOT_FOUND')
})

test('the endpoint says the same to anyone, of a public machine', async () => {
  await using node = await testNode()
  const { api_key } = await node.client.call('identity.sign-up', {})
  await node.as(api_key).call('machines.create', { slug: 'pump', is_public: true })
  await node.advanceTicks(WINDOW + 1)
  const view = await node.client.call('machines.awareness', { slug: 'pump' })
  assert.deepEqual([view.ok, view.aware, view.silent_ticks], [true, false, WINDOW + 1])
})

test.run()
