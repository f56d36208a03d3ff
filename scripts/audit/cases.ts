import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { momentAt } from '#core/clock.ts'
import { Fault } from '#core/fault.ts'
import { TICK_NS } from '#core/tick.ts'
import { operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'
import { type Produced, produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { aided, type Solver } from '#numerics/runtime/solver.ts'
import { solvers } from '#numerics/solvers/index.ts'

/** One number of one problem, worked out by somebody else. */
export interface AuditCase {
  readonly input: Readonly<Record<string, unknown>>
  /** Where the number stands in the result: `output.deflection`, `output.depth[17]`, or `value`. */
  readonly path: string
  readonly reference: number
  /** How the reference was worked out, in words. */
  readonly by: string
  /** What 100 % is, where it is not the reference itself: the largest value of a field whose node this is. */
  readonly scale?: number
}

/** The cases of one solver that ask for one input, so that it is run once. */
export interface AuditProblem {
  readonly solver: Solver
  readonly input: Readonly<Record<string, unknown>>
  readonly cases: readonly AuditCase[]
}

/** What came of a case. */
export interface Finding {
  readonly solver: string
  readonly case: AuditCase
  /** Undefined where nothing was sealed. */
  readonly value?: number
  /** How far the value is from the reference, in percent of the scale. */
  readonly realPct?: number
  /** What the check measured, in percent. */
  readonly statedPct?: number
  /** The code of the refusal, or why there is an answer and no receipt. */
  readonly refused?: string
}

/** A fixed moment, for solvers that a node gives its time. */
const MOMENT = momentAt(2_000_000_000n * TICK_NS, 2_000_000_000)

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const read = (path: string): string => readFileSync(path, 'utf8')

let registry: ReturnType<typeof operatorRegistry> | undefined
const rowsOfOperators = (): ReturnType<typeof operatorRegistry> => {
  registry ??= operatorRegistry(
    globSync(here('../../protocols/operators/*.jsonl'))
      .sort()
      .flatMap((path) => rowsOfText(read(path))),
  )
  return registry
}

/**
 * Every problem that lies beside this file, one solver after the other.
 *
 * @param names the solvers wanted; all where there is none.
 */
export const auditProblems = (names: readonly string[] = []): readonly AuditProblem[] => {
  const files = globSync(here('./*.json')).sort()
  const known = new Map(files.map((file) => [basename(file, '.json'), file]))
  for (const it of names) if (!known.has(it)) throw new Error(`no cases of ${it}: ${[...known.keys()].join(', ')}`)
  return [...known]
    .filter(([name]) => names.length === 0 || names.includes(name))
    .flatMap(([name, file]) => {
      const solver = solvers.find((it) => it.name === name)
      if (solver === undefined) throw new Error(`no solver ${name}`)
      const groups = Map.groupBy(JSON.parse(read(file)) as readonly AuditCase[], (it) => JSON.stringify(it.input))
      return [...groups.values()].flatMap((cases) => {
        const input = cases[0]?.input
        return input === undefined ? [] : [{ solver, input, cases }]
      })
    })
}

/** Work units that a problem is, before any of it is done; infinite for an input that does not fit. */
export const auditWork = ({ solver, input }: AuditProblem): number => {
  try {
    return solver.work(resolveInput(solver, input))
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** The number at a path of a result. @throws Error where there is none. */
const numberAt = ({ outcome, value }: Produced<unknown, unknown>, path: string): number => {
  const [root, ...rest] = path.split(/[.[\]]+/).filter((it) => it !== '')
  const begin = root === 'value' ? value : root === 'output' ? outcome.output : undefined
  const found = rest.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], begin)
  if (typeof found !== 'number') throw new Error(`${path} is no number of the result`)
  return found
}

const refusalOf = (thrown: unknown): string => {
  if (thrown instanceof Fault) return thrown.code
  throw thrown
}

/** Runs a problem as a node would for whoever has a key: the same limits, the same run, the same gate. */
const sealedOf = ({ solver: bare, input }: AuditProblem): Produced<object, unknown> => {
  const solver = aided(bare, { registry: rowsOfOperators })
  const given = resolveInput(solver, input)
  const full = solver.completed?.(given, MOMENT) ?? given
  const work = solver.work(full)
  if (!(work <= solver.limits.workMax)) throw new Fault('WORK_LIMIT_EXCEEDED', `${work} work units`, {})
  return produce(solver, full)
}

/** What came of every case of a problem. @throws Error what is no refusal, or a path that leads nowhere. */
export const audited = (problem: AuditProblem): readonly Finding[] => {
  const all = (rest: Omit<Finding, 'solver' | 'case'>): readonly Finding[] =>
    problem.cases.map((it) => ({ solver: problem.solver.name, case: it, ...rest }))
  let produced: Produced<object, unknown>
  try {
    produced = sealedOf(problem)
  } catch (thrown) {
    return all({ refused: refusalOf(thrown) })
  }
  if (produced.reality === null) return all({ refused: 'without a receipt' })
  const { errorPct: statedPct } = produced.reality
  return problem.cases.map((it) => {
    const value = numberAt(produced, it.path)
    const off = Math.abs(value - it.reference)
    const realPct = off === 0 ? 0 : (100 * off) / Math.abs(it.scale ?? it.reference)
    return { solver: problem.solver.name, case: it, value, realPct, statedPct }
  })
}
