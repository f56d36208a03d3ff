import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stream } from '@libp2p/interface'
import { multiaddr } from '@multiformats/multiaddr'
import type { Clock } from '#core/clock.ts'
import { purposes } from '#core/digest.ts'
import { eventLeaf, signEvent } from '#core/events.ts'
import { publicKeyOfSeed, signValue } from '#core/keys.ts'
import { type Log, noMeter } from '#core/telemetry.ts'
import { TICK_NS } from '#core/tick.ts'
import { ed25519Sign, randomBytes } from '#crypto'
import type { Network } from '#domain/network/network.ts'
import { createRecorder, type Recorder } from '#domain/network/recorder.ts'
import { createNetwork } from '#domain/network/service.ts'
import { converse } from '#mesh/protocol.ts'
import { syncProtocol } from '#mesh/protocols/sync.ts'
import { type Host, startHost } from '#mesh/libp2p.ts'
import { openStore } from '#store/open.ts'
import type { Store } from '#store/store.ts'
import { bench, median, wholeOr } from './bench.ts'

const EVENTS = 50_000
const ROUNDS = 5
/** Payload bytes of an event whose type is kept and not interpreted. */
const FILLER_BYTES = 300
const COMMIT_EVENTS = 500
const BARE = '/tickmesh/bench-bare/1'
const CHUNK_BYTES = 65_536

const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error }
const loopback = { host: '127.0.0.1', port: 0, bootstrap: [], announce: [] }

interface Party {
  readonly seed: Uint8Array
  readonly node: string
  readonly store: Store
  readonly network: Network
  readonly recorder: Recorder
  readonly clock: Clock & { advance(): void }
}

/** A clock that moves a tick when it is told to. */
const handClock = (): Party['clock'] => {
  let now = BigInt(Date.now()) * 1_000_000n
  return {
    now: () => now,
    advance: () => {
      now += TICK_NS
    },
  }
}

const partyIn = async (opened: AsyncDisposableStack, seed = randomBytes(32)): Promise<Party> => {
  const directory = mkdtempSync(join(tmpdir(), 'tickmesh-sync-'))
  opened.defer(() => rmSync(directory, { recursive: true, force: true }))
  const signer = { publicKey: publicKeyOfSeed(seed), sign: async (bytes: Uint8Array) => ed25519Sign(seed, bytes) }
  const clock = handClock()
  const store = opened.use(await openStore({ directory, clock, signer }))
  const recorder = createRecorder(store, signer)
  const network = createNetwork({
    ...{ signer, clock, secrets: [], policy: 'open', version: 'bench', registryVersion: 'bench' },
    ...{ genesisMeshTick: store.genesisMeshTick, ownHead: () => undefined, coherence: () => undefined },
    ...{ log: silent, meter: noMeter, keeping: { store, recorder } },
  })
  return { seed, node: network.nodeId, store, network, recorder, clock }
}

