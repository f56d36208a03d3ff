/**
 * Goal: values come whole or not at all, whatever the other side does, are kept as long as was said and no longer, and
 * no more of them than fit. Method: two stores, streams in memory.
 */
import assert from 'node:assert/strict'
import { toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { sha256 } from '#crypto'
import {
  AT_ONCE_PER_NODE_MAX,
  type BlobRoom,
  createBlobs,
  PULLS_WAITING_MAX,
  QUESTIONS_WAITING_PER_NODE_MAX,
} from '#domain/network/blobs/blobs.ts'
import { headFrame, PIECE_BYTES_MAX, questionFrame, readHead, WINDOW_PIECES } from '#domain/network/blobs/frames.ts'
import { silentLog } from '#node/log.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { fixedClock } from '../../kit/clock.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { until } from '../../kit/until.ts'
import { openHouse } from '../house.ts'
import { type WirePair, wirePair } from './wire-kit.ts'

const test = suite('network: blobs')
const MS = 60_000
const BYTES_MAX = 64 * 1_048_576

const opened = async (bytesMax = BYTES_MAX, perMinuteMax = BYTES_MAX) => {
  const dir = tempDir()
  const clock = fixedClock()
  const house = await openHouse(dir.path, clock)
  const blobs = createBlobs({ store: house.store, bytesMax, perMinuteMax, log: silentLog })
  return {
    ...{ house, blobs, clock, store: house.store, directory: dir.path },
    [Symbol.asyncDispose]: async () => {
      await house[Symbol.asyncDispose]()
      dir[Symbol.dispose]()
    },
  }
}

/** Lets one node ask another, or whoever answers in its place. */
const asks = (one: BlobRoom, answer: (pair: WirePair) => void): void =>
  one.join({
    reach: async () => 'connected',
    talk: async (_, talk) => {
      const pair = wirePair()
      answer(pair)
      try {
        return await talk(pair.near.wire)
      } finally {
        pair.cut()
      }
    },
  })

const named = (bytes: Uint8Array) => ({ kind: 'bytes', sha256: toHex(sha256(bytes)) }) as const

test(
  'values of every size come whole',
  async (signal) => {
    await using a = await opened()
    await using b = await opened()
    asks(a.blobs, (pair) => void b.blobs.answer('a', pair.far.wire).catch(() => pair.cut()))
    const random = seeded()
    for (const size of [0, 1, PIECE_BYTES_MAX - 1, PIECE_BYTES_MAX, PIECE_BYTES_MAX + 1, 9 * PIECE_BYTES_MAX + 7]) {
      const bytes = random.bytes(Math.min(size, 65_536))
      const value = new Uint8Array(size)
      for (let at = 0; at < size; at += 65_536) value.set(bytes.subarray(0, Math.min(65_536, size - at)), at)
      const name = named(value)
      await b.store.commit((tx) => b.blobs.put(tx, name, value, tx.meshTick + 10))
      const got = await a.blobs.pull(name, ['b'], { signal })
      assert.deepEqual(got?.length, size)
      assert.equal(toHex(sha256(got ?? new Uint8Array(1))), name.sha256)
    }
    const nothing = { kind: 'states', root: '0'.repeat(64) } as const
    assert.equal(await a.blobs.pull(nothing, ['b'], { signal }), undefined)
  },
  MS,
)

test('what is not what was asked for is not taken, and the next node is asked', async (signal) => {
  await using a = await opened()
  const value = Uint8Array.of(1, 2, 3)
  const send = async ({ far }: WirePair, frames: readonly Uint8Array[]): Promise<void> => {
    for (const frame of frames) await far.wire.send(frame)
  }
  const lies: readonly (readonly Uint8Array[])[] = [
    [headFrame(undefined)],
    [headFrame(3), Uint8Array.of(1, 2, 4)],
    [headFrame(2), value],
    [headFrame(3), new Uint8Array(0)],
    [Uint8Array.of(0xff)],
    [new TextEncoder().encode('{"size":-1}')],
    [new TextEncoder().encode('{"size":67108865}')],
    [new TextEncoder().encode('{"none":true,"size":3}'), value],
    [new TextEncoder().encode('{"none":false}'), value],
  ]
  let asked = 0
  asks(a.blobs, (pair) => {
    const frames = lies[asked] ?? [headFrame(3), value]
    asked += 1
    void send(pair, frames).catch(() => undefined)
  })
  const nodes = Array.from({ length: lies.length + 1 }, (_, i) => `node ${i}`)
  const got = await a.blobs.pull(named(value), nodes, { signal })
  assert.deepEqual(got, value)
  assert.equal(asked, lies.length + 1)
  const never = await a.blobs.pull({ kind: 'dossier', work: '1'.repeat(64) }, ['x'], { signal, isRight: () => false })
  assert.equal(never, undefined)
})

test('who gives more than it was asked for is not listened to', async (signal) => {
  await using a = await opened()
  const value = new Uint8Array(64).fill(7)
  const sent = Promise.withResolvers<void>()
  async function* flood(): AsyncGenerator<Uint8Array> {
    yield headFrame(value.length)
    for (let i = 0; i <= WINDOW_PIECES; i += 1) yield value.subarray(i, i + 1)
  }
  a.blobs.join({
    reach: async () => 'connected',
    talk: (_, talk) => talk({ frames: flood(), send: () => sent.promise, deadline: () => signal }),
  })
  const pulled = a.blobs.pull(named(value), ['b'], { signal })
  // All of it has come before the question is on its way.
  setImmediate(sent.resolve)
  assert.equal(await pulled, undefined)
})

test('a head has one form', () => {
  assert.equal(readHead(headFrame(undefined)), undefined)
  assert.equal(readHead(headFrame(0)), 0)
  for (const text of [
    '{"none":true,"size":1}',
    '{"none":false}',
    '{"none":null}',
    '{}',
    '[]',
    'null',
    '{"size":null}',
  ]) {
    assert.throws(() => readHead(new TextEncoder().encode(text)), Fault, text)
  }
})

test('one node has its share of the answers, and others are answered meanwhile', async (signal) => {
  await using b = await opened()
  const value = new Uint8Array(9 * PIECE_BYTES_MAX)
  const name = named(value)
  await b.store.commit((tx) => b.blobs.put(tx, name, value, tx.meshTick + 10))
  const open: Promise<void>[] = []
  const question = (node: string): WirePair & { readonly answering: Promise<void> } => {
    const pair = wirePair()
    const answering = b.blobs.answer(node, pair.far.wire)
    open.push(answering.catch(() => undefined))
    pair.inject(questionFrame(name))
    return { ...pair, answering }
  }
  /** Nothing is acknowledged, so an answer goes no further than this. */
  const isGiven = ({ near }: WirePair): boolean => near.came.length === 1 + WINDOW_PIECES
  const held = Array.from({ length: AT_ONCE_PER_NODE_MAX }, () => question('a'))
  await until(() => held.every(isGiven), signal)
  const waiting = Array.from({ length: QUESTIONS_WAITING_PER_NODE_MAX }, () => question('a'))
  const other = question('c')
  await until(() => isGiven(other), signal)
  assert.deepEqual(
    waiting.map(({ near }) => near.came.length),
    waiting.map(() => 0),
  )
  await assert.rejects(question('a').answering, (cause) => cause instanceof Fault && cause.code === 'NODE_BUSY')
  held[0]?.cut()
  await until(() => isGiven(waiting[0] as WirePair), signal)
  assert.equal(waiting[1]?.near.came.length, 0)
  for (const pair of [...held, ...waiting, other]) {
    pair.cut()
    await new Promise(setImmediate)
  }
  await Promise.all(open)
})

test('one node has its bytes of a minute, and has them again after it', async (signal) => {
  await using a = await opened()
  await using b = await opened(BYTES_MAX, 1_000)
  let as = 'a'
  asks(a.blobs, (pair) => void b.blobs.answer(as, pair.far.wire).catch(() => pair.cut()))
  const values = [1, 2, 3].map((fill) => new Uint8Array(600).fill(fill))
  for (const value of values) await b.store.commit((tx) => b.blobs.put(tx, named(value), value, tx.meshTick + 100))
  const comes = async (i: number): Promise<boolean> =>
    (await a.blobs.pull(named(values[i] as Uint8Array), ['b'], { signal })) !== undefined
  assert.deepEqual([await comes(0), await comes(1), await comes(2)], [true, true, false])
  as = 'c'
  assert.ok(await comes(2), 'another node has its own')
  as = 'a'
  b.clock.advanceTicks(76)
  assert.equal(await comes(0), false)
  b.clock.advanceTicks(1)
  assert.ok(await comes(0))
})

test('what is pulled from one node waits for its turn, and too much of it is said to be that', async (signal) => {
  await using a = await opened()
  await using b = await opened()
  let [now, most] = [0, 0]
  const gate = Promise.withResolvers<void>()
  const answered = new Set<number>()
  a.blobs.join({
    reach: async () => {
      now += 1
      most = Math.max(most, now)
      await gate.promise
    },
    talk: async (_, talk) => {
      const pair = wirePair()
      void b.blobs.answer('a', pair.far.wire).catch(() => pair.cut())
      try {
        return await talk(pair.near.wire)
      } finally {
        now -= 1
        pair.cut()
      }
    },
  })
  const value = Uint8Array.of(1)
  await b.store.commit((tx) => b.blobs.put(tx, named(value), value, tx.meshTick + 10))
  const pull = (): Promise<Uint8Array | undefined> => a.blobs.pull(named(value), ['b'], { signal })
  const all = Array.from({ length: AT_ONCE_PER_NODE_MAX + PULLS_WAITING_MAX }, async (_, i) => {
    assert.deepEqual(await pull(), value)
    answered.add(i)
  })
  await until(() => now === AT_ONCE_PER_NODE_MAX, signal)
  await assert.rejects(pull(), (cause) => cause instanceof Fault && cause.code === 'NODE_BUSY')
  const stop = new AbortController()
  const elsewhere = a.blobs.pull(named(value), ['c'], { signal: stop.signal })
  stop.abort()
  gate.resolve()
  await Promise.all(all)
  assert.equal(await elsewhere, undefined)
  assert.equal(answered.size, all.length)
  assert.ok(most <= AT_ONCE_PER_NODE_MAX + 1, `${most} at once`)
})

test('questions that are none are answered by nothing', async () => {
  await using a = await opened()
  for (const text of ['', '{}', '{"kind":"bytes"}', '{"kind":"all"}', '{"kind":"bytes","sha256":"../../etc"}', '[]']) {
    const pair = wirePair()
    const answering = a.blobs.answer('b', pair.far.wire)
    pair.inject(new TextEncoder().encode(text))
    await assert.rejects(answering, Error, text)
  }
})

test('values stay to the later end, go when it is over, and no more are kept than fit', async () => {
  await using a = await opened(1_000)
  const { store, blobs, clock } = a
  const value = new Uint8Array(600).fill(1)
  const put = (bytes: Uint8Array, ticks: number) =>
    store.commit((tx) => blobs.put(tx, named(bytes), bytes, tx.meshTick + ticks))
  await put(value, 5)
  await put(value, 100)
  await put(value, 3)
  const other = new Uint8Array(600).fill(2)
  await assert.rejects(put(other, 5), (cause) => cause instanceof Fault && cause.code === 'NODE_BUSY')
  const sweep = async (): Promise<void> => {
    for (let beats = 0; beats < 64; beats += 1) await blobs.beat()
  }
  clock.advanceTicks(50)
  await sweep()
  assert.deepEqual(await blobs.get(named(value)), value)
  clock.advanceTicks(51)
  await sweep()
  assert.equal(await blobs.get(named(value)), undefined)
  await put(other, 5)
  assert.deepEqual(store.peek('lentTotal', 'all'), { rows: 1, bytes: 600 })
})

test('what is over goes before anything is refused, also of what was kept before a restart', async () => {
  await using a = await opened(1_000)
  const { store, clock } = a
  const put = (blobs: BlobRoom, fill: number, ticks: number) => {
    const bytes = new Uint8Array(600).fill(fill)
    return store.commit((tx) => blobs.put(tx, named(bytes), bytes, tx.meshTick + ticks))
  }
  await put(a.blobs, 1, 5)
  clock.advanceTicks(6)
  await put(a.blobs, 2, 5)
  assert.deepEqual(store.peek('lentTotal', 'all'), { rows: 1, bytes: 600 })
  const again = createBlobs({ store, bytesMax: 1_000, log: silentLog })
  await again.beat()
  await assert.rejects(put(again, 3, 5), (cause) => cause instanceof Fault && cause.code === 'NODE_BUSY')
  clock.advanceTicks(6)
  await put(again, 3, 5)
  assert.deepEqual(store.peek('lentTotal', 'all'), { rows: 1, bytes: 600 })
  assert.equal(await again.get(named(new Uint8Array(600).fill(2))), undefined)
})

test('a value is kept under its own name alone, and fsck names one that is not', async () => {
  const a = await opened()
  const { store, blobs, house, directory } = a
  const [value, other] = [Uint8Array.of(1), Uint8Array.of(2)]
  await assert.rejects(
    store.commit((tx) => blobs.put(tx, named(other), value, tx.meshTick + 5)),
    (cause) => cause instanceof Fault && cause.code === 'DIGEST_MISMATCH',
  )
  assert.equal(store.peek('lentTotal', 'all'), undefined, 'nothing was kept')
  await store.commit((tx) => blobs.put(tx, named(value), value, tx.meshTick + 5))
  await store.commit((tx) => {
    const key = `bytes/${named(other).sha256}`
    tx.put('lent', key, { size: 1, sha256: named(value).sha256, until: tx.meshTick + 5 })
    tx.put('lentBytes', key, value)
    tx.put('lentTotal', 'all', { rows: 2, bytes: 2 })
  })
  await house[Symbol.asyncDispose]()
  const { bad } = await fsck({ directory })
  await a[Symbol.asyncDispose]()
  assert.deepEqual([bad?.table, bad?.what], ['lent', 'it names other bytes'])
})

test.run()
