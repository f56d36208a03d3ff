// Goal: a channel that ticks by itself seals each due tick of its own grid once; what was late, slept through,
// starved or stopped is one visible gap, counted and never filled; and a restart neither doubles nor loses anything.
// Method: a real node whose clock is moved by hand, tick by tick or by leaps; the chain says what came of it, and the
// whole store is checked after the node has ended.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TICK_SECONDS } from '#core/tick.ts'
import { MS_PER_SECOND } from '#core/time.ts'
import { CHANNELS_PER_OWNER_MAX } from '#domain/channels/types.ts'
import { NodeRefusal } from '#gateway/client.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { accountOf, codeOf, entriesOf, heardFrom, RADIUS, soundStore, tickBy } from './channel-kit.ts'

const test = suite('domain: channels that tick by themselves')

const meshTickOf = ({ node }: TestNode): number => node.store.now().meshTick

test('every due tick is sealed once, on the grid of the creation', async () => {
  using dir = tempDir()
  {
    await using it = await testNode({ directory: dir.path })
    const { client } = await accountOf(it)
    const born = meshTickOf(it)
    const { stream } = await client.call('compute.stream-create', { ...RADIUS, autotick: true, tickIntervalTicks: 3 })
    const { stream: still } = await client.call('compute.stream-create', RADIUS)
    assert.equal(stream.next_due, born + 3)
    await tickBy(it, 10)
    const { stream: now } = await client.call('compute.stream', { id: stream.id })
    assert.partialDeepStrictEqual(now, { count: 3, sealed: 3, missed: 0, next_due: born + 12 })
    assert.equal(now.head?.mesh_tick, born + 9)
    assert.equal((await client.call('compute.stream', { id: still.id })).stream.count, 0)
    assert.deepEqual(await entriesOf(it, 'stream_gap'), [])
    await client.call('compute.stream-patch', { id: stream.id, autotick: false })
    await tickBy(it, 6)
    assert.equal((await client.call('compute.stream', { id: stream.id })).stream.count, 3)
  }
  await soundStore(dir.path)
})

/** The gaps of all channels, as the chain tells them. */
const gaps = async (it: TestNode) =>
  (await entriesOf(it, 'stream_gap')).map(({ from_mesh, to_mesh, missed, reason }) => [
    ...[from_mesh, to_mesh, missed, reason],
  ])

test('what is late is one gap for each run; after a hole, or a restart, it says that the node was away', async () => {
  using dir = tempDir()
  let id = ''
  let born = 0
  let key = ''
  {
    await using it = await testNode({ directory: dir.path })
    const account = await accountOf(it)
    key = account.key
    const { client } = account
    born = meshTickOf(it)
    const { stream } = await client.call('compute.stream-create', { ...RADIUS, autotick: true })
    id = stream.id
    await tickBy(it, 2)
    const heard = heardFrom(it)
    // Ticks 3 to 5 pass while the node is busy with something else, and the 6th is sealed.
    it.passTicks(3)
    await tickBy(it, 1)
    assert.deepEqual(await gaps(it), [[born + 3, born + 5, 3, 'late']])
    assert.deepEqual(
      heard.map(({ kind }) => kind),
      ['gap', 'tick'],
    )
    it.passTicks(20)
    await tickBy(it, 1)
    assert.deepEqual((await gaps(it)).at(-1), [born + 7, born + 26, 20, 'down'])
    await tickBy(it, 2)
  }
  await soundStore(dir.path)
  {
    const start = BigInt(born + 100) * 777_000_777n + 1_000n
    await using it = await testNode({ directory: dir.path, start })
    await tickBy(it, 1)
    const { stream } = await it.as(key).call('compute.stream', { id })
    const all = await gaps(it)
    assert.deepEqual([all.length, all.at(-1)?.[3], all.at(-1)?.[0]], [3, 'down', born + 30])
    assert.equal(
      stream.missed,
      all.reduce((sum, [, , missed]) => sum + Number(missed), 0),
    )
    assert.equal(stream.count, 2 + 1 + 1 + 2 + 1)
  }
  await soundStore(dir.path)
})