/** Fills an event log. @param assertions how many of the events are of the type that is interpreted. */
const fill = async ({ seed, node, store, recorder, clock }: Party, events: number, assertions: number) => {
  const every = assertions === 0 ? Number.POSITIVE_INFINITY : Math.floor(events / assertions)
  let bytes = 0
  for (let done = 0; done < events; done += COMMIT_EVENTS) {
    await store.commit((tx) => {
      for (let i = done; i < Math.min(events, done + COMMIT_EVENTS); i++) {
        if ((i + 1) % every === 0) {
          const key = randomBytes(32)
          const signed = { node, public_key: Buffer.from(publicKeyOfSeed(key)).toString('hex'), mesh_tick: tx.meshTick }
          const signature = signValue(key, purposes.signUp, signed)
          recorder.in(tx, 'identity.assert', { ...signed, signature })
          bytes += 700
          continue
        }
        const payload = { i, filler: 'x'.repeat(FILLER_BYTES) }
        const unsigned = { v: 1, type: 'work', sourceNodeId: node, tick: tx.meshTick, payload } as const
        tx.append(purposes.eventLeaf, (seq) => eventLeaf(signEvent(seed, { ...unsigned, seq })), 'events')
        bytes += 620 + FILLER_BYTES - 200
      }
    })
  }
  clock.advance()
  await store.closeTick()
  return bytes
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

const serve = async (host: Host, party: Party, bytes: () => number): Promise<void> => {
  await host.handle(BARE, (stream) => void pour(stream, bytes()))
  await host.handle(syncProtocol.name, async (stream, connection) => {
    const node = connection.remotePeer.toString()
    const signal = AbortSignal.timeout(syncProtocol.timeoutMs)
    const talk = (wire: Parameters<Parameters<typeof converse>[2]['talk']>[0]) =>
      party.network.sync?.run(node, wire, false) ?? Promise.reject(new Error('no sync'))
    await converse(syncProtocol, stream, { signal, talk }).catch(() => undefined)
  })
}

/** Brings the whole log into a fresh store, and moves as many bytes over a bare stream, on one connection. */
const round = async (source: Party, host: Host, bytes: number): Promise<readonly [sync: number, bare: number]> => {
  await using opened = new AsyncDisposableStack()
  const away = await partyIn(opened)
  const own = opened.adopt(await startHost(away.seed, loopback), (it) => it.stop())
  const connection = await own.dial(host.getMultiaddrs().map((it) => multiaddr(it.toString())))
  const signal = AbortSignal.timeout(syncProtocol.timeoutMs)
  const bare = await seconds(async () => {
    const stream = await connection.newStream(BARE)
    await taken(stream, bytes)
  })
  const sync = await seconds(async () => {
    const stream = await connection.newStream(syncProtocol.name)
    const outcome = await converse(syncProtocol, stream, {
      signal,
      talk: (wire) => away.network.sync?.run(source.node, wire, true) ?? Promise.reject(new Error('no sync')),
    })
    if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.detail}`)
  })
  const [view] = away.network.sync?.sources() ?? []
  if (view?.size !== source.store.events.size || view.behind !== 0) throw new Error('the log did not come whole')
  return [sync, bare]
}

const logBytes = async ({ store }: Party): Promise<number> => {
  let bytes = 0
  for await (const [, leaf] of store.range('leaf')) bytes += leaf.length
  return bytes
}

/** Catch-up of a whole event log beside a bare libp2p stream of as many bytes between the same two hosts. */
export const sync = bench({
  name: 'sync',
  summary: 'catch-up of an event log beside a bare libp2p stream that moves the same bytes [events] [assertions]',
  async run([events, assertions]) {
    const count = wholeOr(events, EVENTS)
    await using opened = new AsyncDisposableStack()
    const source = await partyIn(opened)
    await fill(source, count, assertions === undefined ? 0 : wholeOr(assertions, 1))
    const bytes = await logBytes(source)
    const host = opened.adopt(await startHost(source.seed, loopback), (it) => it.stop())
    await serve(host, source, () => bytes)
    const rounds: (readonly [number, number])[] = []
    for (let i = 0; i < ROUNDS; i++) {
      const [took, bare] = await round(source, host, bytes)
      rounds.push([took, bare])
      console.log(`round ${i + 1}: sync ${took.toFixed(3)} s, bare stream ${bare.toFixed(3)} s`)
    }
    const leaves = source.store.events.size
    const [took, bare] = [median(rounds.map((it) => it[0])), median(rounds.map((it) => it[1]))]
    const mega = bytes / 1e6
    console.log(`${leaves} leaves, ${mega.toFixed(1)} MB, ${assertions ?? 0} of them interpreted; medians of ${ROUNDS}`)
    console.log(`sync         ${(leaves / took).toFixed(0)} events/s  ${(mega / took).toFixed(1)} MB/s`)
    console.log(`bare stream  ${(leaves / bare).toFixed(0)} events/s  ${(mega / bare).toFixed(1)} MB/s`)
    console.log(`ratio        ${median(rounds.map(([a, b]) => b / a)).toFixed(3)}`)
  },
})
