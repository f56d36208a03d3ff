import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { littleEndianBytes } from '#core/arrays.ts'
import { createAdi } from '#numerics/diffusion/adi.ts'
import { bench, median, wholeOr } from './bench.ts'

const run = promisify(execFile)
const PEER_MS_MAX = 300_000

interface Peer {
  readonly name: string
  /** Makes the peer ready, or says in the error why it cannot run here. */
  readonly prepare: (folder: string) => Promise<readonly string[]>
}

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const gcc = (name: string, ...flags: readonly string[]): Peer => ({
  name: `gcc ${flags.join(' ')}`,
  prepare: async (folder) => {
    const program = join(folder, name)
    await run('gcc', [...flags, '-o', program, beside('heat.c')])
    return [program]
  },
})

const peers: readonly Peer[] = [
  gcc('heat-plain', '-O3', '-ffp-contract=off'),
  gcc('heat-native', '-O3', '-ffp-contract=off', '-march=native'),
  {
    name: 'SciPy solve_banded',
    prepare: async () => {
      await run('python3', ['-c', 'import scipy.linalg'])
      return ['python3', beside('heat.py')]
    },
  },
]

/** A smooth field that is nowhere zero: unknowns between fixed edges. */
const startOf = (n: number): Float64Array =>
  Float64Array.from({ length: n * n }, (_, at) => {
    const x = ((at % n) + 1) / (n + 1)
    const y = (Math.floor(at / n) + 1) / (n + 1)
    return x * (1 - x) * y * (1 - y) * (1 + x)
  })

const ours = (n: number, steps: number, r: number): { readonly ms: number; readonly end: Float64Array } => {
  const adi = createAdi({ rows: n, columns: n, rAcross: r, rAlong: r, insulated: false }, startOf(n))
  const from = performance.now()
  adi.advance(0, steps, () => undefined)
  return { ms: performance.now() - from, end: adi.field }
}

const farthest = (a: Float64Array, b: Float64Array): number => {
  const scale = a.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? Number.NaN))), 0) / scale
}

interface Row {
  readonly name: string
  readonly ms: number[]
  note: string
}

/** One round of a peer: the milliseconds it measured itself, and how far its field is from ours. */
const roundOf = async (command: readonly string[], args: readonly string[], ourEnd: Float64Array) => {
  const [program = '', ...rest] = command
  const { stdout } = await run(program, [...rest, ...args], { timeout: PEER_MS_MAX })
  const bytes = readFileSync(args[5] ?? '')
  const field = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  return { ms: Number(stdout), off: farthest(ourEnd, field) }
}

/** Heat ADI on fixed edges, 512² intervals × 200 steps unless told otherwise, beside its peers in one run. */
export const heat = bench({
  name: 'heat',
  summary:
    '[intervals] [steps] [rounds]: heat ADI beside the same arithmetic in C, and beside SciPy; medians in one run',
  run: async (args) => {
    const intervals = wholeOr(args[0], 512)
    const steps = wholeOr(args[1], 200)
    const rounds = wholeOr(args[2], 5)
    const n = intervals - 1
    const r = 0.5 * 1e-4 * intervals * intervals
    const folder = mkdtempSync(join(tmpdir(), 'tickmesh-bench-'))
    try {
      const start = join(folder, 'start')
      writeFileSync(start, littleEndianBytes(startOf(n)))
      const own: Row = { name: 'tickmesh kernel (WebAssembly SIMD)', ms: [], note: '' }
      const ready: { readonly row: Row; readonly command: readonly string[] }[] = []
      for (const { name, prepare } of peers) {
        const row: Row = { name, ms: [], note: '' }
        try {
          ready.push({ row, command: await prepare(folder) })
        } catch {
          console.log(`SKIP ${name}: it cannot run here`)
        }
      }
      ours(n, Math.min(steps, 20), r)
      // Round by round, everyone in turn: what else the machine does then falls on all alike.
      for (let round = 0; round < rounds; round++) {
        const { ms, end } = ours(n, steps, r)
        own.ms.push(ms)
        for (const { row, command } of ready) {
          const its = await roundOf(command, [`${n}`, `${steps}`, `${r}`, '1', start, join(folder, 'end')], end)
          row.ms.push(its.ms)
          row.note = its.off === 0 ? 'same bits' : `farthest node ${its.off.toExponential(1)} off`
        }
      }
      console.log(
        `heat ADI, ${intervals}² intervals × ${steps} steps, ${rounds} rounds, ${cpus()[0]?.model ?? 'unknown CPU'}`,
      )
      console.log('median ms    least   ratio  who')
      for (const { name, ms, note } of [own, ...ready.map(({ row }) => row)]) {
        const figures = [
          median(ms).toFixed(1).padStart(9),
          Math.min(...ms)
            .toFixed(1)
            .padStart(8),
        ]
        console.log(
          `${figures.join(' ')} ${(median(ms) / median(own.ms)).toFixed(2).padStart(7)}  ${name}${note && `: ${note}`}`,
        )
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
})
