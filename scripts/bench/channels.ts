import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Json } from '#core/canonical.ts'
import { TICK_SECONDS } from '#core/tick.ts'
import { type Client, createClient } from '#gateway/client.ts'
import { bench, median, quantile, wholeOr } from './bench.ts'
import { bytesIn, sealFloor } from './floor.ts'
import { costs, ofMainThread } from './profile-costs.ts'

const CHANNELS = 1_000
const MINUTES = 10
const IDLE_CHANNELS = 10_000
const FLOOR_SEALS = 10_000
const GRANT = 1_000_000_000
const MAKERS = 16
/** Seconds that are left out at the start, and over which an idle node is watched. */
const WARM_SECONDS = 5
const IDLE_SECONDS = 20
const CHILD = fileURLToPath(new URL('./channels-child.ts', import.meta.url))
const MB = 1e6

/** What the node says of itself once a tick. */
interface Told {
  readonly lateness: readonly number[]
  readonly missed: number
  readonly rss: number
  readonly cpuUs: number
}

interface MeasuredNode {
  readonly client: Client
  readonly readySeconds: number
  /** What it said since it was last asked. */
  told(): readonly Told[]
  end(): Promise<void>
}

const startMeasured = async (directory: string, nodeArgs: readonly string[] = []): Promise<MeasuredNode> => {
  const from = performance.now()
  const child: ChildProcess = spawn(process.execPath, [...nodeArgs, CHILD, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ready = Promise.withResolvers<string>()
  let said: Told[] = []
  if (child.stdout === null) throw new Error('the node has an output')
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('ready ')) ready.resolve(line.slice('ready '.length))
    else said.push(JSON.parse(line) as Told)
  })
  child.once('exit', (code) => ready.reject(new Error(`the node ended with ${code} before it was ready`)))
  const url = await ready.promise
  const key = readFileSync(join(directory, 'owner.key'), 'utf8').trim()
  return {
    client: createClient({ url, key }),
    readySeconds: (performance.now() - from) / 1_000,
    told: () => {
      const all = said
      said = []
      return all
    },
    end: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const seconds = (count: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, count * 1_000))

/** Makes channels of closed forms, each of another mass. */
const makeChannels = async (client: Client, count: number, autotick: boolean): Promise<number> => {
  let [made, refused] = [0, 0]
  const lane = async (): Promise<void> => {
    while (made + refused < count) {
      const mass = 1e30 + made * 1e24
      made += 1
      try {
        await client.call('compute.stream-create', { operators: ['GR37'], inputs: { mass }, autotick })
      } catch (cause) {
        if ((cause as { readonly code?: string }).code !== 'CAPACITY_EXCEEDED') throw cause
        made -= 1
        refused += 1
      }
    }
  }
  await Promise.all(Array.from({ length: MAKERS }, lane))
  if (refused > 0) console.log(`${refused} were refused: beyond the capacity that the node admits`)
  return made
}

/** One line about what was measured. */
const report = (all: readonly Told[], span: number): { readonly seals: number; readonly cpuUs: number } => {
  const lateness = all.flatMap((it) => it.lateness).sort((a, b) => a - b)
  const missed = all.reduce((sum, it) => sum + it.missed, 0)
  const rss = all.map((it) => it.rss / MB)
  const tenth = Math.max(1, Math.floor(rss.length / 10))
  const [first, last] = [median(rss.slice(0, tenth)), median(rss.slice(-tenth))]
  const rate = (lateness.length / span).toFixed(0)
  console.log(`${lateness.length} seals, ${rate} /s, ${missed} runs of missed ticks`)
  const [p50, p99, most] = [quantile(lateness, 0.5), quantile(lateness, 0.99), lateness.at(-1) ?? Number.NaN]
  console.log(`lateness in parts of a tick: p50 ${p50.toFixed(3)}, p99 ${p99.toFixed(3)}, most ${most.toFixed(3)}`)
  console.log(
    `memory: ${first.toFixed(0)} MB at first, ${last.toFixed(0)} MB at last, ${Math.max(...rss).toFixed(0)} at most`,
  )
  const cpuUs = (all.at(-1)?.cpuUs ?? 0) - (all[0]?.cpuUs ?? 0)
  console.log(`processor: ${((cpuUs / 1e6 / span) * 100).toFixed(0)} % of a core`)
  return { seals: lateness.length, cpuUs }
}

/** @param floorUs of one thread, for a seal */
const byPart = (
  profiles: string,
  stretch: { readonly fromUs: number; readonly toUs: number },
  { seals, floorUs }: { readonly seals: number; readonly floorUs: number },
): void => {
  const { kinds, busy, idle } = costs(ofMainThread(profiles), stretch)
  console.log(`main thread: ${(busy / 1e6).toFixed(1)} s busy, ${(idle / 1e6).toFixed(1)} s idle`)
  // A node that has time left is not asked for more: what a seal takes of its loop says how many there could be.
  const loopUs = busy / seals
  console.log(`a sealed tick takes ${loopUs.toFixed(0)} us of the loop: ${(floorUs / loopUs).toFixed(3)} of the floor`)
  for (const [title, us] of [...kinds].sort(([, a], [, b]) => b - a)) {
    console.log(`${(us / seals).toFixed(0).padStart(7)} us  ${((100 * us) / busy).toFixed(1).padStart(5)} %  ${title}`)
  }
}