test('an owner without credits starves a channel, visibly, and it goes on with the credits', async () => {
  using dir = tempDir()
  {
    await using it = await testNode({ directory: dir.path })
    const heard = heardFrom(it)
    const { client, zid } = await accountOf(it)
    const { stream } = await client.call('compute.stream-create', { ...RADIUS, autotick: true })
    const { free, paid } = await client.call('economy.credits', {})
    const enough = Math.floor(free / stream.price) + Math.floor(paid / stream.price)
    await tickBy(it, enough + 4)
    const { stream: starved } = await client.call('compute.stream', { id: stream.id })
    assert.partialDeepStrictEqual(starved, { status: 'starved', count: enough, missed: 3 })
    assert.equal(starved.last_fault?.code, 'INSUFFICIENT_BALANCE')
    assert.deepEqual(
      heard.filter(({ kind }) => kind !== 'tick').map(({ kind }) => kind),
      ['starved'],
    )
    assert.deepEqual(
      (await entriesOf(it, 'stream_status')).map(({ status }) => status),
      ['starved'],
    )
    const owner = it.as(readFileSync(join(it.directory, 'owner.key'), 'utf8').trim())
    await owner.call('economy.grant', { zid, credits: 100 })
    await tickBy(it, 2)
    const { stream: now } = await client.call('compute.stream', { id: stream.id })
    assert.partialDeepStrictEqual(now, { status: 'open', count: enough + 2, missed: 4 })
    assert.deepEqual(
      (await entriesOf(it, 'stream_gap')).map(({ reason, missed }) => [reason, missed]),
      [['starved', 4]],
    )
  }
  await soundStore(dir.path)
}, 120_000)

test('five refused ticks stop it; what it missed since is said when it goes on', async () => {
  using dir = tempDir()
  {
    await using it = await testNode({ directory: dir.path })
    const { client } = await accountOf(it)
    const inputs = { mass: { $: 'count < 3 ? 1e30 : 0.0 - 1.0' } }
    const order = { operators: [...RADIUS.operators], inputs, autotick: true }
    const { stream } = await client.call('compute.stream-create', order)
    await tickBy(it, 10)
    const { stream: stopped } = await client.call('compute.stream', { id: stream.id })
    assert.partialDeepStrictEqual(stopped, { status: 'stopped', count: 2, refusals: 5 })
    await client.call('compute.stream-patch', { id: stream.id, inputs: RADIUS.inputs, status: 'open' })
    await tickBy(it, 2)
    const { stream: now } = await client.call('compute.stream', { id: stream.id })
    assert.partialDeepStrictEqual(now, { status: 'open', count: 4, refusals: 0, missed: 8 })
    const gaps = (await entriesOf(it, 'stream_gap')).map(({ reason, missed }) => [reason, missed])
    assert.deepEqual(gaps, [
      ['refused', 5],
      ['stopped', 3],
    ])
  }
  await soundStore(dir.path)
})

test('what was refused, what was late and what passed while the node was away are gaps of their own', async () => {
  using dir = tempDir()
  let born = 0
  let id = ''
  const order = { operators: [...RADIUS.operators], inputs: { mass: { $: 'count < 3 ? 1e30 : 0.0 - 1.0' } } }
  const mended = { inputs: RADIUS.inputs } as const
  let key = ''
  {
    await using it = await testNode({ directory: dir.path })
    const account = await accountOf(it)
    key = account.key
    const { client } = account
    born = meshTickOf(it)
    const { stream } = await client.call('compute.stream-create', { ...order, autotick: true })
    id = stream.id
    const heard = heardFrom(it)
    // Ticks 1 and 2 are sealed; 3 and 4 refused; 5 and 6 pass unseen; 7 is refused.
    await tickBy(it, 4)
    it.passTicks(2)
    await tickBy(it, 1)
    assert.deepEqual(await gaps(it), [
      [born + 3, born + 4, 2, 'refused'],
      [born + 5, born + 6, 2, 'late'],
    ])
    // A refusal by hand is of no due tick.
    assert.notEqual(await codeOf(client.call('compute.stream-tick', { id })), 'ok')
    assert.equal((await client.call('compute.stream', { id })).stream.missed, 4)
    await client.call('compute.stream-patch', { id, ...mended })
    await tickBy(it, 1)
    assert.deepEqual((await gaps(it)).slice(2), [[born + 7, born + 7, 1, 'refused']])
    assert.deepEqual(
      heard.flatMap((it) => (it.kind === 'gap' ? [it.reason] : [])),
      ['refused', 'late', 'refused'],
    )
    await client.call('compute.stream-patch', { id, inputs: { mass: { $: 'count < 4 ? 1e30 : 0.0 - 1.0' } } })
    await tickBy(it, 1)
  }
  await soundStore(dir.path)
  {
    const start = BigInt(born + 100) * 777_000_777n + 1_000n
    await using it = await testNode({ directory: dir.path, start })
    await it.as(key).call('compute.stream-patch', { id, ...mended })
    await tickBy(it, 1)
    const [refused, away] = (await gaps(it)).slice(3)
    assert.deepEqual(refused, [born + 9, born + 9, 1, 'refused'])
    assert.deepEqual([away?.[0], away?.[3]], [born + 10, 'down'])
    const { stream } = await it.as(key).call('compute.stream', { id })
    assert.equal(stream.missed, 6 + Number(away?.[2]))
  }
  await soundStore(dir.path)
})

