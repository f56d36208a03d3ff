// Goal: however many follow a channel, each is given every message once and in order, the process has time for others
// between, and who joins meanwhile misses none and is given none twice.
// Method: the spreading by itself, and thousands of outlets that follow a channel of a real node while it ticks.
import assert from 'node:assert/strict'
import type { PushedText, PushOutlet } from '#core/pushing.ts'
import { breathe } from '#core/wait.ts'
import { AT_ONCE, createSpreading, UNDERWAY_MAX } from '#domain/channels/spread.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { until } from '../../kit/until.ts'
import { accountOf, RADIUS } from './channel-kit.ts'

const test = suite('domain: readers of channels')

const readersOf = (count: number): number[][] => Array.from({ length: count }, () => [])
const done = (readers: readonly number[][], count: number): number => readers.filter((it) => it.length === count).length

test('a message for many leaves in goes, and each reader gets its messages in order', async (signal) => {
  const spread = createSpreading<number[]>()
  const say = (channel: string, to: readonly number[][], message: number): void =>
    spread(channel, to, (it) => void it.push(message))
  const many = readersOf(2 * AT_ONCE + 1)
  const few = readersOf(AT_ONCE)
  say('many', many, 1)
  assert.equal(done(many, 1), AT_ONCE)
  say('many', many, 2)
  assert.equal(done(many, 2), 0)
  say('few', few, 1)
  assert.equal(done(few, 1), AT_ONCE)
  await breathe()
  say('few', few, 2)
  assert.equal(done(few, 2), AT_ONCE)
  await until(() => done(many, 2) === many.length, signal)
  for (const it of many) assert.deepEqual(it, [1, 2])
  say('many', few, 3)
  assert.equal(done(few, 3), AT_ONCE)
})

test('when messages come faster than they leave, no more than a few wait', async (signal) => {
  const spread = createSpreading<number[]>()
  const readers = readersOf(2 * AT_ONCE)
  const last = 3 * UNDERWAY_MAX
  for (let message = 1; message <= last; message++) {
    spread('one', readers, (it) => void it.push(message))
    for (const it of readers) assert.ok(it.length >= message - UNDERWAY_MAX)
  }
  await until(() => done(readers, last) === readers.length, signal)
  for (const it of readers)
    assert.deepEqual(
      it,
      Array.from({ length: last }, (_, i) => i + 1),
    )
})

interface Said {
  readonly type: string
  readonly count: number
}

test('thousands who follow a channel, and who join meanwhile, are told each tick once', async (signal) => {
  await using it = await testNode()
  const { client: owner } = await accountOf(it)
  const { stream } = await owner.call('compute.stream-create', RADIUS)
  const { id } = stream
  const { channels } = it.node.services
  /** Who is given what came before takes it only when all ticks have come. */
  const slow = Promise.withResolvers<void>()
  const all: { readonly heard: Said[]; readonly following: Disposable }[] = []
  const join = (after?: { readonly epoch: number; readonly count: number }): void => {
    const heard: Said[] = []
    const push = ({ text }: PushedText): void => void heard.push(JSON.parse(text))
    const outlet: PushOutlet = { push, drained: () => slow.promise, end: () => undefined, fail: () => undefined }
    const standing = channels.peek(id)
    assert.ok(standing)
    all.push({ heard, following: channels.follow(standing, { after, sees: 'entries' }).feed(outlet) })
  }
  for (let i = 0; i < 2 * AT_ONCE; i++) join()
  channels.feed.listen((told) => {
    if (told.kind !== 'tick') return
    // A message is on its way: one begins behind it, one is given what came before.
    join()
    join({ epoch: 1, count: 0 })
  })
  const last = 3
  for (let i = 0; i < last; i++) await owner.call('compute.stream-tick', { id })
  slow.resolve()
  const isLast = (heard: readonly Said[]): boolean => heard.at(-1)?.count === last
  await until(() => all.every(({ heard }) => isLast(heard)), signal)
  for (const { heard } of all) {
    const [hello, ...ticks] = heard
    const first = ticks[0]?.count ?? last + 1
    assert.deepEqual(
      ticks.map(({ type, count }) => [type, count]),
      Array.from({ length: last + 1 - first }, (_, i) => ['tick', first + i]),
    )
    assert.ok(first === 1 || first === (hello?.count ?? 0) + 1)
  }
  for (const { following } of all) following[Symbol.dispose]()
  assert.equal(channels.followers(id), 0)
})

test.run()
