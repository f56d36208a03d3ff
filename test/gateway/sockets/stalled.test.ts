// Goal: a reader that never reads is kept for a while and then told to come back, however much is pushed to it, and is
// gone where it does not even take its goodbye; its place is another's. Method: a real gateway on a clock that is moved
// by hand, with a reader that stops reading beside one that goes on.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { PushedText, PushOutlet } from '#core/pushing.ts'
import { closed, text } from '#core/schema.ts'
import { suite } from '../../kit/suite.ts'
import { until } from '../../kit/until.ts'
import { house } from '../house.ts'
import { make } from '../rooms.ts'
import { manualTime } from '../time.ts'

const test = suite('gateway/sockets/stalled')

/** Bytes of a text that no kernel takes many of unread. */
const LARGE = 1_000_000
const TEXTS = 20
/** A look, and how many of them a reader may be behind at. */
const LOOK_MS = 1_000
const LOOKS = 30

const pushed = (meshTick: number): PushedText => ({
  meshTick,
  text: JSON.stringify({ meshTick, pad: 'x'.repeat(LARGE) }),
})

test('who takes nothing is told to come back after half a minute, and nobody else hears of it', async (signal) => {
  const outlets = new Set<PushOutlet>()
  const endpoint = make({
    ...{ id: 'compute.room', route: 'GET /ws/room', socket: true, input: closed({ channel: text(10) }) },
    handle: () => ({
      feed: (outlet: PushOutlet) => {
        outlets.add(outlet)
        return { [Symbol.dispose]: () => void outlets.delete(outlet) }
      },
    }),
  })
  const time = manualTime()
  await using it = await house([endpoint], {}, time.sleep)
  const open = async () => {
    const socket = new WebSocket(`${it.gateway.url.replace('http', 'ws')}/ws/room?channel=a`)
    let [heard, code] = [0, 0]
    socket.on('message', () => {
      heard += 1
    })
    socket.on('close', (it) => {
      code = it
    })
    await once(socket, 'open', { signal })
    return { socket, heard: () => heard, over: () => until(() => code > 0 && code, signal) }
  }
  const [silent, mute, beside] = [await open(), await open(), await open()]
  await until(() => outlets.size === 3, signal)
  /** Lets looks pass; who reads has answered what it was asked before the next. */
  const looks = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      await time.advance(LOOK_MS)
      beside.socket.ping()
      await once(beside.socket, 'pong', { signal })
    }
  }
  // Each has answered its first ping: the next ones are 25 looks away, and the one after those is not waited for.
  await looks(3)
  for (const { socket } of [silent, mute]) socket.pause()
  for (let i = 1; i <= TEXTS; i++) {
    for (const outlet of outlets) outlet.push(pushed(i))
    await until(() => beside.heard() === i, signal)
  }
  await looks(LOOKS)
  // It reads now, and finds behind what was on its way that it is let go; what was kept for it is lost.
  silent.socket.resume()
  assert.equal(await silent.over(), 1013)
  assert(silent.heard() < TEXTS)
  // Who does not take even that is gone at its next ping.
  await looks(2 * LOOKS)
  await until(() => it.gateway.sockets === 1, signal)
  assert.equal(beside.socket.readyState, WebSocket.OPEN)
  for (const { socket } of [mute, beside]) socket.terminate()
})

test.run()
