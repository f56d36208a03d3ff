import { spawnSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { findOperators } from '#numerics/operators/find/find.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import { searchOperators } from '#numerics/operators/search.ts'
import { seeded } from '../../test/kit/random.ts'
import { bench, median, wholeOr } from './bench.ts'
import { finds, searches } from './operators/queries.ts'
import { type Call, sealedTimes } from './operators/sealing.ts'
import { meanOf, type Times, timesOf } from './operators/times.ts'

/** Draws the rows that are computed; of them as many. */
const SEED = 20_261_122
const DRAWN = 200
const ROUNDS = 5

type Load = Readonly<Record<string, number>>

const loadOnce = (): Load => {
  const child = fileURLToPath(new URL('operators/load-child.ts', import.meta.url))
  const { stdout, status, stderr } = spawnSync(process.execPath, ['--expose-gc', child], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the table was not loaded: ${stderr}`)
  return JSON.parse(stdout) as Load
}

/** Fresh processes; of each figure the least and the median. */
const loads = (rounds: number) => {
  const all = Array.from({ length: rounds }, loadOnce)
  const names = Object.keys(all[0] ?? {})
  return Object.fromEntries(
    names.map((name) => {
      const values = all.map((it) => it[name] ?? Number.NaN)
      return [name, { least: Math.min(...values), median: median(values) }]
    }),
  )
}

/** Drawn rows with the inputs of their worked examples. */
const drawn = ({ operators }: OperatorRegistry): readonly Call[] => {
  const random = seeded(SEED)
  const evaluable = operators.flatMap(({ row: { id, example } }) => (example === undefined ? [] : [{ id, example }]))
  return Array.from({ length: DRAWN }, () => {
    const { id, example } = random.pick(evaluable)
    return { operators: [id], inputs: example.inputs, solve_for: `${id}.${example.output}` }
  })
}

/** How many searches have a right row first, and among the first three. */
const hits = (registry: OperatorRegistry) => {
  const tops = searches.map(([text, ...ids]) => {
    const { found } = searchOperators(registry, { text, limit: 3 })
    return found.findIndex(({ row }) => ids.includes(row.id))
  })
  return {
    queries: tops.length,
    first: tops.filter((it) => it === 0).length,
    top3: tops.filter((it) => it >= 0).length,
  }
}

const measure = async (rounds: number) => {
  const load = loads(rounds)
  const registry = loadRegistry()
  const calls = drawn(registry)
  const compute = timesOf(meanOf(calls, rounds, (call) => computeOperators(registry, call)))
  const search = timesOf(meanOf(searches, rounds, ([text]) => searchOperators(registry, { text, limit: 50 })))
  const find = timesOf(
    meanOf(finds, rounds, ([wanted, known]) =>
      findOperators(registry, { wanted, known: known === '' ? [] : known.split(',') }),
    ),
  )
  return { load, compute, search, find, hits: hits(registry), sealed: await sealedTimes(calls) }
}

const line = (title: string, { runs, p50, p99, max }: Times): string => {
  const shown = Object.entries({ p50, p99, max }).map(([name, ms]) => `${name} ${ms.toFixed(2).padStart(7)} ms`)
  return `${title.padEnd(34)} ${shown.join('   ')}   of ${runs}`
}

const linesOf = ({ load, compute, search, find, hits: hit, sealed }: Awaited<ReturnType<typeof measure>>) => {
  const of = (name: string, unit: string, by = 1): string => {
    const { least = 0, median: middle = 0 } = load[name] ?? {}
    return `least ${(least / by).toFixed(1)} ${unit}, median ${(middle / by).toFixed(1)} ${unit}`
  }
  const share = (count: number): string => `${((100 * count) / hit.queries).toFixed(1)} %`
  return [
    `rows read and checked, cold:       ${of('rowsMs', 'ms')} (processor: ${of('rowsCpuMs', 'ms')})`,
    `registry_version, on first demand: ${of('versionMs', 'ms')} (processor: ${of('versionCpuMs', 'ms')})`,
    `heap of the rows after gc:         ${of('loadedBytes', 'MB', 1e6)}`,
    `indexes, on first demand:          search ${of('searchIndexMs', 'ms')}; find ${of('findIndexMs', 'ms')}`,
    `heap of both indexes after gc:     ${of('indexedBytes', 'MB', 1e6)}`,
    line('compute and judge, processor', compute),
    line('sealed by the service, clock', sealed.service),
    line('sealed through HTTP, clock', sealed.http),
    line('search, processor', search),
    line('find, processor', find),
    `of ${hit.queries} searches ${share(hit.first)} have a right row first, ${share(hit.top3)} among the first three`,
  ]
}

/** The operator table: what it takes to load, to compute with it, and to find something in it. */
export const operators = bench({
  name: 'operators',
  summary: '[rounds] [--json]: loading the operator table, computing, sealing, searching and finding with it',
  async run(words) {
    const json = words.includes('--json')
    const rounds = wholeOr(
      words.find((it) => !it.startsWith('--')),
      ROUNDS,
    )
    const machine = `${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.versions.node}`
    const busy = loadavg()[0]?.toFixed(1)
    const found = await measure(rounds)
    if (json)
      process.stdout.write(`${JSON.stringify({ machine, load_average: busy, rounds, ...found }, undefined, 2)}\n`)
    else for (const text of [`${machine}; load ${busy}; ${rounds} rounds`, ...linesOf(found)]) console.log(text)
  },
})
