import { loadRegistry } from '#domain/compute/load-registry.ts'
import { createPaces } from '#domain/compute/paces.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { run } from '#numerics/runtime/run.ts'
import { aided, type Solver } from '#numerics/runtime/solver.ts'
import { solverByName } from '#numerics/solvers/index.ts'
import { bench } from './bench.ts'
import { sizes } from './paces/sizes.ts'
import { threadMs } from './thread-time.ts'

/** The first run compiles; the least of the others counts. */
const ROUNDS = 3
/** Runs this long are not repeated. */
const LONG_MS = 5_000
/** Times that a person takes for none: whether a quote is 5 or 15 ms nobody sees. */
const SHORT_MS = 25
const FACTOR = 2

const measured = (solver: Solver, input: never): number => {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const from = threadMs()
    solver.check(input, run(solver, input).outcome)
    times.push(threadMs() - from)
    if ((times[0] ?? 0) > LONG_MS) break
  }
  return Math.min(...(times.length > 1 ? times.slice(1) : times))
}

/** One line; whether the quote is more than twice off. */
const line = (name: string, given: object): boolean => {
  const found = solverByName(name)
  if (found === undefined) throw new Error(`no solver ${name}`)
  const solver = aided(found, { registry: loadRegistry })
  const input = resolveInput(solver, given)
  const work = solver.work(input)
  const { seconds, range } = createPaces().expect({ kind: name, work, recipe: { inputs: input as never } })
  const ms = measured(solver, input as never)
  const quoted = seconds * 1_000
  const [low, high] = range === null ? [quoted / FACTOR, quoted * FACTOR] : range.map((it) => it * 1_000)
  const off = Math.max(ms, quoted) > SHORT_MS && !((low ?? 0) <= ms && ms <= (high ?? 0))
  const numbers = [work, ms, quoted, quoted / ms].map((it) => it.toPrecision(3).padStart(10)).join('')
  console.log(`${name.padEnd(12)}${numbers}  ${off ? 'OFF ' : ''}${JSON.stringify(given)}`)
  return off
}

/** What quotes say beside what runs take, in processor time of one thread on the machine of the table. */
export const paces = bench({
  name: 'paces',
  summary: '[names]: the expected time of a quote beside that of the run, at three sizes of each solver',
  async run(words) {
    const names = words.length > 0 ? words : Object.keys(sizes)
    console.log('solver            work    run ms     quote     ratio')
    let off = 0
    let all = 0
    for (const name of names) {
      for (const given of sizes[name] ?? []) {
        all++
        if (line(name, given)) off++
      }
    }
    console.log(`${off} of ${all} are beyond a factor of ${FACTOR}, or outside of the range that is told`)
  },
})
