import { loadRegistry } from '#domain/compute/load-registry.ts'
import { produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { aided, type Solver } from '#numerics/runtime/solver.ts'
import { solvers } from '#numerics/solvers/index.ts'

/**
 * Runs every problem that the guides of the solvers name (or those of the solvers named) through the gate, and prints
 * what each took, its error and its figures. A figure that no problem of its solver tells is named, and so is a problem
 * that is refused: the exit code is then 1.
 */
const registry = loadRegistry()
const only = process.argv.slice(2)

const told = (output: unknown, member: string): unknown =>
  member.split('.').reduce<unknown>((it, key) => (it as Record<string, unknown> | null | undefined)?.[key], output)

const shown = (value: unknown): string => (typeof value === 'number' ? Number(value.toPrecision(6)) : value) as string

const runAll = (solver: Solver): boolean => {
  const { presets, headline } = solver.guide ?? { presets: [], headline: [] }
  const silent = new Set<string>(headline.map(({ member }) => member))
  let good = true
  for (const { name, input } of presets) {
    const begun = performance.now()
    try {
      const { outcome, reality } = produce(solver, resolveInput(solver, input))
      const seconds = ((performance.now() - begun) / 1000).toFixed(2)
      const figures = headline.flatMap(({ member }) => {
        const value = told(outcome.output, member) ?? undefined
        if (value === undefined) return []
        silent.delete(member)
        return [`${member} ${shown(value)}`]
      })
      console.log(`${solver.name}: ${name}: ${seconds} s, ${reality?.errorPct} %, ${figures.join(', ')}`)
    } catch (error) {
      good = false
      console.log(`${solver.name}: ${name}: REFUSED, ${error}`)
    }
  }
  for (const member of silent) console.log(`${solver.name}: no problem tells ${member}`)
  return good && silent.size === 0
}

const chosen = solvers.filter(({ name }) => only.length === 0 || only.includes(name))
const verdicts = chosen.map((it) => runAll(aided(it, { registry: () => registry })))
if (verdicts.includes(false)) process.exitCode = 1
