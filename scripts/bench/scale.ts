import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bench, wholeOr } from './bench.ts'
import { startChildNode } from './child-node.ts'

const CHILD = fileURLToPath(new URL('./scale-child.ts', import.meta.url))
const CLI = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
/** Envelopes up to which an archive is also verified to its last row: that is a restore and an fsck more. */
const FULL_VERIFY_MAX = 1_000_000
const LOOK_MS = 100
const MB = 1e6
const ENVELOPES = 100_000

interface Ran {
  readonly seconds: number
  /** The most memory of its own that the process was seen with. */
  readonly peakMb: number
  readonly answer: Readonly<Record<string, unknown>>
}

/** Memory that is a process's own, without the pages of files that it has mapped, where the system tells it. */
const ownMemoryOf = (pid: number | undefined): number => {
  try {
    return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000
  } catch {
    return 0
  }
}

/** Runs a program of ours to its end; the last line of its stdout is JSON. */
const run = async (args: readonly string[], data: string): Promise<Ran> => {
  const from = performance.now()
  const env = { ...process.env, TICKMESH_DATA: data }
  const child = spawn(process.execPath, [...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  let peakMb = 0
  child.stdout.on('data', (chunk) => {
    out += String(chunk)
  })
  const looking = setInterval(() => {
    peakMb = Math.max(peakMb, ownMemoryOf(child.pid))
  }, LOOK_MS)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearInterval(looking)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${out}`)
  const answer = JSON.parse(out.trim().split('\n').at(-1) ?? '{}') as Record<string, unknown>
  return { seconds: (performance.now() - from) / 1000, peakMb, answer }
}

const megabytesIn = (directory: string): number => {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
  return names.reduce((sum, it) => sum + (it.isFile() ? statSync(join(it.parentPath, it.name)).size : 0), 0) / MB
}

type Row = readonly [what: string, value: number, unit: string]

const show = (envelopes: number, rows: readonly Row[]): void => {
  console.log(`\n${envelopes} envelopes`)
  for (const [what, value, unit] of rows) {
    const text = value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toFixed(3)
    console.log(`${what.padEnd(34)} ${text.padStart(10)} ${unit}`)
  }
}

/** What a start costs, to the line that says it is ready: the whole node, with its interface. */
const readyTime = async (data: string): Promise<Row[]> => {
  const node = await startChildNode(data)
  const rss = ownMemoryOf(node.process.pid)
  await node.end('SIGTERM')
  return [
    ['start of a node, to ready', node.readySeconds, 's'],
    ['memory of the node, at ready', rss, 'MB'],
  ]
}

const archived = async (data: string, envelopes: number): Promise<Row[]> => {
  const file = join(data, 'bench.backup')
  const cli = (...words: readonly string[]) => run([CLI, ...words, '--json', '--quiet'], data)
  const create = await cli('backup', 'create', file)
  const size = statSync(file).size / MB
  const quick = await cli('backup', 'verify', file, '--quick')
  const restore = await cli('backup', 'restore', file)
  rmSync(join(data, 'replaced-1'), { recursive: true })
  const full = envelopes <= FULL_VERIFY_MAX ? await cli('backup', 'verify', file, '--work-dir', data) : undefined
  const rows: Row[] = [
    ['backup create', create.seconds, 's'],
    ['  archive', size, 'MB'],
    ['  memory', create.peakMb, 'MB'],
    ['backup verify --quick', quick.seconds, 's'],
    ['  memory', quick.peakMb, 'MB'],
    ['backup restore', restore.seconds, 's'],
    ['  memory', restore.peakMb, 'MB'],
  ]
  if (full === undefined) return rows
  return [...rows, ['backup verify, to the last row', full.seconds, 's'], ['  memory', full.peakMb, 'MB']]
}

/** Fills a store through the door that seals, and measures what grows with it. One table for each size. */
export const scale = bench({
  name: 'scale',
  summary: 'append, proof, start, memory, fsck and backup by the number of envelopes [envelopes …]',
  async run(words) {
    const sizes = words.length === 0 ? [ENVELOPES] : words.map((word) => wholeOr(word, ENVELOPES))
    for (const envelopes of sizes) {
      const data = mkdtempSync(join(tmpdir(), 'tickmesh-scale-'))
      try {
        const filled = await run([CHILD, 'fill', data, String(envelopes)], data)
        const probed = await run([CHILD, 'probe', data], data)
        const disk = megabytesIn(join(data, 'db'))
        const ready = await readyTime(data)
        const fsck = await run([CLI, 'fsck', '--json', '--quiet'], data)
        const { seconds, perSecond } = filled.answer as Readonly<Record<string, number>>
        const { appendUs, proofUs, bundleUs, openMs } = probed.answer as Readonly<Record<string, number>>
        show(envelopes, [
          ['fill: seal and commit, 512 at once', seconds ?? 0, 's'],
          ['  envelopes', perSecond ?? 0, '/s'],
          ['  memory', filled.peakMb, 'MB'],
          ['append, one at a time, fsynced', (appendUs ?? 0) / 1000, 'ms'],
          ['proof with checkpoint, verified', (proofUs ?? 0) / 1000, 'ms'],
          ['bundle', (bundleUs ?? 0) / 1000, 'ms'],
          ['open of the store', (openMs ?? 0) / 1000, 's'],
          ['  memory, with the probes', probed.peakMb, 'MB'],
          ...ready,
          ['disk', disk, 'MB'],
          ['fsck', fsck.seconds, 's'],
          ['  memory', fsck.peakMb, 'MB'],
          ...(await archived(data, envelopes)),
        ])
      } finally {
        rmSync(data, { recursive: true, force: true })
      }
    }
  },
})
