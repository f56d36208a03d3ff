import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { MS_PER_MINUTE } from '#core/time.ts'
import type { ChannelFeed, ChannelHappening } from '#domain/channels/feed.ts'
import { testNode } from '../../test/kit/node.ts'
import { answering, nowMs } from './sockets-ask.ts'
import type { Sent } from './sockets-hubs.ts'
import type { Target } from './sockets-wires.ts'

/*
 * A node in a process of its own, whose one channel ticks by itself while it is asked to: each tick is sealed and
 * durable, and the instant that is taken is the one at which the channel's feed is told of it.
 */

const GRANT = 1_000_000_000
const POLL_MS = 20
const FILL_CHARS = 250_000
const [fromArgs = '{}'] = process.argv.slice(2)

const it = await testNode({
  realTime: true,
  settings: {
    'limits.keyCallsPerMinute': GRANT,
    'limits.anonymousCallsPerMinute': GRANT,
    // Whoever does not read stays as long as it is measured beside the others.
    'sockets.pingMs': 10 * MS_PER_MINUTE,
    'sockets.stallMs': 10 * MS_PER_MINUTE,
    ...JSON.parse(fromArgs),
  },
})
const key = readFileSync(join(it.directory, 'owner.key'), 'utf8').trim()
const owner = it.as(key)
const { zid } = await owner.call('economy.credits', {})
await owner.call('economy.grant', { zid, credits: GRANT, reason: 'bench' })
const { stream, key: own } = await owner.call('compute.stream-create', { operators: ['GR37'], inputs: { mass: 1e30 } })
const { id } = stream
const { feed } = it.node.services.channels as { readonly feed: ChannelFeed }

let sent: Sent[] = []
let text = ''
const { tell } = feed
feed.tell = (happening: ChannelHappening): void => {
  if (happening.kind !== 'tick') return tell(happening)
  const at = nowMs()
  tell(happening)
  sent.push({ mark: happening.count, at, took: nowMs() - at })
  const { epoch, count, tick, token_id, contentType, output } = happening
  text = JSON.stringify({ type: 'tick', epoch, count, tick, token_id, contentType, output })
}

answering({
  target: (): Target => ({
    ...{ protocol: 'ws', port: Number(new URL(it.url).port), path: `/ws/stream?channel=${id}`, key: own },
  }),
  url: () => it.url,
  /** The text of a tick, once it has had one. */
  text: async () => {
    if (text === '') await owner.call('compute.stream-tick', { id })
    return text
  },
  /** Lets it tick so often. */
  run: async ({ ticks }: { ticks: number }) => {
    sent = []
    await owner.call('compute.stream-patch', { id, autotick: true })
    while (sent.length < ticks) await pause(POLL_MS)
    await owner.call('compute.stream-patch', { id, autotick: false })
    return sent
  },
  /** Says much to all that are open, so that nothing more goes to whoever does not read. */
  fill: async ({ times }: { times: number }) => {
    for (let i = 0; i < times; i++) {
      tell({ kind: 'gap', channel: id, from: i, to: i, reason: 'x'.repeat(FILL_CHARS) as never })
      await pause(POLL_MS)
    }
  },
  state: ({ collected = false }: { collected?: boolean }) => {
    if (collected) globalThis.gc?.()
    const { rss, external, heapUsed } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    return { rss, external, heapUsed, sockets: it.node.services.channels.followers(id), cpuMs: (user + system) / 1e3 }
  },
})
process.once('SIGTERM', () => {
  void it[Symbol.asyncDispose]().then(() => process.exit(0))
})
