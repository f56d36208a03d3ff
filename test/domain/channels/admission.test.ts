// Goal: a channel that ticks by itself is let in as long as the threads have time to compute it and the loop to seal
// it, both as measured; beyond that it is refused with what it needs and what is free. Method: figures put in by hand;
// and a real node whose clock moves on with each reading while it seals, as that of a slow machine does.
import assert from 'node:assert/strict'
import type { Fault } from '#core/fault.ts'
import { TICK_SECONDS } from '#core/tick.ts'
import { MS_PER_SECOND, NS_PER_SECOND } from '#core/time.ts'
import { assertCapacity, createSealPace, type SealPace } from '#domain/channels/admission.ts'
import type { StandingChannel } from '#domain/channels/channel-store.ts'
import { NodeRefusal } from '#gateway/client.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { accountOf, RADIUS, tickBy } from './channel-kit.ts'

const test = suite('domain: room for channels')

/** What channels may take of the loop, and of each thread, in milliseconds of a mesh tick. */
const ROOM_MS = 0.6 * TICK_SECONDS * MS_PER_SECOND
const NEAR = 1e-6

const near = (found: unknown, due: number): void =>
  assert(Math.abs(Number(found) - due) < NEAR, `${found} is not ${due}`)

interface Numbers {
  readonly needed_ms: number
  readonly free_ms: number
}

/** What a refusal says, or undefined. */
const refusal = (work: () => void): { readonly text: string; readonly numbers: Numbers } | undefined => {
  try {
    work()
    return undefined
  } catch (cause) {
    const { code, message, details } = cause as Fault
    assert.equal(code, 'CAPACITY_EXCEEDED')
    return { text: message, numbers: details as unknown as Numbers }
  }
}

test('the pace of sealing is a running mean of what plans took for each seal, and what comes after them', () => {
  const pace = createSealPace()
  near(pace.ms, 0.3)
  // A group of four that took 8 ms weighs no more than one seal that took 2.
  pace.learn(4, 8)
  near(pace.ms, 2.5 * (0.9 * 0.12 + 0.1 * 2))
  for (let i = 0; i < 200; i++) pace.learn(1, 2)
  near(pace.ms, 5)
  for (let i = 0; i < 300; i++) pace.learn(10, 1)
  near(pace.ms, 0.25)
})

const pacedAt = (ms: number): SealPace => ({ ms, learn: () => undefined })

type Rhythm = Partial<{ interval: number; expected_ms: number; solver: string | null }>

const rowOf = (id: string, { interval = 1, expected_ms = 0, solver = 'heat' }: Rhythm = {}) => ({
  ...{ id, interval, expected_ms, solver },
})

const standing = (id: string, rhythm: Rhythm, more: { status?: string; autotick?: boolean; took_ms?: number } = {}) => {
  const { status = 'open', autotick = true, took_ms = null } = more
  return { row: { ...rowOf(id, rhythm), autotick }, head: { status, took_ms } } as unknown as StandingChannel
}

test('the loop has room for so many seals, whoever computes; operators are computed on it as well', () => {
  const seals = pacedAt(10)
  const fits = (all: readonly StandingChannel[], row: ReturnType<typeof rowOf>, took: number | null = null) =>
    refusal(() => assertCapacity({ channels: { all: () => all }, threads: 100, seals }, row, took))
  const many = (count: number, rhythm: Rhythm = {}) =>
    Array.from({ length: count }, (_, i) => standing(`of ${i}`, rhythm))
  assert.equal(fits(many(45), rowOf('new')), undefined)
  const full = fits(many(46), rowOf('new'))
  assert.match(full?.text ?? '', /^It needs 10\.00 ms of each tick of the loop that seals, and 6\.20 ms are free\.$/)
  near(full?.numbers.needed_ms, 10)
  near(full?.numbers.free_ms, ROOM_MS - 460)
  // A rare one needs less of each tick, and is in the way of others as little.
  assert.equal(fits(many(46), rowOf('new', { interval: 2 })), undefined)
  assert.equal(fits(many(91, { interval: 2 }), rowOf('new')), undefined)
  near(fits(many(92, { interval: 2 }), rowOf('new'))?.numbers.free_ms, ROOM_MS - 460)
  // What a solver takes is no time of the loop, and what operators take is: as measured, or as expected until then.
  assert.equal(fits(many(45), rowOf('new', { expected_ms: 400 })), undefined)
  near(fits(many(45), rowOf('new', { expected_ms: 400, solver: null }))?.numbers.needed_ms, 410)
  assert.equal(fits(many(45), rowOf('new', { expected_ms: 400, solver: null }), 1), undefined)
  near(fits(many(45), rowOf('new', { solver: null }), 30)?.numbers.needed_ms, 40)
  const measured = [standing('slow', { solver: null, expected_ms: 1 }, { took_ms: 450 })]
  near(fits(measured, rowOf('new'))?.numbers.free_ms, ROOM_MS - 460)
  // Neither itself as it is, nor one that does not tick by itself, is in the way; one that starves is.
  const quiet = [standing('a', {}, { status: 'stopped' }), standing('b', {}, { autotick: false })]
  assert.equal(fits([...many(45), ...quiet, standing('new', {})], rowOf('new')), undefined)
  assert.notEqual(fits([...many(45), standing('c', {}, { status: 'starved' })], rowOf('new')), undefined)
  // However far beyond it is, nothing less than nothing is free.
  assert.equal(fits(many(100), rowOf('new'))?.numbers.free_ms, 0)
})

