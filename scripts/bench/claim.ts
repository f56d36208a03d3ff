import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { claimThreads, startThread } from '#cli/claim-work.ts'
import { utf8 } from '#core/bytes.ts'
import { findNonce, type LaneReply } from '#core/work-crew.ts'
import { bench, median, wholeOr } from './bench.ts'

const ROUNDS = 5
const MS_EACH = 2_000
const RATIO_MIN = 0.8
const CHROMIUM = '/usr/bin/chromium'

/** As long as a real one, and asking for more than any search finds. */
const work = { challenge: `${'a'.repeat(340)}.${'b'.repeat(43)}`, bits: 200 }
const message = utf8(`tickmesh/pow/1\n${work.challenge}\n100000000000000`)

/** The bare loop of a thread: Node's own hash and nothing of ours. */
const BARE_THREAD = `
const { hash } = require('node:crypto')
const { parentPort, workerData: { message, ms } } = require('node:worker_threads')
const from = performance.now()
let hashes = 0
let now = from
while (now - from < ms) {
  for (let i = 0; i < 512; i++) hash('sha256', message, 'binary')
  hashes += 512
  now = performance.now()
}
parentPort.postMessage(hashes)`

const bareThread = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(BARE_THREAD, { eval: true, workerData: { message, ms: MS_EACH } })
    worker.once('message', resolve)
    worker.once('error', reject)
  })

/** Processor time of this process so far, in seconds: other work on the machine changes it less than the clock's. */
const processorSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Bare loops in as many threads as a claim has: hashes in a second of processor time. */
const bareThreads = async (): Promise<number> => {
  const from = processorSeconds()
  const each = await Promise.all(Array.from({ length: claimThreads() }, bareThread))
  return each.reduce((sum, it) => sum + it, 0) / (processorSeconds() - from)
}

/** The command line's own search, from its first word on: what comes before is the start of a thread. */
const claimInThreads = async (): Promise<number> => {
  const told: { readonly tried: number; readonly seconds: number }[] = []
  const search = findNonce(work, {
    lanes: claimThreads(),
    start: startThread,
    signal: AbortSignal.timeout(MS_EACH),
    tell: ({ tried }) => void told.push({ tried, seconds: processorSeconds() }),
  })
  await search.catch(() => undefined)
  const [first, last] = [told[0], told.at(-1)]
  if (first === undefined || last === undefined) return Number.NaN
  return (last.tried - first.tried) / (last.seconds - first.seconds)
}

/** A worker of the page as one script. */
const workerCode = async (path: string): Promise<string> => {
  const input = fileURLToPath(new URL(path, import.meta.url))
  const made = await build({
    ...{ configFile: false, logLevel: 'error' },
    build: { write: false, target: 'es2023', rollupOptions: { input } },
  })
  const [first] = Array.isArray(made) ? made : [made]
  if (first === undefined || !('output' in first)) throw new Error('Vite made nothing')
  return first.output[0].code
}

/** Starts a worker in a page, hands it something, and gives what it said last within a time. */
const inPage = (page: Page, code: string, order: object, ms: number): Promise<unknown> =>
  page.evaluate(
    ([text, data, wait]) => {
      const address = URL.createObjectURL(new Blob([text as string], { type: 'text/javascript' }))
      const worker = new globalThis.Worker(address)
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      let last: unknown
      worker.onmessage = (event) => {
        last = event.data
        if (typeof last === 'number') resolve(last)
      }
      worker.onerror = (event) => reject(new Error(`the worker broke: ${event.message}`))
      setTimeout(() => resolve(last), wait as number)
      worker.postMessage(data)
      return promise.finally(() => worker.terminate())
    },
    [code, order, ms] as const,
  )

type Pace = readonly [name: string, claim: () => Promise<number>, bare: () => Promise<number>]

/** Ratio of each round: both loops one after the other, so that other work on the machine falls on both. */
const compare = async ([name, claim, bare]: Pace, rounds: number): Promise<void> => {
  const ratios: number[] = []
  const speeds: (readonly [number, number])[] = []
  for (let round = 0; round < rounds; round++) {
    const pair = round % 2 === 0 ? [await claim(), await bare()] : [await bare(), await claim()].toReversed()
    const [ours = 0, theirs = Number.NaN] = pair
    ratios.push(ours / theirs)
    speeds.push([ours, theirs])
  }
  const ratio = median(ratios)
  const middle = [0, 1].map((side) => (median(speeds.map((it) => it[side] ?? 0)) / 1e6).toFixed(3).padStart(9))
  console.log(
    `${name.padEnd(14)}${middle.join('')}${ratio.toFixed(2).padStart(8)}${ratio < RATIO_MIN ? '  below 0.8' : ''}`,
  )
}

/** How fast a claim searches, beside a bare loop of the same hash in the same place. */
export const claim = bench({
  name: 'claim',
  summary: `hashes a second of the daily claim beside a bare loop, command line and page [rounds ${ROUNDS}]`,
  async run([given]) {
    const rounds = wholeOr(given, ROUNDS)
    await using browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
    const page = await browser.newPage()
    const [ours, bare] = [
      await workerCode('../../src/ui/wallet/claim-worker.ts'),
      await workerCode('./claim-bare-worker.ts'),
    ]
    const claimInPage = async (): Promise<number> => {
      const said = (await inPage(page, ours, { ...work, lane: 0 }, MS_EACH)) as LaneReply
      return said.kind === 'tried' ? (said.tried / said.ms) * 1_000 : Number.NaN
    }
    const barePage = async (): Promise<number> =>
      Number(await inPage(page, bare, { message: [...message], ms: MS_EACH }, 2 * MS_EACH))
    console.log('               claim     bare   ratio  (million hashes a second)')
    await compare([`${claimThreads()} threads`, claimInThreads, bareThreads], rounds)
    await compare(['page worker', claimInPage, barePage], rounds)
  },
})
