// Goal: how long the disk lasts follows the channels that tick by themselves and the size of this very store. Method:
// stores of known sizes, and a real node whose channels are made, slowed and switched off.
import assert from 'node:assert/strict'
import { statfsSync } from 'node:fs'
import { TICK_SECONDS } from '#core/tick.ts'
import type { StandingChannel } from '#domain/channels/channel-store.ts'
import { channelLoad } from '#domain/channels/load.ts'
import { growthOf } from '#domain/explorer/growth.ts'
import { readGrowth } from '#node/growth.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { accountOf, RADIUS, tickBy } from './channel-kit.ts'

const test = suite('domain/channels/growth')

const DAY_TICKS = 86_400 / TICK_SECONDS
const GB = 1e9

test('a store of nothing but ticks is divided by them; in another a tick takes no more than its leaves', () => {
  const load = { ticking: 1_000, ticksPerDay: 1_000 * DAY_TICKS, sealed: 1_000_000 }
  const ofTicks = growthOf(load, { bytes: 7 * GB, leaves: 1_010_000, free: 776 * GB })
  assert.equal(ofTicks.bytes_per_tick, 7_000)
  assert(ofTicks.measured && Math.abs((ofTicks.days ?? 0) - 0.997) < 0.001, JSON.stringify(ofTicks))
  const alone = growthOf({ ...load, sealed: 10_000 }, { bytes: GB / 4, leaves: 30_000, free: GB })
  assert.equal(alone.bytes_per_tick, 25_000)
  const ofBatches = growthOf({ ...load, sealed: 100 }, { bytes: 10 * GB, leaves: 5_000_000, free: GB })
  assert.equal(ofBatches.bytes_per_tick, 6_000)
  const twice = growthOf(load, { bytes: 14 * GB, leaves: 1_010_000, free: 776 * GB })
  assert.equal(twice.days, (ofTicks.days ?? 0) / 2)
})

test('a channel that starves, is stopped or ticks when asked seals nothing by itself', () => {
  const at = (status: string, autotick = true) => ({ row: { autotick, interval: 2 }, head: { status, sealed: 3 } })
  const all = [at('open'), at('starved'), at('stopped'), at('closed'), at('open', false)]
  const { ticking, ticksPerDay, sealed } = channelLoad(all as unknown as readonly StandingChannel[])
  assert.deepEqual([ticking, ticksPerDay, sealed], [1, DAY_TICKS / 2, 15])
})

test('a small store guesses, and without a channel that ticks nothing is forecast', () => {
  const none = { ticking: 0, ticksPerDay: 0, sealed: 0 }
  const size = { bytes: 3_000_000, leaves: 200, free: GB }
  const { measured, bytes_per_tick: perTick, days } = growthOf({ ...none, ticking: 1, ticksPerDay: 100 }, size)
  assert.deepEqual([measured, perTick, days], [false, 7_000, GB / 700_000])
  assert.equal(growthOf(none, size).days, null)
  assert.equal(growthOf(none, { ...size, leaves: 0, bytes: 0 }).days, null)
})

test('the node adds up who ticks, tells it in its status, and its data say the same when it has stopped', async () => {
  using dir = tempDir()
  const directory = `${dir.path}/data`
  {
    await using it = await testNode({ directory })
    const { client } = await accountOf(it)
    const growth = async () => (await it.client.call('explorer.status', {})).storage.growth
    const perDay = (shares: number, { ticks_per_day: found }: { readonly ticks_per_day: number }): void =>
      assert(Math.abs(found / DAY_TICKS - shares) < 1e-9, `${found / DAY_TICKS}`)
    const auto = (tickIntervalTicks: number) =>
      client.call('compute.stream-create', { ...RADIUS, autotick: true, tickIntervalTicks })
    await client.call('compute.stream-create', RADIUS)
    assert.deepEqual([(await growth()).channels, (await growth()).days], [0, null])
    const { stream } = await auto(4)
    await auto(2)
    const both = await growth()
    assert.deepEqual([both.channels, both.measured, both.bytes_per_tick], [2, false, 7_000])
    perDay(0.75, both)
    const text = await (await fetch(new URL('/metrics', it.url))).text()
    assert.equal(/^tickmesh_streams_bytes_per_day (\S+)$/m.exec(text)?.[1], String(both.bytes_per_day))
    const { bavail, bsize } = statfsSync(directory)
    const days = (bavail * bsize) / (both.ticks_per_day * 7_000)
    assert(both.days !== null && Math.abs(both.days / days - 1) < 0.01, `${both.days} ${days}`)
    await client.call('compute.stream-patch', { id: stream.id, tickIntervalTicks: 8 })
    perDay(0.625, await growth())
    await tickBy(it, 8)
    await client.call('compute.stream-patch', { id: stream.id, autotick: false })
    perDay(0.5, await growth())
  }
  const stopped = await readGrowth(directory)
  assert.equal(stopped?.channels, 1)
  assert(Math.abs((stopped?.ticks_per_day ?? 0) / DAY_TICKS - 0.5) < 1e-9)
  assert.equal(await readGrowth(`${dir.path}/none`), undefined)
})

test.run()
