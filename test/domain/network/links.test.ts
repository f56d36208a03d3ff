/**
 * Goal: what nodes say to each other about work is taken at least once and in order, whatever breaks on the way, and
 * whoever keeps to no rule is cut off. Method: links over streams in memory that a test cuts where it likes.
 */
import assert from 'node:assert/strict'
import { sleep } from '#core/wait.ts'
import { linkFrame, messageBytes } from '#domain/network/links/frames.ts'
import { createLinks, type Links } from '#domain/network/links/links.ts'
import { UNACKNOWLEDGED_MAX } from '#domain/network/links/session.ts'
import type { AskedOfWorker } from '#domain/network/works/messages.ts'
import { silentLog } from '#node/log.ts'
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

/** Two nodes whose streams the test has in hand. */
const joined = () => {
  const [a, b] = [createLinks({ log: silentLog, sleep }), createLinks({ log: silentLog, sleep })]
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

test.run()