test('the threads have room for so much computing, each of them as much as the others', () => {
  const all = [standing('a', { expected_ms: 400 })]
  const fits = (threads: number, expected_ms: number, interval = 1) => {
    const row = rowOf('new', { expected_ms, interval })
    return refusal(() => assertCapacity({ channels: { all: () => all }, threads, seals: pacedAt(0) }, row, null))
  }
  assert.equal(fits(1, 66), undefined)
  const full = fits(1, 67)
  assert.match(
    full?.text ?? '',
    /^It needs 67\.00 ms of each tick of the threads that compute, and 66\.20 ms are free\.$/,
  )
  near(full?.numbers.free_ms, ROOM_MS - 400)
  assert.equal(fits(1, 198, 3), undefined)
  near(fits(1, 201, 3)?.numbers.needed_ms, 67)
  assert.equal(fits(2, 532), undefined)
  near(fits(2, 533)?.numbers.free_ms, 2 * ROOM_MS - 400)
})

/** Ticks that are planned while each reading of the clock takes a second: then a seal takes more than all room. */
const SLOW_TICKS = 5
/** Mesh ticks between due ticks of channels of which some have room on that loop. */
const RARE = 10
const MADE_MAX = 10

/** What a node refuses a call with, or undefined. */
const refusedWith = async (work: Promise<unknown>): Promise<NodeRefusal['problem'] | undefined> => {
  try {
    await work
    return undefined
  } catch (cause) {
    if (cause instanceof NodeRefusal) return cause.problem
    throw cause
  }
}

test('a node whose loop was measured to be slow refuses with both numbers, and takes what it can', async () => {
  await using it = await testNode()
  const { client } = await accountOf(it)
  const order = { solver: 'heat', inputs: { dim: 1 }, autotick: true } as const
  const make = (tickIntervalTicks: number) =>
    refusedWith(client.call('compute.stream-create', { ...order, tickIntervalTicks }))
  const { stream } = await client.call('compute.stream-create', { ...RADIUS, autotick: true })
  it.readingTakes(NS_PER_SECOND)
  await tickBy(it, SLOW_TICKS)
  it.readingTakes(0n)
  await client.call('compute.stream-patch', { id: stream.id, autotick: false })
  const stands = async () => {
    const { streams } = await client.call('compute.streams', {})
    const chain = await client.call('machines.state', { slug: stream.slug })
    return [streams, chain, await client.call('economy.credits', {})]
  }
  const before = await stands()
  const full = await make(1)
  const pace = Number(full?.['needed_ms'])
  assert.partialDeepStrictEqual(full, { status: 503, code: 'CAPACITY_EXCEEDED' })
  assert.match(full?.detail ?? '', /of the loop that seals/)
  assert(pace > ROOM_MS, `${pace}`)
  near(full?.['free_ms'], ROOM_MS)
  assert.deepEqual(await stands(), before)

  let [made, last]: [number, Awaited<ReturnType<typeof make>>] = [0, undefined]
  while (made < MADE_MAX && last === undefined) {
    last = await make(RARE)
    if (last === undefined) made += 1
  }
  assert(made > 0)
  near(last?.['needed_ms'], pace / RARE)
  near(last?.['free_ms'], ROOM_MS - (made * pace) / RARE)
  const [{ id = '' } = {}] = (await client.call('compute.streams', {})).streams
  const faster = await refusedWith(client.call('compute.stream-patch', { id, tickIntervalTicks: 1 }))
  assert.equal(faster?.code, 'CAPACITY_EXCEEDED')
  // It is itself no longer in its own way.
  near(faster?.['free_ms'], ROOM_MS - ((made - 1) * pace) / RARE)
  assert.equal((await client.call('compute.stream', { id })).stream.tickIntervalTicks, RARE)
})

test.run()
