// Goal: a channel ticks one count after another and no count twice, charges its owner alone, chains each tick to the
// one before it, and what is refused moves nothing; five refusals in a row stop it. Method: a real node; ticks by the
// owner and by the channel's key; the chain walked again by the pure walk, and the whole store checked once the node
// has ended.
import assert from 'node:assert/strict'
import { channelWalk } from '#core/channel/entries.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { accountOf, codeOf, entriesOf, heardFrom, RADIUS, soundStore } from './channel-kit.ts'

const test = suite('domain: ticks of channels')

test('ticks count up, each is one envelope of the owner and one entry that names the one before it', async () => {
  using dir = tempDir()
  {
    await using it = await testNode({ directory: dir.path })
    const heard = heardFrom(it)
    const { client, zid } = await accountOf(it)
    const { stream, key } = await client.call('compute.stream-create', RADIUS)
    assert.partialDeepStrictEqual(stream, { status: 'open', epoch: 1, count: 0, head: null, next_due: null, price: 3 })
    assert.equal(stream.tickIntervalTicks, 1)
    assert.match(stream.slug, /^channels-/)
    const channel = it.as(key)
    const before = await client.call('economy.credits', {})
    for (const [i, by] of [client, channel, channel].entries()) {
      const { stream: at, claim } = await by.call('compute.stream-tick', { id: stream.id })
      assert.deepEqual([at.epoch, at.count, claim?.zid], [1, i + 1, zid])
    }
    const { stream: now } = await channel.call('compute.stream', { id: stream.id })
    assert.partialDeepStrictEqual(now, { count: 3, sealed: 3, refusals: 0, last_fault: null })
    const walk = channelWalk()
    for (const body of await entriesOf(it, 'stream_tick')) assert.equal(walk.take('stream_tick', body), undefined)
    assert.deepEqual(walk.head, { epoch: 1, count: 3, state: now.head?.state })
    const ticks = heard.filter(({ kind }) => kind === 'tick')
    assert.deepEqual(
      ticks.map((it) => it.kind === 'tick' && it.count),
      [1, 2, 3],
    )
    const latest = await channel.call('compute.stream-latest', { id: stream.id })
    const last = ticks.at(-1)
    assert.deepEqual(latest, JSON.parse(last?.kind === 'tick' ? last.output : ''))
    const after = await client.call('economy.credits', {})
    assert.equal(before.free + before.paid - after.free - after.paid, 3 * stream.price)
  }
  await soundStore(dir.path)
})

test('of two at once one takes the tick and the other is told so; another count is taken too', async () => {
  await using it = await testNode()
  const { client } = await accountOf(it)
  const { stream } = await client.call('compute.stream-create', RADIUS)
  const tick = (count?: number) => client.call('compute.stream-tick', { id: stream.id, ...(count && { count }) })
  const both = await Promise.all([codeOf(tick()), codeOf(tick())])
  assert.deepEqual(both.toSorted(), ['TICK_TAKEN', 'ok'])
  assert.equal(await codeOf(tick(1)), 'TICK_TAKEN')
  assert.equal(await codeOf(tick(3)), 'TICK_TAKEN')
  assert.equal(await codeOf(tick(2)), 'ok')
  const once = { idempotencyKey: 'the-third' }
  const [one, two] = [
    await client.call('compute.stream-tick', { id: stream.id }, once),
    await client.call('compute.stream-tick', { id: stream.id }, once),
  ]
  assert.deepEqual([one.stream, one.envelope?.token_id], [two.stream, two.envelope?.token_id])
  assert.equal((await client.call('compute.stream', { id: stream.id })).stream.count, 3)
})

test('a refusal moves and charges nothing; five in a row stop it, and the owner lets it go on', async () => {
  using dir = tempDir()
  {
    await using it = await testNode({ directory: dir.path })
    const heard = heardFrom(it)
    const { client } = await accountOf(it)
    // From the third tick on there is no mass.
    const inputs = { mass: { $: 'count < 3 ? 1e30 : 0.0 - 1.0' } }
    const { stream } = await client.call('compute.stream-create', { operators: RADIUS.operators, inputs })
    const tick = () => codeOf(client.call('compute.stream-tick', { id: stream.id }))
    const before = [await tick(), await tick()]
    const credits = await client.call('economy.credits', {})
    const refused: string[] = []
    for (let i = 0; i < 5; i++) refused.push(await tick())
    assert.deepEqual(before, ['ok', 'ok'])
    assert.equal(new Set(refused).size, 1)
    assert.notEqual(refused[0], 'ok')
    const { stream: now } = await client.call('compute.stream', { id: stream.id })
    assert.partialDeepStrictEqual(now, { status: 'stopped', count: 2, refusals: 5 })
    assert.equal(now.last_fault?.code, refused[0])
    assert.equal(await tick(), 'CHANNEL_CLOSED')
    const after = await client.call('economy.credits', {})
    assert.deepEqual([after.free, after.paid], [credits.free, credits.paid])
    await client.call('compute.stream-patch', { id: stream.id, status: 'open', inputs: RADIUS.inputs })
    assert.equal(await tick(), 'ok')
    await client.call('compute.stream-close', { id: stream.id })
    assert.equal(await tick(), 'CHANNEL_CLOSED')
    const said = (await entriesOf(it, 'stream_status')).map(({ status }) => status)
    assert.deepEqual(said, ['stopped', 'open', 'closed'])
    assert.deepEqual(
      heard.filter(({ kind }) => kind !== 'tick').map(({ kind }) => kind),
      ['stopped', 'closed'],
    )
  }
  await soundStore(dir.path)
})

test.run()
