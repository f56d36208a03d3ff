import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '#gateway/client.ts'
import { bench, wholeOr } from './bench.ts'
import { startChildNode } from './child-node.ts'
import { type MixTally, mixedLoad } from './memory-load.ts'
import { type MemorySample, memoryFile } from './memory-probe.ts'
import { grantOwner, UNLIMITED } from './sealed.ts'

const PROBE = fileURLToPath(new URL('./memory-probe.ts', import.meta.url))
const MINUTES = 40
const CALLS_PER_SECOND = 4
const MINUTE_MS = 60_000

const sum = (values: readonly number[]): number => values.reduce((all, it) => all + it, 0)

const newest = (file: string): MemorySample | undefined => {
  if (!existsSync(file)) return undefined
  const line = readFileSync(file, 'utf8').trim().split('\n').at(-1)
  return line === undefined || line === '' ? undefined : (JSON.parse(line) as MemorySample)
}

const titles = [
  'minute',
  'rss',
  'own',
  'heap',
  'used',
  'external',
  'workers',
  'their heaps',
  'used',
  'external',
] as const

const rowOf = (minute: number, it: MemorySample): string =>
  [
    minute,
    it.rss,
    it.anon,
    it.heap,
    it.heapUsed,
    it.external,
    it.workers.length,
    sum(it.workers.map(({ heap }) => heap)),
    sum(it.workers.map(({ used }) => used)),
    sum(it.workers.map(({ external }) => external)),
  ]
    .map((value, i) => value.toFixed(0).padStart(titles[i]?.length ?? 0))
    .join('  ')

/** Extremes of the resident memory in the second half of a run, and how far they lie from their middle. */
const flatness = (samples: readonly MemorySample[]): string => {
  const half = samples.slice(Math.ceil(samples.length / 2)).map(({ rss }) => rss)
  const [low, high] = [Math.min(...half), Math.max(...half)]
  const share = (100 * (high - low)) / (high + low)
  return `second half: ${low.toFixed(0)} to ${high.toFixed(0)} MB, ±${share.toFixed(1)} %`
}

const countsOf = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([name, count]) => `${name} ${count}`).join(', ')

/** What a node holds while it is used a little: its memory each minute, by where it is. */
export const memory = bench({
  name: 'memory',
  summary: `resident memory of a node under a light mixed load, each minute [minutes ${MINUTES}] [calls a second]`,
  async run([minutes, calls]) {
    const directory = mkdtempSync(join(tmpdir(), 'tickmesh-bench-memory-'))
    const file = join(directory, 'memory.jsonl')
    const more = { ...UNLIMITED, [memoryFile]: file }
    const node = await startChildNode(join(directory, 'data'), more, ['--import', PROBE])
    const stop = new AbortController()
    const onSignal = (): void => stop.abort()
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, onSignal)
    const samples: MemorySample[] = []
    const show = (): void => {
      const it = newest(file)
      if (it === undefined) return
      console.log(rowOf(samples.length, it))
      samples.push(it)
    }
    try {
      await grantOwner(node)
      const client = createClient({ url: node.url, key: node.ownerKey, timeoutMs: MINUTE_MS })
      console.log(`MB of process ${node.process.pid}: resident, its own, the main thread's heap, the workers' heaps`)
      console.log(titles.join('  '))
      show()
      const each = setInterval(show, MINUTE_MS)
      const over = setTimeout(onSignal, wholeOr(minutes, MINUTES) * MINUTE_MS + MINUTE_MS / 2)
      const tally: MixTally = await mixedLoad(client, wholeOr(calls, CALLS_PER_SECOND), stop.signal)
      clearInterval(each)
      clearTimeout(over)
      console.log(flatness(samples))
      console.log(`answered: ${countsOf(tally.answered)}`)
      console.log(`refused: ${countsOf(tally.refused)}`)
    } finally {
      await node.end('SIGTERM')
      rmSync(directory, { recursive: true, force: true })
    }
  },
})
