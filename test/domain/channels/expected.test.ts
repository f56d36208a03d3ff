// Goal: what a channel that ticks by itself is expected to take, before its first tick was measured, is what its own
// closed form takes here and no number for all of them; a heavier one has its own price, and so have other inputs.
// Method: a compute domain whose clock moves by so much at each look, so that a measurement is a number that the test
// owns; and real nodes that take channels until they refuse.
import assert from 'node:assert/strict'
import { assertCapacity, createSealPace } from '#domain/channels/admission.ts'
import type { StandingChannel } from '#domain/channels/channel-store.ts'
import type { HeldOrder } from '#domain/compute/held.ts'
import { fixedClock, START } from '../../kit/clock.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { openComputeHouse, stranger } from '../compute/house.ts'
import { accountOf, codeOf, RADIUS, tickBy } from './channel-kit.ts'

const test = suite('domain: what channels are expected to take')

const NS_PER_MS = 1_000_000n

test('a closed form is expected to take what it takes here, and a solver what its kind does', async () => {
  using dir = tempDir()
  let [now, step] = [START, 0n]
  const clock = {
    ...fixedClock(),
    now: () => {
      now += step
      return now
    },
  }
  await using house = await openComputeHouse(dir.path, { clock })
  const { held } = house.compute
  const msOf = async (order: HeldOrder): Promise<number> =>
    1_000 * (await held.measuredSecondsOf(held.prepare(order, stranger), order, stranger))
  const solver: HeldOrder = { solver: 'heat', inputs: { dim: 1 } }
  const forecast = await msOf(solver)
  step = 250n * NS_PER_MS
  assert.equal(await msOf(RADIUS), 250)
  assert.equal(await msOf(solver), forecast)
  step = 2n * NS_PER_MS
  assert.equal(await msOf(RADIUS), 2)
  // What a thread computes is not run to see.
  const uncertain: HeldOrder = { operators: [...RADIUS.operators], inputs: { mass: '1e30 ± 1e28' } }
  const thread = held.prepare(uncertain, stranger)
  assert.equal(thread.atOnce, undefined)
  assert.equal(await msOf(uncertain), 1_000 * held.secondsOf(thread))
})

test('a heavy closed form is refused where a light one has room, whatever is paid for them', () => {
  const light = { id: 'light', interval: 1, solver: null, expected_ms: 0.05 }
  const heavy = { ...light, id: 'heavy', expected_ms: 150 }
  const standing = [1, 2, 3].map((i) => ({
    row: { ...heavy, id: `heavy-${i}`, autotick: true },
    head: { status: 'open', took_ms: null },
  })) as unknown as readonly StandingChannel[]
  const capacity = { channels: { all: () => standing }, threads: 2, seals: createSealPace() }
  assertCapacity(capacity, light, null)
  assert.throws(() => assertCapacity(capacity, heavy, null), { code: 'CAPACITY_EXCEEDED' })
})

test('three hundred channels of a closed form that are made in one go are all taken', async () => {
  await using it = await testNode({ settings: { 'limits.keyCallsPerMinute': 1_000_000 } })
  const { client } = await accountOf(it)
  const codes = new Set<string>()
  for (let i = 0; i < 300; i++) {
    codes.add(await codeOf(client.call('compute.stream-create', { ...RADIUS, autotick: true })))
  }
  assert.deepEqual([...codes], ['ok'])
}, 120_000)

const SMALL = { solver: 'heat', inputs: { dim: 1, nx: 64, steps: 10 } } as const
const LARGE = { nx: 512, ny: 512, steps: 2_000 } as const

test('what was measured of light inputs lets no heavy ones in', async () => {
  await using it = await testNode()
  const { client } = await accountOf(it)
  const { stream } = await client.call('compute.stream-create', { ...SMALL, autotick: true })
  const { id } = stream
  await tickBy(it, 1)
  assert.notEqual((await client.call('compute.stream', { id })).stream.took_ms, null)
  const patch = (change: object) => codeOf(client.call('compute.stream-patch', { id, ...change }))
  assert.equal(await patch({ inputs: LARGE }), 'CAPACITY_EXCEEDED')
  assert.equal(await patch({ autotick: false }), 'ok')
  assert.equal(await patch({ inputs: LARGE }), 'ok')
  assert.equal((await client.call('compute.stream', { id })).stream.took_ms, null)
  assert.equal(await patch({ autotick: true }), 'CAPACITY_EXCEEDED')
  assert.equal(await patch({ autotick: true, inputs: SMALL.inputs }), 'ok')
})

test.run()
