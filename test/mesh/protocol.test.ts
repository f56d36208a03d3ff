/**
 * Goal: a stream that stays open for a day keeps nothing of the frames that it has carried, and whoever waits to send
 * is told when it breaks. Method: conversations on two ends of a stream of libp2p in memory.
 */
import assert from 'node:assert/strict'
import { streamPair } from '@libp2p/utils'
import type { Wire } from '#domain/network/sync/inbox.ts'
import { converse } from '#mesh/protocol.ts'
import { bytesHeld } from '../kit/heap.ts'
import { suite } from '../kit/suite.ts'

const test = suite('mesh: conversations')
const it = { frameBytesMax: 1_024, stepMs: 60_000 }

/** Frames of the run that is counted, and what each of them may leave behind: far less than a promise. */
const FRAMES = Number(process.env['TICKMESH_FRAMES'] ?? 20_000)
const BYTES_EACH_MAX = 60

/** Answers every frame with itself until the other side has closed. */
const echo = async (wire: Wire): Promise<void> => {
  for await (const frame of wire.frames) await wire.send(frame.slice())
}

test(
  `${FRAMES} frames there and back leave nothing behind`,
  async (signal) => {
    const [near, far] = await streamPair()
    const answering = converse(it, far, { signal, talk: echo })
    await converse(it, near, {
      signal,
      talk: async ({ frames, send }) => {
        const came = frames[Symbol.asyncIterator]()
        const rounds = async (count: number): Promise<void> => {
          for (let n = 0; n < count; n += 1) {
            await send(Uint8Array.of(n & 0xff))
            const { value } = await came.next()
            assert.equal((value as Uint8Array)[0], n & 0xff)
          }
        }
        await rounds(2_000)
        const before = bytesHeld()
        await rounds(FRAMES)
        const grown = bytesHeld() - before
        assert.ok(grown < FRAMES * BYTES_EACH_MAX, `${grown} bytes are held after ${FRAMES} frames`)
        if (process.env['TICKMESH_FRAMES'] !== undefined) console.log(`${FRAMES} frames: ${grown} bytes more are held`)
      },
    })
    await answering
  },
  Math.max(20_000, FRAMES),
)

test('whoever waits to send is told that the stream broke, and so is whoever sends after', async (signal) => {
  const [near, far] = await streamPair()
  const talking = converse(it, near, {
    signal,
    talk: async ({ send }) => {
      const waits = Array.from({ length: 5 }, () => send(new Uint8Array(2_000)))
      const outcomes = await Promise.allSettled(waits)
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        waits.map(() => 'rejected'),
      )
      await assert.rejects(send(Uint8Array.of(1)), /longer|length|large/i)
      throw new Error('all were told')
    },
  })
  await assert.rejects(talking, /all were told/)
  far.abort(new Error('over'))
})

test.run()
