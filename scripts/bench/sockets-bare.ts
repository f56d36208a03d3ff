import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { answering, nowMs, untilPhase } from './sockets-ask.ts'
import type { Sent } from './sockets-hubs.ts'
import type { Target } from './sockets-wires.ts'

/* The yardstick in a process of its own: the broadcast that the documents of ws show, of bytes that are there. */

const POLL_MS = 20
const FILL_BYTES = 250_000

const http = createServer()
const server = new WebSocketServer({ server: http, perMessageDeflate: false })
await new Promise<void>((resolve) => http.listen({ port: 0, host: '127.0.0.1', backlog: 511 }, () => resolve()))
const { port } = http.address() as AddressInfo

const broadcast = (bytes: Buffer): void => {
  for (const client of server.clients as Set<WebSocket>) {
    if (client.readyState === client.OPEN) client.send(bytes, { binary: false })
  }
}

answering({
  target: (): Target => ({ protocol: 'ws', port }),
  /** Sends texts, one each tick. */
  run: async ({ texts, phase }: { texts: readonly (readonly [mark: number, text: string])[]; phase: number }) => {
    const sent: Sent[] = []
    for (const [mark, text] of texts) {
      const bytes = Buffer.from(text)
      await untilPhase(phase)
      const at = nowMs()
      broadcast(bytes)
      sent.push({ mark, at, took: nowMs() - at })
    }
    return sent
  },
  fill: async ({ times }: { times: number }) => {
    const bytes = Buffer.from('x'.repeat(FILL_BYTES))
    for (let i = 0; i < times; i++) {
      broadcast(bytes)
      await pause(POLL_MS)
    }
  },
  state: () => {
    const { rss, external, heapUsed } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    return { rss, external, heapUsed, sockets: server.clients.size, cpuMs: (user + system) / 1e3 }
  },
})
process.once('SIGTERM', () => process.exit(0))
