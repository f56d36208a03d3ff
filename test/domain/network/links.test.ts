/**
 * Goal: what nodes say to each other about work is taken at least once and in order, whatever breaks on the way, and
 * whoever keeps to no rule is cut off. Method: links over streams in memory that a test cuts where it likes.
 */
import assert from 'node:assert/strict'
import { utf8 } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { sleep } from '#core/wait.ts'
import { STATES_MAX } from '#core/work/segments.ts'
import { linkFrame, messageBytes } from '#domain/network/links/frames.ts'
import { createLinks, type Links } from '#domain/network/links/links.ts'
import { QUEUED_MAX } from '#domain/network/links/queue.ts'
import { UNACKNOWLEDGED_BYTES_MAX, UNACKNOWLEDGED_MAX } from '#domain/network/links/session.ts'
import type { AskedOfWorker, ToldRequester } from '#domain/network/works/messages.ts'
import { silentLog } from '#node/log.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { until } from '../../kit/until.ts'
import { type WirePair, wirePair } from './wire-kit.ts'

const test = suite('network: links')

const random = (n: number): string => n.toString(16).padStart(32, '0')
const REQUESTER = '12D3KooWDSyqrV6SoEJkAWQ3iTcJa8NeK6m4dtto8droh853TfNR'
const cancel = (n: number): AskedOfWorker => ({
  ...{ type: 'cancel', job: { requester: REQUESTER, random: random(n) }, attempt: 0 },
})
const numberOf = (message: AskedOfWorker): number =>
  message.type === 'cancel' ? Number.parseInt(message.job.random, 16) : -1

/** Whoever waits before the next try waits no longer than it takes to see that others go on. */
const soon = (_: number, signal: AbortSignal): Promise<void> => sleep(1, signal)

/** Two nodes whose streams the test has in hand. */
const joined = () => {
  const options = { log: silentLog, sleep: soon }
  const [a, b] = [createLinks(options), createLinks(options)]
  const streams: WirePair[] = []
  const way = (other: Links, name: string) => ({
    reach: async () => 'connected',
    talk: async (_: string, talk: (wire: WirePair['near']['wire']) => Promise<void>) => {
      const pair = wirePair()
      streams.push(pair)
      other.answer(name, pair.far.wire).catch(() => pair.cut())
      await talk(pair.near.wire)
    },
  })
  a.join(way(b, 'a'))
  b.join(way(a, 'b'))
  return {
    ...{ a, b, streams },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([a[Symbol.asyncDispose](), b[Symbol.asyncDispose]()])
    },
  }
}

test('messages come in order, on one stream, and both ways on it', async (signal) => {
  await using it = joined()
  const { a, b, streams } = it
  const [asked, told]: [number[], string[]] = [[], []]
  b.onAsked(async (_, message) => void asked.push(numberOf(message)))
  a.onTold(async (_, message) => void told.push(message.type))
  await Promise.all(Array.from({ length: 40 }, (_, n) => a.ask('b', cancel(n), signal)))
  await b.tell('a', { type: 'beat', jobs: [] }, signal)
  assert.deepEqual(
    asked,
    Array.from({ length: 40 }, (_, n) => n),
  )
  assert.deepEqual(told, ['beat'])
  assert.equal(streams.length, 1, 'whoever answers uses the stream that is there')
})

test('what was not acknowledged is said again on a new stream, before it was taken and after', async (signal) => {
  await using it = joined()
  const { a, b, streams } = it
  const asked: number[] = []
  const gate = Promise.withResolvers<void>()
  b.onAsked(async (_, message) => {
    asked.push(numberOf(message))
    if (asked.length === 1) await gate.promise
  })
  const said = a.ask('b', cancel(7), signal)
  await until(async () => asked.length === 1, signal)
  streams[0]?.cut()
  gate.resolve()
  await said
  assert.deepEqual(asked, [7, 7], 'at least once')
  assert.equal(streams.length, 2)
})

test('whatever breaks when, nothing is taken before what was said before it, and all of it is', async (signal) => {
  const draw = seeded()
  for (let round = 0; round < 8; round += 1) {
    await using it = joined()
    const { a, b, streams } = it
    const asked: number[] = []
    const cuts = new Set(Array.from({ length: 5 }, () => draw.integer(1, 60)))
    b.onAsked(async (_, message) => {
      asked.push(numberOf(message))
      if (cuts.has(asked.length)) streams.at(-1)?.cut()
      await Promise.resolve()
    })
    await Promise.all(Array.from({ length: 100 }, (_, n) => a.ask('b', cancel(n), signal)))
    assert.deepEqual(
      [...new Set(asked)],
      Array.from({ length: 100 }, (_, n) => n),
      'each for the first time in its turn',
    )
    for (const [i, n] of asked.entries()) assert.ok(i === 0 || n <= (asked[i - 1] as number) + 1, 'none is left out')
    assert.ok(asked.length > 100 && streams.length > 1, 'some came again')
  }
})

test('a stream that ended takes no more of what had come on it', async (signal) => {
  await using it = joined()
  const { a, b, streams } = it
  const asked: number[] = []
  const gate = Promise.withResolvers<void>()
  b.onAsked(async (_, message) => {
    asked.push(numberOf(message))
    if (asked.length === 1) await gate.promise
  })
  const said = Array.from({ length: 5 }, (_, n) => a.ask('b', cancel(n), signal))
  await until(async () => streams[0]?.far.came.length === 5 && asked.length === 1, signal)
  streams[0]?.cut()
  // All has come again on another stream, and waits for what the first one had begun.
  await until(async () => streams[1]?.far.came.length === 5, signal)
  assert.deepEqual(asked, [0])
  gate.resolve()
  await Promise.all(said)
  assert.deepEqual(asked, [0, 0, 1, 2, 3, 4])
})

