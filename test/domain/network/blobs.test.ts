/**
 * Goal: values come whole or not at all, whatever the other side does, are kept as long as was said and no longer, and
 * no more of them than fit. Method: two stores, streams in memory.
 */
import assert from 'node:assert/strict'
import { toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { sha256 } from '#crypto'
import { type BlobRoom, createBlobs } from '#domain/network/blobs/blobs.ts'
import { headFrame, PIECE_BYTES_MAX } from '#domain/network/blobs/frames.ts'
import { silentLog } from '#node/log.ts'
import { fixedClock } from '../../kit/clock.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { openHouse } from '../house.ts'
import { type WirePair, wirePair } from './wire-kit.ts'

const test = suite('network: blobs')
const MS = 60_000
const BYTES_MAX = 64 * 1_048_576

const opened = async (bytesMax = BYTES_MAX) => {
  const dir = tempDir()
  const clock = fixedClock()
  const house = await openHouse(dir.path, clock)
  const blobs = createBlobs({ store: house.store, bytesMax, log: silentLog })
  return {
    ...{ house, blobs, clock, store: house.store },
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
    [headFrame(3), value, value, value, value, value, value],
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
  assert.ok(asked === lies.length + 1 || asked === lies.length, `${asked} were asked`)
  const never = await a.blobs.pull({ kind: 'dossier', work: '1'.repeat(64) }, ['x'], { signal, isRight: () => false })
  assert.equal(never, undefined)
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

test.run()
