// Goal: a reader who comes back to a channel whose past the node cannot read is told so by the end of its socket, and
// may come again; who follows what comes hears nothing of it. Method: a real node that was started on a store in which
// one entry of the chain was spoiled while it was away, and the client of ws.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { keyOf, seqKey } from '#store/layout.ts'
import { databaseKey } from '#store/rows.ts'
import { accountOf, RADIUS } from '../../domain/channels/channel-kit.ts'
import { rawOf } from '../../domain/channels/spoil.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { until } from '../../kit/until.ts'

const test = suite('api: channels whose past cannot be read')

interface Heard {
  readonly type: string
  readonly count?: number
}

const follow = async ({ url }: TestNode, query: Record<string, string>, key: string) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/stream?${new URLSearchParams(query)}`, [
    `svc.key.${key}`,
  ])
  const heard: Heard[] = []
  socket.on('message', (data) => void heard.push(JSON.parse(String(data))))
  let end: readonly [number, string] | undefined
  socket.on('close', (code, reason) => {
    end = [code, String(reason)]
  })
  const over = (signal: AbortSignal) => until(() => end, signal)
  await once(socket, 'open')
  return { heard, over, counts: () => heard.flatMap(({ type, count }) => (type === 'tick' ? [count] : [])), socket }
}

/** A channel with three ticks, of which the entry of the second is spoiled. */
const spoiled = async (directory: string) => {
  const made = { id: '', key: '', spoil: '' }
  {
    await using it = await testNode({ directory })
    const { client } = await accountOf(it)
    const { stream, key } = await client.call('compute.stream-create', RADIUS)
    const { id } = stream
    for (const _ of [1, 2, 3]) await client.call('compute.stream-tick', { id })
    for await (const [, { entry }] of it.node.store.range('machineEntry')) {
      const { channel, count } = (entry.body ?? {}) as Readonly<Record<string, unknown>>
      if (channel === id && count === 2) made.spoil = keyOf(stream.slug, seqKey(entry.seq))
    }
    Object.assign(made, { id, key })
  }
  await rawOf(directory, async (level) => {
    const at = databaseKey('machineEntry', made.spoil)
    const whole = await level.get(at)
    assert(whole !== undefined)
    const wrong = new Uint8Array(whole)
    wrong[wrong.length - 1] = (wrong.at(-1) ?? 0) ^ 1
    await level.put(at, wrong)
  })
  return made
}

test('a reader whose past cannot be read is let go with 1011; who needs none of it goes on', async (signal) => {
  using dir = tempDir()
  const { id, key } = await spoiled(dir.path)
  await using it = await testNode({ directory: dir.path })
  const live = await follow(it, { channel: id }, key)
  const near = await follow(it, { channel: id, after: '1.3' }, key)
  const back = await follow(it, { channel: id, after: '1.1' }, key)
  assert.deepEqual(await back.over(signal), [1011, 'the node could not go on'])
  // Nothing of what stands behind the hole was given to it: it still knows where it has to come back to.
  assert.deepEqual(back.heard, [{ type: 'hello', epoch: 1, count: 3 }])
  const lines = it.lines.filter(({ event }) => event === 'channel_unread')
  assert.partialDeepStrictEqual(lines, [{ level: 'error', fields: { channel: id } }])
  await until(() => it.node.services.channels.followers(id) === 2, signal)
  await it.as(key).call('compute.stream-tick', { id })
  await until(() => live.counts().length === 1 && near.counts().length === 1, signal)
  assert.deepEqual([live.counts(), near.counts()], [[4], [4]])
  const again = await follow(it, { channel: id, after: '1.3' }, key)
  await until(() => again.counts().length === 1, signal)
  for (const { socket } of [live, near, again]) socket.terminate()
})

test.run()
