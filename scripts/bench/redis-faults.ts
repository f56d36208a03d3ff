import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { NS_PER_MS } from '#core/time.ts'
import type { Network } from '#domain/network/types.ts'
import { type TestNode, testNode } from '../../test/kit/node.ts'
import { type RedisServer, redisServer, withoutRedis } from '../../test/kit/redis.ts'
import { until } from '../../test/kit/until.ts'
import { bench, wholeOr } from './bench.ts'

/** Redis' own load generator. */
const FLOODER = 'redis-benchmark'
const SECRET = 'a secret of the nodes of this bench, which they share'
const NODES = 3
/** Events that each node says between two faults. */
const EVENTS = 20
const MS_MAX = 15 * 60_000
const AWAY_MS = 8_000
/** Longer than a tick: a socket that waits is read on by then. */
const DRAIN_MS = 2_000
const BYTES_PER_MB = 1e6
/** Messages that the stranger sends in one go on each of its connections. */
const PIPELINE = 100
const CONNECTIONS = 4

const presence = { addresses: [], genesisTick: 2_310_000_000, registry_version: 'sha256:aa' }
const megabytes = (): number => Math.round(process.memoryUsage().rss / BYTES_PER_MB)
const isConnected = ({ node }: TestNode): boolean => node.services.network.redis().state === 'connected'
const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

/** How often each event was taken as new by each node. */
const watching = (nodes: readonly TestNode[]) => {
  const taken = nodes.map(({ node }) => {
    const times = new Map<string, number>()
    const network = node.services.network as { receive: Network['receive'] }
    const { receive } = network
    network.receive = (data, entrance) => {
      const outcome = receive(data, entrance)
      if (outcome.status === 'received') times.set(outcome.id, (times.get(outcome.id) ?? 0) + 1)
      return outcome
    }
    return times
  })
  return {
    has: (id: string, except: number): boolean => taken.every((it, i) => i === except || it.has(id)),
    twice: (): number => taken.reduce((sum, it) => sum + [...it.values()].filter((n) => n > 1).length, 0),
  }
}

/** Every node says some events; @returns how many when all others have taken all of them. */
const talk = async (nodes: readonly TestNode[], watch: ReturnType<typeof watching>, signal: AbortSignal) => {
  const said: (readonly [string, number])[] = []
  for (const [i, { node }] of nodes.entries()) {
    for (let n = 0; n < EVENTS; n++) {
      const id = await node.services.network.announce('presence', { ...presence, version: `bench ${said.length}` })
      said.push([id, i])
    }
  }
  await until(() => said.every(([id, i]) => watch.has(id, i)), signal)
  return said.length
}

const CUT = [
  ['CLIENT', 'KILL', 'TYPE', 'pubsub'],
  ['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'],
] as const

/** What is done to Redis, by name. */
const faults: Readonly<Record<string, (server: RedisServer) => Promise<unknown>>> = {
  'killed, started at once': async (server) => {
    await server.kill()
    await server.start()
  },
  'killed, away for 8 s': async (server) => {
    await server.kill()
    await pause(AWAY_MS)
    await server.start()
  },
  'stands still for 8 s': async (server) => {
    server.freeze()
    await pause(AWAY_MS)
    server.thaw()
  },
  'all connections cut': (server) => server.say(...CUT),
  'a message of 8 MB': (server) => server.say(['PUBLISH', 'tickmesh/event/1', new Uint8Array(8e6)]),
}

const flooded = async (server: RedisServer, messages: number): Promise<void> => {
  const asked = ['-s', server.socket, '-n', `${messages}`, '-P', `${PIPELINE}`, '-c', `${CONNECTIONS}`, '-q']
  const child = spawn(FLOODER, [...asked, 'PUBLISH', 'tickmesh/event/1', '{"event":{"v":1,"type":"presence"}}'], {
    stdio: 'ignore',
  })
  await once(child, 'exit')
}

/** What is said while a flood still waits to be read may be lost with it: gossip has no memory. */
const drained = async (networks: readonly Network[]): Promise<void> => {
  const read = (): number =>
    networks.reduce((sum, it) => sum + it.redis().passed_over + it.counters().dropped.missing, 0)
  for (let before = -1, now = read(); now !== before; now = read()) {
    before = now
    await pause(DRAIN_MS)
  }
}

const run = async (args: readonly string[]): Promise<void> => {
  if (withoutRedis !== undefined) return console.log(withoutRedis)
  const { values } = parseArgs({ args: [...args], options: { messages: { type: 'string' } } })
  const signal = AbortSignal.timeout(MS_MAX)
  await using server = await redisServer()
  await using opened = new AsyncDisposableStack()
  const nodes: TestNode[] = []
  for (let i = 0; i < NODES; i++) {
    const settings = { 'mesh.secret': SECRET, 'mesh.redis.url': server.url }
    nodes.push(opened.use(await testNode({ realTime: true, settings })))
  }
  const watch = watching(nodes)
  await until(() => nodes.every(isConnected), signal)
  let events = await talk(nodes, watch, signal)
  for (const [name, fault] of Object.entries(faults)) {
    const failed = nodes.map(({ node }) => node.services.network.redis().failures)
    await fault(server)
    const since = process.hrtime.bigint()
    await until(
      () => nodes.every((it, i) => isConnected(it) && it.node.services.network.redis().failures > (failed[i] ?? 0)),
      signal,
    )
    const ms = Number((process.hrtime.bigint() - since) / NS_PER_MS)
    events += await talk(nodes, watch, signal)
    console.log(`${name.padEnd(26)} all back ${(ms / 1_000).toFixed(1)} s after it was there; all say and hear`)
  }
  const messages = wholeOr(values.messages, 1_000_000)
  const delay = monitorEventLoopDelay({ resolution: 10 })
  const before = megabytes()
  delay.enable()
  const begin = process.hrtime.bigint()
  await flooded(server, messages)
  const seconds = Number((process.hrtime.bigint() - begin) / NS_PER_MS) / 1_000
  const peak = megabytes()
  const shown = nodes.map(({ node }) => node.services.network)
  await drained(shown)
  await until(() => nodes.every(isConnected), signal)
  events += await talk(nodes, watch, signal)
  delay.disable()
  const lagMs = (p: number): string => (Number(delay.percentile(p)) / 1e6).toFixed(0)
  console.log(`a stranger's ${messages} messages in ${seconds.toFixed(1)} s, to ${NODES} nodes in one process:`)
  console.log(`  resident ${before} MB before, ${peak} MB at its end, ${megabytes()} MB after`)
  console.log(`  loop held up ${lagMs(50)} ms (p50), ${lagMs(99)} ms (p99)`)
  for (const it of shown) {
    const { received, dropped } = it.counters()
    const { passed_over, failures } = it.redis()
    console.log(`  received ${JSON.stringify(received)}, dropped as missing ${dropped.missing}`)
    console.log(`  passed over ${passed_over}, connections lost ${failures}`)
  }
  console.log(`${Object.keys(faults).length + 1} faults; ${events} events, each taken once by every other node`)
  console.log(`taken twice: ${watch.twice()}`)
}

/** Ends, stops, cuts and floods a Redis below three nodes, and counts what they say and hear. */
export const redisFaults = bench({
  name: 'redis',
  summary: 'a Redis that fails below three nodes; --messages of a flood',
  run,
})
