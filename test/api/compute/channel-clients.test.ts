// Goal: whoever follows a channel hears each tick once and each gap once, through cut connections, a node that ends and
// one that is killed, and is told of what it can no longer be given; its end ends the reader. Method: clients that know
// nothing of this node, `ws`, the WebSocket of the runtime and `eventsource`, beside each other on a node in a process
// of its own; what they heard against the chain.
import { EventSource } from 'eventsource'
import { WebSocket as WsSocket } from 'ws'
import { followEvents, followSocket, type ReaderNotes } from '../../kit/channel-readers.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { until } from '../../kit/until.ts'
import { type ChannelReader, followChannel } from './followed-channel.ts'

const test = suite('api: clients that follow a channel')

test('ws, WebSocket and eventsource hear each tick once and each gap once, to the end', async (signal) => {
  using dir = tempDir()
  const over = new AbortController()
  const reader = (name: string, by: ChannelReader['by'], notes: ReaderNotes): ChannelReader => ({
    ...{ name, by, notes: () => Promise.resolve(notes) },
  })
  try {
    await followChannel({
      directory: dir.path,
      begin: async (order) => [
        reader('ws', 'socket', followSocket(order, WsSocket as unknown as typeof WebSocket, over.signal)),
        reader('WebSocket', 'socket', followSocket(order, WebSocket, over.signal)),
        reader('eventsource', 'events', followEvents(order, EventSource as typeof globalThis.EventSource, over.signal)),
      ],
      until: (probe) => until(probe, signal),
    })
  } finally {
    over.abort()
  }
}, 30_000)

test.run()
