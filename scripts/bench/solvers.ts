import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bench, median, wholeOr } from './bench.ts'
import type { Case, Peer, Round } from './solvers/frame.ts'
import { cases } from './solvers/table.ts'

const run = promisify(execFile)
const INSTALL_MS_MAX = 900_000

/** Ratios ours ÷ theirs, by the kind of peer. */
type Ratios = Readonly<Record<Peer['kind'], number[]>>

const install = async (missing: readonly string[]): Promise<void> => {
  if (missing.length === 0) return
  console.log(`installing ${missing.join(' ')}`)
  await run('apt-get', ['install', '-y', '-q', ...missing], { timeout: INSTALL_MS_MAX })
}

/** Debian packages of these cases that are not installed. */
const missingOf = async (chosen: readonly Case[]): Promise<readonly string[]> => {
  const wanted = [...new Set(chosen.flatMap(({ peers }) => peers.flatMap(({ packages }) => packages)))]
  const there = await Promise.all(
    wanted.map((name) =>
      run('dpkg-query', ['-s', name]).then(
        ({ stdout }) => stdout.includes('install ok installed'),
        () => false,
      ),
    ),
  )
  return wanted.filter((_, i) => !there[i])
}

interface Row {
  readonly peer: Peer
  readonly round: () => Promise<Round>
  readonly ms: number[]
  said: string
}

const readyPeers = async ({ peers }: Case, folder: string): Promise<readonly Row[]> => {
  const ready: Row[] = []
  for (const [i, peer] of peers.entries()) {
    try {
      const round = await peer.prepare(mkdtempSync(join(folder, `${i}-`)))
      const { said } = await round()
      ready.push({ peer, round, ms: [], said })
    } catch (error) {
      const why = error instanceof Error ? error.message.split('\n')[0] : String(error)
      console.log(`SKIP ${peer.name} (${peer.packages.join(', ')}): ${why}`)
    }
  }
  return ready
}

const compare = async (it: Case, { rounds, folder }: { rounds: number; folder: string }, ratios: Ratios) => {
  console.log(`${it.solver}: ${it.problem}`)
  const ready = await readyPeers(it, folder)
  let { said } = it.ours()
  const own: number[] = []
  // Round by round, everyone in turn: what else the machine does then falls on all alike.
  for (let round = 0; round < rounds; round++) {
    const mine = it.ours()
    own.push(mine.ms)
    said = mine.said
    for (const row of ready) row.ms.push((await row.round()).ms)
  }
  const line = (ms: readonly number[], ratio: number, words: string): void =>
    console.log(`${median(ms).toFixed(2).padStart(11)} ${ratio.toFixed(2).padStart(7)}  ${words}`)
  line(own, 1, `tickmesh: ${said}`)
  for (const { peer, ms, said: its } of ready) {
    const ratio = median(own) / median(ms)
    ratios[peer.kind].push(ratio)
    line(ms, ratio, `${peer.name}: ${its}`)
  }
}

/** The geometric mean of some ratios. */
const geometric = (ratios: readonly number[]): string =>
  Math.exp(ratios.reduce((sum, it) => sum + Math.log(it), 0) / ratios.length).toFixed(3)

/** Solvers beside their peers in one run. */
export const solvers = bench({
  name: 'solvers',
  summary: '[rounds] [names] [--install]: every solver beside its peers and the same arithmetic in C; medians',
  run: async (args) => {
    const words = args.filter((it) => it !== '--install')
    const counted = /^\d+$/.test(words[0] ?? '')
    const rounds = wholeOr(counted ? words[0] : undefined, 5)
    const names = words.slice(counted ? 1 : 0)
    const unknown = names.find((name) => !cases.some(({ solver }) => solver === name))
    if (unknown !== undefined) throw new Error(`no bench of a solver ${unknown}`)
    const chosen = cases.filter(({ solver }) => names.length === 0 || names.includes(solver))
    if (args.includes('--install')) await install(await missingOf(chosen))
    const folder = mkdtempSync(join(tmpdir(), 'tickmesh-bench-'))
    const ratios: Ratios = { peer: [], c: [] }
    try {
      console.log(
        `${rounds} rounds, ${cpus()[0]?.model ?? 'unknown CPU'}\n  median ms    o/t  ours ÷ theirs; who: accuracy`,
      )
      for (const it of chosen) await compare(it, { rounds, folder }, ratios)
      console.log(`geometric means of ours ÷ theirs: ${ratios.peer.length} peers ${geometric(ratios.peer)}`)
      if (ratios.c.length > 0)
        console.log(`  ${ratios.c.length} programs of the same arithmetic in C ${geometric(ratios.c)}`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
})
