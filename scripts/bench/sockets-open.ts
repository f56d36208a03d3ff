import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { quantile } from './bench.ts'
import { askedChild } from './sockets-ask.ts'
import { nodeHub, type Sent } from './sockets-hubs.ts'

const CROWD = fileURLToPath(new URL('./sockets-crowd.ts', import.meta.url))
/** A process may have no more open: two of them stand for all. */
const CROWDS = 2
/** Openings of each that are under way at once: more together than a node has places for connections. */
const LANES = 700
const POLL_MS = 25
const TICKS = 4
const MB = 1e6
const SETTLE_MS = 1_000
const GONE_MS_MAX = 60_000

interface NodeState {
  readonly rss: number
  readonly heapUsed: number
  readonly external: number
  readonly sockets: number
  readonly cpuMs: number
}

const megabytes = (bytes: number): string => (bytes / MB).toFixed(0)

/** The status of an answer. */
const answered = async (url: URL, agent: Agent): Promise<number | undefined> => {
  const [answer] = (await once(get(url, { agent }), 'response')) as [IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  return answer.statusCode
}

/** Asks again and again until it is told to stop. @returns how long each answer took, and how many failed */
const asking = async (url: string, agent: Agent, stop: AbortSignal) => {
  const took: number[] = []
  let failed = 0
  while (!stop.aborted) {
    const from = performance.now()
    try {
      if ((await answered(new URL('/api/daemon/health', url), agent)) === 200) took.push(performance.now() - from)
      else failed += 1
    } catch {
      failed += 1
    }
    await pause(POLL_MS)
  }
  const sorted = took.sort((a, b) => a - b)
  const all = [quantile(sorted, 0.5), quantile(sorted, 0.99), sorted.at(-1) ?? Number.NaN]
  const [p50, p99, most] = all.map((ms) => ms.toFixed(1))
  return `${took.length} answers, p50 ${p50} ms, p99 ${p99}, most ${most}, ${failed} failed`
}

/** One connection that stays, and one for each call, as whoever comes new has it. */
const agents = { kept: new Agent({ keepAlive: true, maxSockets: 1 }), new: new Agent({ keepAlive: false }) } as const

/** Says how long calls took while something was done. */
const beside = async <T>(title: string, url: string, work: () => Promise<T>): Promise<T> => {
  const stop = new AbortController()
  const asked = [asking(url, agents.kept, stop.signal), asking(url, agents.new, stop.signal)]
  const from = performance.now()
  const done = await work()
  const seconds = ((performance.now() - from) / 1_000).toFixed(1)
  stop.abort()
  const [kept, fresh] = await Promise.all(asked)
  console.log(`${title} (${seconds} s): calls of /api/daemon/health on a kept connection ${kept}; on new ones ${fresh}`)
  return done
}

/** So many sockets that open at a node at once, twice: what is let in, what is refused, and what is given back. */
export const openMany = async (count: number, reads: boolean): Promise<void> => {
  const { hub, child } = await nodeHub({}, ['--expose-gc'])
  await using _ = hub
  const url = await child.ask<string>('url')
  /** As it stands, after a collection. */
  const state = (): Promise<NodeState> => child.ask<NodeState>('state', { collected: true })
  const said = (title: string, it: NodeState, first: NodeState): void => {
    const each = it.sockets > 0 ? `, ${((it.rss - first.rss) / it.sockets / 1e3).toFixed(1)} kB of it a socket` : ''
    console.log(
      `${title}: ${it.sockets} sockets, resident ${megabytes(it.rss)} MB${each}, heap ${megabytes(it.heapUsed)} MB, ` +
        `beside it ${megabytes(it.external)} MB`,
    )
  }
  const each = Math.ceil(count / CROWDS)
  const first = await state()
  said('before', first, first)
  await beside('nobody', url, () => pause(2 * SETTLE_MS))
  for (let round = 0; round < 2; round++) {
    await using opened = new AsyncDisposableStack()
    const crowds = Array.from({ length: CROWDS }, () => opened.use(askedChild(CROWD)))
    await beside(`${count} open`, url, async () => {
      const all = await Promise.all(
        crowds.map((it, i) =>
          it.ask<{ entered: number; refusals: ReadonlyMap<string, number> }>('open', {
            ...{ target: hub.target, count: each, reads, first: i * each, lanes: LANES },
          }),
        ),
      )
      for (const { entered, refusals } of all)
        console.log(`${entered} came in; refused: ${JSON.stringify([...refusals])}`)
    })
    await pause(SETTLE_MS)
    said('open', await state(), first)
    const sent = await beside('ticks', url, () => hub.run(TICKS))
    await pause(SETTLE_MS)
    const came = await Promise.all(crowds.map((it) => it.ask<ReadonlyMap<number, readonly number[]>>('arrivals')))
    told(sent, came)
    said('after ticks', await state(), first)
    await beside('close', url, async () => {
      await Promise.all(crowds.map((it) => it.ask('close')))
      const until = performance.now() + GONE_MS_MAX
      while ((await child.ask<NodeState>('state')).sockets > 0 && performance.now() < until) await pause(POLL_MS)
    })
    await pause(SETTLE_MS)
    said('closed', await state(), first)
  }
}

const told = (sent: readonly Sent[], came: readonly ReadonlyMap<number, readonly number[]>[]): void => {
  for (const { mark, at, took } of sent) {
    const all = came
      .flatMap((it) => it.get(mark) ?? [])
      .map((it) => it - at)
      .sort((a, b) => a - b)
    const [p50, p99] = [quantile(all, 0.5).toFixed(0), quantile(all, 0.99).toFixed(0)]
    console.log(
      `tick ${mark}: ${all.length} arrivals, p50 ${p50} ms, p99 ${p99}; the node was busy ${took.toFixed(0)} ms`,
    )
  }
}