test('no more bytes are on their way than the far side takes, and no more wait than fit', async (signal) => {
  await using it = joined()
  const { a, b, streams } = it
  const states = 'A'.repeat(4 * Math.floor((STATES_MAX * 32) / 3))
  const told: ToldRequester = {
    ...{ type: 'digests', job: { requester: REQUESTER, random: random(1) }, attempt: 0, states },
  }
  const size = messageBytes(told).length
  const fits = Math.floor(UNACKNOWLEDGED_BYTES_MAX / size)
  const gate = Promise.withResolvers<void>()
  let taken = 0
  b.onTold(async () => {
    taken += 1
    await gate.promise
  })
  assert.ok(fits < UNACKNOWLEDGED_MAX, 'bytes bound it, not the count')
  const said = Array.from({ length: fits + 3 }, () => a.tell('b', told, signal))
  await until(async () => streams[0]?.far.came.length === fits && taken === 1, signal)
  const more = Array.from({ length: QUEUED_MAX - fits - 3 }, (_, n) => a.ask('b', cancel(n), signal))
  await assert.rejects(
    a.ask('b', cancel(0), signal),
    (cause) => cause instanceof Fault && cause.code === 'NODE_BUSY',
    'the queue is full',
  )
  assert.equal(streams[0]?.far.came.length, fits, 'nothing more was sent')
  b.onAsked(async () => undefined)
  gate.resolve()
  await Promise.all([...said, ...more])
  assert.equal(taken, fits + 3, 'on one stream, each once')
  assert.equal(streams.length, 1)
})

test('a listener that throws acknowledges nothing, and what is given up is over', async (signal) => {
  await using it = joined()
  const { a, b } = it
  let calls = 0
  b.onAsked(async () => {
    calls += 1
    throw new Error('not now')
  })
  const stop = new AbortController()
  const said = a.ask('b', cancel(1), stop.signal)
  await until(async () => calls >= 2, signal)
  stop.abort(new Error('given up'))
  await assert.rejects(said, /given up/)
})

test('where there is no way it is said at once', async (signal) => {
  await using alone = createLinks({ log: silentLog, sleep })
  await assert.rejects(alone.ask('b', cancel(1), signal), /libp2p is off/)
})

test('bytes that are none, numbers out of order, false acknowledgements and floods end the stream', async (signal) => {
  const bad: readonly (readonly [string, readonly Uint8Array[]])[] = [
    ['nothing', [new Uint8Array(0)]],
    ['another kind', [Uint8Array.of(9, 0, 0, 0, 0, 1)]],
    ['a message without a body', [linkFrame('ask', 0)]],
    ['an acknowledgement with one', [Uint8Array.of(3, 0, 0, 0, 0, 1)]],
    ['a number that is not next', [linkFrame('ask', 1, messageBytes(cancel(1)))]],
    ['an acknowledgement of nothing', [linkFrame('ack', 0)]],
    ['no JSON', [linkFrame('ask', 0, Uint8Array.of(1, 2, 3))]],
    ['another spelling', [linkFrame('ask', 0, utf8(JSON.stringify(cancel(1))))]],
    ['another form', [linkFrame('ask', 0, messageBytes({ type: 'cancel' }))]],
    ['what a worker says, of a requester', [linkFrame('tell', 0, messageBytes(cancel(1)))]],
    [
      'more than are taken',
      Array.from({ length: UNACKNOWLEDGED_MAX + 1 }, (_, n) => linkFrame('ask', n, messageBytes(cancel(n)))),
    ],
  ]
  for (const [what, frames] of bad) {
    await using links = createLinks({ log: silentLog, sleep })
    const never = Promise.withResolvers<void>()
    links.onAsked(() => never.promise)
    links.onTold(() => never.promise)
    const pair = wirePair()
    const answering = links.answer('b', pair.far.wire)
    for (const frame of frames) pair.inject(frame)
    await assert.rejects(answering, Error, what)
    never.resolve()
    signal.throwIfAborted()
  }
})

test('a stream on which nothing is said is closed after 240 beats, and opened again', async (signal) => {
  await using it = joined()
  const { a, b, streams } = it
  b.onAsked(async () => undefined)
  await a.ask('b', cancel(1), signal)
  for (let beats = 0; beats < 242; beats += 1) {
    a.beat()
    b.beat()
  }
  await a.ask('b', cancel(2), signal)
  assert.equal(streams.length, 2)
})

test('a stream stays while somebody waits for an acknowledgement, and no longer', async (signal) => {
  await using it = joined()
  const { a, b, streams } = it
  const gate = Promise.withResolvers<void>()
  let asked = 0
  b.onAsked(async () => {
    asked += 1
    if (asked === 2) await gate.promise
  })
  await a.ask('b', cancel(0), signal)
  const stop = new AbortController()
  const said = a.ask('b', cancel(1), stop.signal)
  await until(async () => asked === 2, signal)
  const beats = async (of: Links): Promise<void> => {
    for (let beat = 0; beat < 300; beat += 1) of.beat()
    await new Promise(setImmediate)
  }
  await beats(a)
  await beats(b)
  gate.resolve()
  await said
  assert.equal(streams.length, 1, 'neither side closed it')
  b.onAsked(() => new Promise(() => undefined))
  const never = a.ask('b', cancel(2), stop.signal)
  await beats(a)
  stop.abort(new Error('given up'))
  await assert.rejects(never, /given up/)
  await beats(a)
  b.onAsked(async () => undefined)
  const after = new AbortController()
  const last = a.ask('b', cancel(3), after.signal)
  await until(async () => streams.length === 2, signal)
  after.abort(new Error('enough was seen'))
  await assert.rejects(last, /enough was seen/)
})

test.run()