test('what was refused in one rhythm says nothing of the due ticks of another', async () => {
  using dir = tempDir()
  {
    await using it = await testNode({ directory: dir.path })
    const { client } = await accountOf(it)
    const born = meshTickOf(it)
    const inputs = { mass: { $: 'count < 2 ? 1e30 : 0.0 - 1.0' } }
    const { stream } = await client.call('compute.stream-create', { ...RADIUS, inputs, autotick: true })
    const { id } = stream
    // Tick 1 is sealed, 2 to 4 are refused; from now on 5, 10 and 15 are due, of which the first two pass unseen.
    await tickBy(it, 4)
    await client.call('compute.stream-patch', { id, inputs: RADIUS.inputs, tickIntervalTicks: 5 })
    it.passTicks(10)
    await tickBy(it, 1)
    assert.deepEqual(await gaps(it), [
      [born + 2, born + 4, 3, 'refused'],
      [born + 5, born + 10, 2, 'down'],
    ])
    const { stream: now } = await client.call('compute.stream', { id })
    assert.partialDeepStrictEqual(now, { status: 'open', count: 2, missed: 5, next_due: born + 20 })
  }
  await soundStore(dir.path)
})

test('whatever its ticks are refused for, a channel can be told to ask for none by itself', async () => {
  await using it = await testNode()
  const { client } = await accountOf(it)
  const inputs = { mass: { $: `tick > ${meshTickOf(it) + 2} ? 0.0 - 1.0 : 1e30` } }
  const { stream } = await client.call('compute.stream-create', { ...RADIUS, inputs, autotick: true })
  const { id } = stream
  const patch = (change: object) => codeOf(client.call('compute.stream-patch', { id, ...change }))
  await tickBy(it, 4)
  assert.equal(await patch({ autotick: false }), 'ok')
  await tickBy(it, 4)
  const { stream: now } = await client.call('compute.stream', { id })
  assert.partialDeepStrictEqual(now, { status: 'open', autotick: false, count: 2, refusals: 2, missed: 2 })
  // Whatever else it is to do is tried, as ever.
  assert.equal(await patch({ autotick: true }), 'OUT_OF_RANGE')
  assert.equal(await patch({ autotick: false, inputs }), 'OUT_OF_RANGE')
})

test('beyond what the threads can do a channel is refused with both numbers', async () => {
  await using it = await testNode()
  const { client } = await accountOf(it)
  const heavy = { solver: 'heat', inputs: { dim: 1 }, autotick: true }
  let made = 0
  const refusal = async (): Promise<NodeRefusal> => {
    for (; made < CHANNELS_PER_OWNER_MAX; made++) {
      try {
        await client.call('compute.stream-create', heavy)
      } catch (cause) {
        if (cause instanceof NodeRefusal) return cause
        throw cause
      }
    }
    throw new Error('none was refused')
  }
  const { code, status, problem } = await refusal()
  assert.deepEqual([code, status, made > 0], ['CAPACITY_EXCEEDED', 503, true])
  const [needed, free] = [Number(problem['needed_ms']), Number(problem['free_ms'])]
  assert(needed > free && free >= 0, `${needed} ${free}`)
  assert.match(problem.detail, /of the threads that compute/)
  // What was let in has taken the rest, each as much as this one asks for, of so many whole threads.
  const threads = (free + made * needed) / (0.6 * TICK_SECONDS * MS_PER_SECOND)
  assert(threads > 0.5 && Math.abs(threads - Math.round(threads)) < 1e-9, `${made} ${needed} ${free}`)
  const idle = { ...heavy, autotick: false }
  const { stream } = await client.call('compute.stream-create', idle)
  assert.equal(
    await codeOf(client.call('compute.stream-patch', { id: stream.id, autotick: true })),
    'CAPACITY_EXCEEDED',
  )
  const rare = { id: stream.id, autotick: true, tickIntervalTicks: 100_000 }
  assert.equal(await codeOf(client.call('compute.stream-patch', rare)), 'ok')
})

test.run()
