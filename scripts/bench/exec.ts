import type { Connection, Stream } from '@libp2p/interface'
import { multiaddr } from '@multiformats/multiaddr'
import { toHex } from '#core/bytes.ts'
import { sleep } from '#core/wait.ts'
import { randomBytes, sha256 } from '#crypto'
import { type BlobRoom, createBlobs } from '#domain/network/blobs/blobs.ts'
import { linkFrame, messageBytes } from '#domain/network/links/frames.ts'
import { createLinks, type Links } from '#domain/network/links/links.ts'
import type { AskedOfWorker } from '#domain/network/works/messages.ts'
import { type Dialogue, openDialogue, serveDialogue } from '#mesh/dialogue.ts'
import { type Host, startHost } from '#mesh/libp2p.ts'
import { blobDialogue } from '#mesh/protocols/blob.ts'
import { execDialogue } from '#mesh/protocols/exec.ts'
import { bench, median, wholeOr } from './bench.ts'
import { errorsOnly, loopback, openParty } from './party.ts'

const PAIRS = 20
/** Round trips of one measurement of small messages. */
const TRIPS = 200
const STATE_BYTES = 64 * 1_048_576
/** Pairs in which the state goes over, of which each takes about a second. */
const STATE_PAIRS = 8
const CHUNK_BYTES = 65_536
const ECHO = '/tickmesh/bench-echo/1'
const POUR = '/tickmesh/bench-pour/1'

/** About a kibibyte: a heartbeat over eight jobs. */
const beatOf = (node: string): Extract<AskedOfWorker, { readonly type: 'beat' }> => ({
  type: 'beat',
  jobs: Array.from({ length: 8 }, (_, n) => ({
    job: { requester: node, random: n.toString(16).padStart(32, '0') },
    attempt: 0,
  })),
})

/** One node: its host, links and blobs, as they are put together in a node. */
const openNode = async (opened: AsyncDisposableStack, signal: AbortSignal) => {
  const { seed, store } = await openParty(opened, { now: () => BigInt(Date.now()) * 1_000_000n })
  const host = opened.adopt(await startHost(seed, loopback), (it) => it.stop())
  const links = opened.use(createLinks({ log: errorsOnly, sleep }))
  const blobs = createBlobs({
    ...{ store, bytesMax: 4 * STATE_BYTES, perMinuteMax: Number.MAX_SAFE_INTEGER, log: errorsOnly },
  })
  for (const it of [execDialogue, blobDialogue]) {
    await serveDialogue(host, it, { ports: { links, blobs }, log: errorsOnly, signal })
  }
  const way = (it: Dialogue) => ({
    reach: async () => 'connected',
    talk: <T>(node: string, talk: Parameters<typeof openDialogue<T>>[2]['talk'], until: AbortSignal) =>
      openDialogue(host, it, { node, talk, signal: AbortSignal.any([signal, until]) }),
  })
  links.join(way(execDialogue))
  blobs.join(way(blobDialogue))
  return { host, links, blobs, store, node: host.peerId.toString() }
}

const milliseconds = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** Counts bytes of a stream as they come; `next` resolves when so many more have. */
const counting = (stream: Stream) => {
  let [came, wanted] = [0, 0]
  let done: (() => void) | undefined
  stream.addEventListener('message', ({ data }) => {
    came += data.byteLength
    if (came >= wanted) done?.()
  })
  return (bytes: number): Promise<void> => {
    wanted += bytes
    return came >= wanted ? Promise.resolve() : new Promise((resolve) => (done = resolve))
  }
}

/** Sends bytes as fast as the stream takes them. */
const pour = async (stream: Stream, bytes: number): Promise<void> => {
  const chunk = randomBytes(CHUNK_BYTES)
  for (let left = bytes; left > 0; left -= chunk.length) {
    if (!stream.send(chunk.subarray(0, Math.min(left, chunk.length)))) await stream.onDrain()
  }
}

