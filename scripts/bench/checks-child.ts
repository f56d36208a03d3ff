import { loadRegistry } from '#domain/compute/load-registry.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { run } from '#numerics/runtime/run.ts'
import { aided } from '#numerics/runtime/solver.ts'
import { solverByName } from '#numerics/solvers/index.ts'
import { threadMs } from './thread-time.ts'

/*
 * One row of the checks bench, in a process of its own, so that the first run is a cold one: a solver by its name, its
 * inputs as JSON and the rounds. Prints one line of JSON: milliseconds of solve and check, round by round.
 */

const [name = '', text = '{}', rounds = '1'] = process.argv.slice(2)
const found = solverByName(name)
if (found === undefined) throw new Error(`no solver ${name}`)
const solver = aided(found, { registry: loadRegistry })
const input = resolveInput(solver, JSON.parse(text))
const solve: number[] = []
const check: number[] = []
let errorPct = Number.NaN
for (let round = 0; round < Number(rounds); round++) {
  const from = threadMs()
  const { outcome } = run(solver, input)
  const between = threadMs()
  errorPct = solver.check(input, outcome).errorPct
  solve.push(between - from)
  check.push(threadMs() - between)
}
process.stdout.write(`${JSON.stringify({ solve, check, errorPct })}\n`)
