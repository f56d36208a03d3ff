import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { bench, median } from './bench.ts'
import { type Order, orderOf } from './solvers/order.ts'
import { install, missingOf } from './solvers/packages.ts'
import { race, type Standing } from './solvers/race.ts'
import { ratioOf, ratioText, summaryOf } from './solvers/summary.ts'
import { cases } from './solvers/table.ts'

const known = [...new Set(cases.map(({ solver }) => solver))]

/** Runnable processes, over 1, 5 and 15 minutes: on a quiet machine ours and the peer's one, so about 1. */
const load = (): string =>
  `load ${loadavg()
    .map((it) => it.toFixed(2))
    .join(' ')} on ${cpus().length} processors`

const rowsOf = ({ solver, problem, ours, pairings, skipped, failed }: Standing): readonly string[] => {
  const runs = ({ length }: readonly number[]): string => ` [${length} run${length === 1 ? '' : 's'}]`
  const row = (ms: readonly number[], ratio: string, words: string): string =>
    `${median(ms).toFixed(2).padStart(11)} ${ratio.padEnd(18)} ${words}`
  return [
    `${solver}: ${problem}`,
    ...(ours.ms.length > 0 ? [row(ours.ms, '1.00', `tickmesh: ${ours.said}`)] : []),
    ...pairings.map((it) => row(it.ms, ratioText(ratioOf(it), it.ms.length), `${it.name}: ${it.said}${runs(it.ms)}`)),
    ...skipped.map(({ name, why }) => `       SKIP ${name}: ${why}`),
    ...failed.map(({ name, why }) => `     FAILED ${name}: ${why.split('\n')[0]}`),
  ]
}

const measure = async ({ rounds, names, json }: Order, folder: string): Promise<void> => {
  const chosen = cases.filter(({ solver }) => names.length === 0 || names.includes(solver))
  // Where the report itself goes to stdout, the table makes way for it.
  const say = json === '-' ? console.error : console.log
  const machine = `${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.versions.node}`
  const [from, startLoad] = [performance.now(), load()]
  const limit = rounds === undefined ? 'rounds as a row can afford' : `up to ${rounds} rounds`
  say(`${machine}\n${limit}; at the start ${startLoad}`)
  say('times are processor time of the one thread that solves; ours below 50 ms are by the clock')
  say('  median ms ours ÷ theirs       who: accuracy')
  const standings: Standing[] = []
  for (const [i, it] of chosen.entries()) {
    const seconds = ((performance.now() - from) / 1e3).toFixed(0)
    console.error(`[${i + 1} of ${chosen.length}, ${seconds} s] ${it.solver}`)
    const standing = await race(it, { rounds, folder: mkdtempSync(join(folder, `${it.solver}-`)) })
    standings.push(standing)
    for (const line of rowsOf(standing)) say(line)
  }
  const summary = summaryOf(standings)
  const [seconds, endLoad] = [(performance.now() - from) / 1e3, load()]
  for (const line of summary) say(line)
  say(`${seconds.toFixed(0)} s; at the end ${endLoad}`)
  if (json !== undefined) {
    const problems = standings.map(({ pairings, ...rest }) => ({
      ...rest,
      pairings: pairings.map((it) => ({ ...it, ratio: ratioOf(it) })),
    }))
    const report = { machine, rounds, seconds, load: { start: startLoad, end: endLoad }, problems, summary }
    const text = `${JSON.stringify(report, undefined, 2)}\n`
    if (json === '-') process.stdout.write(text)
    else writeFileSync(json, text)
  }
  if (standings.some(({ failed }) => failed.length > 0)) process.exitCode = 1
}

/** Solvers beside their peers in one run. */
export const solvers = bench({
  name: 'solvers',
  summary: '[rounds] [names] [--install] [--json[=path]]: every solver beside its peers and the same arithmetic in C',
  run: async (words) => {
    let order: Order
    try {
      order = orderOf(words, known)
    } catch (error) {
      console.error(error instanceof Error ? error.message : error)
      process.exitCode = 2
      return
    }
    const { names } = order
    const wanted = cases.filter(({ solver }) => names.length === 0 || names.includes(solver))
    const packages = new Set(wanted.flatMap(({ peers }) => peers.flatMap((peer) => peer.packages)))
    if (order.install) await install(await missingOf([...packages]))
    const folder = mkdtempSync(join(tmpdir(), 'tickmesh-bench-'))
    try {
      await measure(order, folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
})