/** Channels that tick by themselves, each mesh tick, for some time. */
const ticking = async (count: number, minutes: number): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'tickmesh-bench-'))
  const [data, profiles] = [join(directory, 'data'), join(directory, 'profiles')]
  mkdirSync(data)
  const args = ['--cpu-prof', `--cpu-prof-dir=${profiles}`, '--cpu-prof-interval=1000']
  const began = performance.now()
  const sinceUs = (): number => (performance.now() - began) * 1_000
  const node = await startMeasured(data, args)
  let found = { seals: 0, cpuUs: 0 }
  let [fromUs, toUs, floorUs] = [0, 0, 0]
  try {
    const { zid } = await node.client.call('economy.credits', {})
    await node.client.call('economy.grant', { zid, credits: GRANT, reason: 'bench' })
    const one = await node.client.call('compute.compute', { operators: ['GR37'], inputs: { mass: 1e30 } })
    const made = await makeChannels(node.client, count, true)
    await seconds(WARM_SECONDS)
    node.told()
    const bytes = bytesIn(data)
    const span = minutes * 60
    fromUs = sinceUs()
    console.log(`${made} channels, ${(made / TICK_SECONDS).toFixed(0)} seals /s are due, for ${span} s`)
    await seconds(span)
    toUs = sinceUs()
    found = report(node.told(), span)
    const each = (bytesIn(data) - bytes) / found.seals
    const aDay = (each * (found.seals / span) * 86_400) / 1e9
    console.log(`${each.toFixed(0)} bytes on disk a sealed tick, ${aDay.toFixed(1)} GB a day`)
    const before = process.cpuUsage()
    const bare = await sealFloor(one.claim as unknown as Readonly<Record<string, Json>>, FLOOR_SEALS)
    const { user, system } = process.cpuUsage(before)
    const [bareUs, nodeUs] = [(user + system) / FLOOR_SEALS, found.cpuUs / found.seals]
    console.log(
      `floor: text, signature, hash, write ${bare.toFixed(0)} /s, ${bareUs.toFixed(0)} us of processor a seal`,
    )
    console.log(
      `a sealed tick takes ${nodeUs.toFixed(0)} us of all threads: ${(bareUs / nodeUs).toFixed(3)} of the floor`,
    )
    floorUs = 1e6 / bare
    console.log(`by the clock ${(found.seals / span / bare).toFixed(3)} of the floor are due`)
  } finally {
    await node.end()
  }
  if (found.seals > 0) byPart(profiles, { fromUs, toUs }, { seals: found.seals, floorUs })
  rmSync(directory, { recursive: true, force: true })
}

/** Channels that wait to be asked: what they cost at a start, and while nothing happens. */
const idling = async (count: number): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'tickmesh-bench-'))
  const cpuShare = async (node: MeasuredNode): Promise<number> => {
    await seconds(WARM_SECONDS)
    node.told()
    await seconds(IDLE_SECONDS)
    const all = node.told()
    return ((all.at(-1)?.cpuUs ?? 0) - (all[0]?.cpuUs ?? 0)) / 1e6 / (TICK_SECONDS * Math.max(1, all.length - 1))
  }
  try {
    const measured: (readonly [channels: number, ready: number, share: number])[] = []
    const first = await startMeasured(directory)
    await first.end()
    for (const channels of [0, count]) {
      const node = await startMeasured(directory)
      if (channels > 0) {
        await makeChannels(node.client, channels, false)
        await node.end()
      }
      const again = channels > 0 ? await startMeasured(directory) : node
      measured.push([channels, again.readySeconds, await cpuShare(again)])
      await again.end()
    }
    for (const [channels, ready, share] of measured) {
      const line = `${(share * 100).toFixed(2)} % of a core while idle`
      console.log(`${String(channels).padStart(6)} idle channels: ready after ${ready.toFixed(2)} s, ${line}`)
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Channels of closed forms that tick by themselves beside the floor of a seal, and channels that wait. */
export const channels = bench({
  name: 'channels',
  summary: 'channels of closed forms that seal each tick, and idle ones [count, minutes, idle count]',
  async run([count, minutes, idle]) {
    const load = (): string => loadavg()[0]?.toFixed(1) ?? ''
    const span = minutes === undefined ? MINUTES : Number(minutes)
    console.log(`load of the machine before: ${load()}`)
    await ticking(wholeOr(count, CHANNELS), span)
    await idling(wholeOr(idle, IDLE_CHANNELS))
    console.log(`load of the machine after: ${load()}`)
  },
})
