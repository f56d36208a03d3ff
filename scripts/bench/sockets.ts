import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bench, median, quantile, wholeOr } from './bench.ts'
import { askedChild } from './sockets-ask.ts'
import { bareHub, type Hub, natsHub, nodeHub, type Sent, withoutNats } from './sockets-hubs.ts'
import { openMany } from './sockets-open.ts'
import { silentCrowd } from './sockets-silent.ts'

const CROWD = fileURLToPath(new URL('./sockets-crowd.ts', import.meta.url))
/** Messages before those that are measured. */
const WARM = 4
const SETTLE_MS = 1_500
const MB = 1e6

/** Place of the bare one among the hubs. */
const BARE = 1

interface Entered {
  readonly entered: number
  readonly refusals: ReadonlyMap<string, number>
}

interface Asked {
  readonly subscribers: number
  readonly silent: number
  readonly rounds: number
  readonly ticks: number
}

/** What a hub did in one round. */
interface Round {
  /** Milliseconds from the instant before the first subscriber got a message, over all messages, sorted. */
  readonly all: readonly number[]
  /** Milliseconds that the sender itself was busy with one message, the middle of all. */
  readonly took: number
  /** Messages that lack, over all who read, or came twice. */
  readonly lacking: number
  readonly rss: number
  /** Milliseconds of processor for a message and what else happens meanwhile. */
  readonly cpuMs: number
}

/** A hub with its subscribers, who stay for some rounds. */
interface Party extends AsyncDisposable {
  readonly title: string
  round(ticks: number): Promise<Round>
}

const latencies = (sent: readonly Sent[], arrivals: ReadonlyMap<number, readonly number[]>): number[] =>
  sent.flatMap(({ mark, at }) => (arrivals.get(mark) ?? []).map((came) => came - at)).sort((a, b) => a - b)

const gather = async (hub: Hub, { subscribers }: Asked, silent: number): Promise<Party> => {
  await using opened = new AsyncDisposableStack()
  const crowd = opened.use(askedChild(CROWD))
  const { target, title } = hub
  if (silent > 0) {
    opened.use(await silentCrowd(target, silent))
    await hub.fill()
  }
  const readers = subscribers - silent
  const { entered, refusals } = await crowd.ask<Entered>('open', { target, count: readers, reads: true })
  if (entered < readers) throw new Error(`${title}: ${entered} of ${readers} came in: ${JSON.stringify([...refusals])}`)
  const resources = opened.move()
  return {
    title,
    round: async (ticks) => {
      const before = await hub.state()
      const sent = await hub.run(ticks)
      await pause(SETTLE_MS)
      const { rss, cpuMs } = await hub.state()
      const arrivals = await crowd.ask<ReadonlyMap<number, readonly number[]>>('arrivals')
      return {
        all: latencies(sent, arrivals),
        took: median(sent.map((it) => it.took)),
        lacking: sent.reduce((sum, { mark }) => sum + Math.abs(readers - (arrivals.get(mark)?.length ?? 0)), 0),
        rss,
        cpuMs: (cpuMs - before.cpuMs) / ticks,
      }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

const load = (): string => loadavg()[0]?.toFixed(1) ?? ''

const line = (title: string, { all, took, cpuMs, rss, lacking }: Round, ratio: number): string =>
  [
    title.padEnd(12),
    ...[quantile(all, 0.5), quantile(all, 0.99), all.at(-1) ?? Number.NaN].map((ms) => ms.toFixed(1).padStart(7)),
    ...[took, cpuMs].map((ms) => ms.toFixed(1).padStart(7)),
    (rss / MB).toFixed(0).padStart(6),
    String(lacking).padStart(7),
    load().padStart(6),
    ratio.toFixed(2).padStart(7),
  ].join(' ')

/**
 * Some rounds of all hubs beside each other: each sends once a tick, at another third of it, so that whatever else the
 * machine does meets all of them.
 */
const compare = async (hubs: readonly Hub[], asked: Asked, silent: number): Promise<void> => {
  await using opened = new AsyncDisposableStack()
  const parties: Party[] = []
  for (const hub of hubs) parties.push(opened.use(await gather(hub, asked, silent)))
  await pause(SETTLE_MS)
  const together = (ticks: number): Promise<Round[]> => Promise.all(parties.map((it) => it.round(ticks)))
  await together(WARM)
  console.log(`${asked.subscribers} subscribers, ${silent} of which never read; ${asked.ticks} messages a round`)
  console.log('                 p50     p99    most    busy     cpu     MB lacking   load  of bare')
  const rounds: Round[][] = []
  for (let i = 0; i < asked.rounds; i++) {
    const done = await together(asked.ticks)
    rounds.push(done)
    for (const [k, it] of done.entries()) {
      console.log(line(parties[k]?.title ?? '', it, quantile(it.all, 0.99) / quantile(done[BARE]?.all ?? [], 0.99)))
    }
  }
  for (const [k, { title }] of parties.entries()) {
    const ratio = (share: number): string =>
      median(rounds.map((it) => quantile(it[k]?.all ?? [], share) / quantile(it[BARE]?.all ?? [], share))).toFixed(2)
    const all = rounds.flatMap((it) => it[k]?.all ?? []).sort((a, b) => a - b)
    const [p50, p99] = [quantile(all, 0.5).toFixed(1), quantile(all, 0.99).toFixed(1)]
    console.log(
      `${title}: p50 ${p50} ms, p99 ${p99}; of bare ws, middle of rounds: p50 ${ratio(0.5)}, p99 ${ratio(0.99)}`,
    )
  }
}

/** Bare ws and nats-server beside the node: one message to many, some of whom never read. */
export const sockets = bench({
  name: 'sockets',
  summary:
    'from a tick to its WebSockets beside bare ws and NATS [--subscribers 2000] [--silent 500] [--rounds 3] ' +
    '[--ticks 40], or many that open: [--open 20000 [--reads no]]',
  async run(args) {
    const option = { type: 'string' } as const
    const options = {
      ...{ open: option, reads: option },
      subscribers: option,
      silent: option,
      rounds: option,
      ticks: option,
    }
    const { values } = parseArgs({ args: [...args], options })
    if (values.open !== undefined) return openMany(wholeOr(values.open, 20_000), values.reads !== 'no')
    const asked: Asked = {
      subscribers: wholeOr(values.subscribers, 2_000),
      silent: wholeOr(values.silent, 500),
      rounds: wholeOr(values.rounds, 3),
      ticks: wholeOr(values.ticks, 40),
    }
    await using opened = new AsyncDisposableStack()
    const { hub, text } = await nodeHub()
    opened.use(hub)
    const hubs = [hub, opened.use(await bareHub({ text, phase: 1 / 3 }))]
    if (withoutNats === undefined) hubs.push(opened.use(await natsHub({ text, phase: 2 / 3 })))
    else console.log(withoutNats)
    console.log(
      `a message has ${Buffer.byteLength(text)} bytes; milliseconds from the instant before the first gets it`,
    )
    await compare(hubs, asked, 0)
    await compare(hubs, asked, asked.silent)
  },
})