/** What stands beside: streams that stay open, on which the same bytes go and nobody reads what they say. */
const openBare = async (far: Host, connection: Connection, size: number) => {
  await far.handle(ECHO, (stream) => {
    let came = 0
    stream.addEventListener('message', ({ data }) => {
      came += data.byteLength
      for (; came >= size; came -= size) stream.send(new Uint8Array(size))
    })
  })
  await far.handle(POUR, (stream) => {
    stream.addEventListener('message', () => void pour(stream, STATE_BYTES))
  })
  const [echo, tap] = [await connection.newStream(ECHO), await connection.newStream(POUR)]
  const [echoed, poured] = [counting(echo), counting(tap)]
  const question = randomBytes(size)
  return {
    trip: async (): Promise<void> => {
      const back = echoed(size)
      echo.send(question)
      await back
    },
    state: async (): Promise<void> => {
      const all = poured(STATE_BYTES)
      tap.send(Uint8Array.of(1))
      await all
    },
  }
}

/** Asks the worker and waits for what it tells, one after another. */
const exchanging = (own: Links, far: Links, nodes: { readonly own: string; readonly far: string }) => {
  const [asked, told] = [beatOf(nodes.own), beatOf(nodes.far)]
  const { signal } = new AbortController()
  let came: (() => void) | undefined
  far.onAsked(async (node) => void far.tell(node, told, signal))
  own.onTold(async () => came?.())
  return async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    came = resolve
    await Promise.all([own.ask(nodes.far, asked, signal), promise])
  }
}

const pulling = (own: BlobRoom, far: string, value: Uint8Array) => {
  const name = { kind: 'bytes', sha256: toHex(sha256(value)) } as const
  const { signal } = new AbortController()
  return async (): Promise<void> => {
    const got = await own.pull(name, [far], { signal })
    if (got?.length !== value.length) throw new Error('the state did not come')
  }
}

interface Pair {
  readonly own: () => Promise<unknown>
  readonly bare: () => Promise<unknown>
  readonly pairs: number
}

/** Measures both in turn, one first and then the other. @returns medians, and that of the ratios of pairs */
const paired = async ({ own, bare, pairs }: Pair) => {
  await own()
  await bare()
  const found: (readonly [own: number, bare: number])[] = []
  for (let i = 0; i < pairs; i += 1) {
    if (i % 2 === 0) {
      const took = await milliseconds(own)
      found.push([took, await milliseconds(bare)])
    } else {
      const took = await milliseconds(bare)
      found.push([await milliseconds(own), took])
    }
  }
  return {
    own: median(found.map(([took]) => took)),
    bare: median(found.map(([, took]) => took)),
    ratio: median(found.map(([took, beside]) => beside / took)),
  }
}

const times = (work: () => Promise<void>) => async (): Promise<void> => {
  for (let i = 0; i < TRIPS; i += 1) await work()
}

/** Round trips of contributed work beside a bare stream between the same two hosts, on the same connection. */
export const exec = bench({
  name: 'exec',
  summary:
    'a message and its answer of 1 KiB, and 64 MiB of state, beside a bare stream of the same bytes [pairs] [of state]',
  async run([pairs, statePairs]) {
    await using opened = new AsyncDisposableStack()
    const stop = new AbortController()
    opened.defer(() => stop.abort())
    const [a, b] = [await openNode(opened, stop.signal), await openNode(opened, stop.signal)]
    const connection = await a.host.dial(b.host.getMultiaddrs().map((it) => multiaddr(it.toString())))
    const size = linkFrame('ask', 0, messageBytes(beatOf(a.node))).length
    const bare = await openBare(b.host, connection, size)
    const trip = exchanging(a.links, b.links, { own: a.node, far: b.node })
    const state = randomBytes(STATE_BYTES)
    const name = { kind: 'bytes', sha256: toHex(sha256(state)) } as const
    await b.store.commit((tx) => b.blobs.put(tx, name, state, tx.meshTick + 100_000))

    const [count, whole] = [wholeOr(pairs, PAIRS), wholeOr(statePairs, STATE_PAIRS)]
    const small = await paired({ own: times(trip), bare: times(bare.trip), pairs: count })
    const each = (ms: number): string => `${((1_000 * ms) / TRIPS).toFixed(0)} µs`
    console.log(
      `${size} bytes there and back, ${count} pairs of ${TRIPS}: exec ${each(small.own)}, bare ${each(small.bare)}`,
    )
    console.log(`bare / exec  ${small.ratio.toFixed(3)}`)
    const large = await paired({
      own: pulling(a.blobs, b.node, state),
      bare: bare.state,
      pairs: whole,
    })
    console.log(`64 MiB, ${whole} pairs: blob ${large.own.toFixed(0)} ms, bare ${large.bare.toFixed(0)} ms`)
    console.log(`bare / blob  ${large.ratio.toFixed(3)}`)
  },
})
