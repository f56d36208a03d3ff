import type { Stream } from '@libp2p/interface'
import { multiaddr } from '@multiformats/multiaddr'
import type { Clock } from '#core/clock.ts'
import { TICK_NS } from '#core/tick.ts'
import { randomBytes } from '#crypto'
import type { Wire } from '#domain/network/sync/inbox.ts'
import { type Host, startHost } from '#mesh/libp2p.ts'
import { converse } from '#mesh/protocol.ts'
import { syncProtocol } from '#mesh/protocols/sync.ts'
import { bench, median, wholeOr } from './bench.ts'
import { loopback, openParty, type Party, writeEvents } from './party.ts'

const EVENTS = 50_000
const ROUNDS = 5
const BARE = '/tickmesh/bench-bare/1'
const CHUNK_BYTES = 65_536

/** A clock that moves when it is told to: past a tick, even before the genesis. */
const handClock = (): Clock & { advance(): void } => {
  let now = BigInt(Date.now()) * 1_000_000n
  return {
    now: () => now,
    advance: () => {
      now += 2n * TICK_NS
    },
  }
}

const seconds = async (work: () => Promise<void>): Promise<number> => {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1000
}

/** Takes bytes until so many have come. */
const taken = (stream: Stream, bytes: number): Promise<void> =>
  new Promise((resolve) => {
    let left = bytes
    stream.addEventListener('message', ({ data }) => {
      left -= data.byteLength
      if (left <= 0) resolve()
    })
  })

/** Sends bytes as fast as the stream takes them. */
const pour = async (stream: Stream, bytes: number): Promise<void> => {
  const chunk = randomBytes(CHUNK_BYTES)
  for (let left = bytes; left > 0; left -= chunk.length) {
    if (!stream.send(chunk.subarray(0, Math.min(left, chunk.length)))) await stream.onDrain()
  }
}

const serve = async (host: Host, { sync }: Party, bytes: number): Promise<void> => {
  await host.handle(BARE, (stream) => void pour(stream, bytes))
  await host.handle(syncProtocol.name, async (stream, connection) => {
    const node = connection.remotePeer.toString()
    const talk = (wire: Wire) => sync.run(node, wire, false)
    await converse(syncProtocol, stream, { signal: AbortSignal.timeout(syncProtocol.timeoutMs), talk })
  })
}

/** Brings the whole log into a fresh store, and moves as many bytes over a bare stream, on one connection. */
const round = async (source: Party, host: Host, bytes: number): Promise<readonly [sync: number, bare: number]> => {
  await using opened = new AsyncDisposableStack()
  const away = await openParty(opened, source.clock)
  const own = opened.adopt(await startHost(away.seed, loopback), (it) => it.stop())
  const connection = await own.dial(host.getMultiaddrs().map((it) => multiaddr(it.toString())))
  const signal = AbortSignal.timeout(syncProtocol.timeoutMs)
  const bare = await seconds(async () => taken(await connection.newStream(BARE), bytes))
  const took = await seconds(async () => {
    const stream = await connection.newStream(syncProtocol.name)
    const talk = (wire: Wire) => away.sync.run(source.network.nodeId, wire, true)
    const outcome = await converse(syncProtocol, stream, { signal, talk })
    if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.detail}`)
  })
  const [view] = away.sync.sources()
  if (view?.size !== source.store.events.size || view.behind !== 0) throw new Error('the log did not come whole')
  return [took, bare]
}

const logBytes = async ({ store }: Party): Promise<number> => {
  let bytes = 0
  for await (const [, leaf] of store.range('leaf')) bytes += leaf.length
  return bytes
}

/** Catch-up of a whole event log beside a bare libp2p stream of as many bytes between the same two hosts. */
export const sync = bench({
  name: 'sync',
  summary: 'catch-up of an event log beside a bare libp2p stream of the same bytes [events] [of them interpreted]',
  async run([events, interpreted]) {
    await using opened = new AsyncDisposableStack()
    const clock = handClock()
    const source = await openParty(opened, clock)
    await writeEvents(source, wholeOr(events, EVENTS), interpreted === undefined ? 0 : wholeOr(interpreted, 1))
    clock.advance()
    await source.store.closeTick()
    const bytes = await logBytes(source)
    const host = opened.adopt(await startHost(source.seed, loopback), (it) => it.stop())
    await serve(host, source, bytes)
    const rounds: (readonly [number, number])[] = []
    for (let i = 1; i <= ROUNDS; i++) {
      const [took, bare] = await round(source, host, bytes)
      rounds.push([took, bare])
      console.log(`round ${i}: sync ${took.toFixed(3)} s, bare stream ${bare.toFixed(3)} s`)
    }
    const [leaves, mega] = [source.store.events.size, bytes / 1e6]
    const [took, bare] = [median(rounds.map((it) => it[0])), median(rounds.map((it) => it[1]))]
    console.log(`${leaves} leaves, ${mega.toFixed(1)} MB, ${interpreted ?? 0} interpreted; medians of ${ROUNDS}`)
    console.log(`sync         ${(leaves / took).toFixed(0)} events/s  ${(mega / took).toFixed(1)} MB/s`)
    console.log(`bare stream  ${(leaves / bare).toFixed(0)} events/s  ${(mega / bare).toFixed(1)} MB/s`)
    console.log(`sync / bare  ${median(rounds.map(([a, b]) => b / a)).toFixed(3)}`)
  },
})
