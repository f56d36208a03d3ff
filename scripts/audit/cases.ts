import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { momentAt } from '#core/clock.ts'
import { Fault } from '#core/fault.ts'
import { TICK_NS } from '#core/tick.ts'
import type { Order } from '#numerics/operators/computation.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'
import { COMPUTE, checkComputation, solverOf } from '#numerics/operators/sealed.ts'
import { produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { aided, type Solver } from '#numerics/runtime/solver.ts'
import { solvers } from '#numerics/solvers/index.ts'

/** One number of one problem, worked out by somebody else. */
export interface AuditCase {
  readonly input: Readonly<Record<string, unknown>>
  /** Where the number stands in the result: `output.deflection`, `output.depth[17]`, `output.force[-1]`, or `value`. */
  readonly path: string
  readonly reference: number
  /** How the reference was worked out, in words. */
  readonly by: string
  /** What 100 % is, where it is not the reference itself: the largest value of a field whose node this is. */
  readonly scale?: number
}

/** The cases of one solver that ask for one input, so that it is run once. */
export interface AuditProblem {
  readonly name: string
  /** Undefined where operators compute. */
  readonly solver: Solver | undefined
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

/** The cases of a file, in which one without an input has that of the case before it. */
const casesOf = (text: string): readonly AuditCase[] => {
  let input: AuditCase['input'] = {}
  return (JSON.parse(text) as readonly (Omit<AuditCase, 'input'> & Partial<AuditCase>)[]).map((it) => {
    input = it.input ?? input
    return { ...it, input }
  })
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
      if (solver === undefined && name !== COMPUTE) throw new Error(`no solver ${name}`)
      const groups = Map.groupBy(casesOf(read(file)), (it) => JSON.stringify(it.input))
      return [...groups.values()].flatMap((cases) => {
        const input = cases[0]?.input
        return input === undefined ? [] : [{ name, solver, input, cases }]
      })
    })
}

/** Work units that a problem is, before any of it is done; infinite for an input that does not fit. */
export const auditWork = ({ solver, input }: AuditProblem): number => {
  try {
    return solver?.work(resolveInput(solver, input)) ?? 1
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** What of a sealed result is read here. */
interface Sealed {
  readonly value: number | null
  readonly output: unknown
  /** Undefined for an answer that can have no receipt. */
  readonly statedPct: number | undefined
}

/** A member of an object, or an element of an array, counted from its end where the number is below zero. */
const memberOf = (at: unknown, name: string): unknown => {
  const within = at as { readonly length?: number; readonly [name: string]: unknown } | undefined
  return within?.[name.startsWith('-') ? Number(within.length) + Number(name) : name]
}

/** The number at a path of a result. @throws Error where there is none. */
const numberAt = ({ output, value }: Sealed, path: string): number => {
  const [root, ...rest] = path.split(/[.[\]]+/).filter((it) => it !== '')
  const begin = root === 'value' ? value : root === 'output' ? output : undefined
  const found = rest.reduce<unknown>(memberOf, begin)
  if (typeof found !== 'number') throw new Error(`${path} is no number of the result`)
  return found
}

const refusalOf = (thrown: unknown): string => {
  if (thrown instanceof Fault) return thrown.code
  throw thrown
}

/** Computes an order of operators as a node would: the same relations, the same check. */
const computedBy = (order: Order): Sealed => {
  const { computation, reality, output } = checkComputation(computeOperators(rowsOfOperators(), order))
  return { value: computation.value, output, statedPct: reality.errorPct }
}

/** Runs a problem as a node would for whoever has a key: the same limits, the same run, the same gate. */
const sealedOf = ({ solver: bare, input }: AuditProblem): Sealed => {
  if (bare === undefined) return computedBy(input as unknown as Order)
  const solver = aided(bare, { registry: rowsOfOperators })
  const given = resolveInput(solver, input)
  const full = solver.completed?.(given, MOMENT) ?? given
  const work = solver.work(full)
  if (!(work <= solver.limits.workMax)) throw new Fault('WORK_LIMIT_EXCEEDED', `${work} work units`, {})
  const { outcome, value, reality } = produce(solver, full)
  return { value, output: outcome.output, statedPct: reality?.errorPct }
}

/** What a receipt of such a result names under `code.solver`. */
export const auditedRevision = (name: string, input: object): string => {
  const solver = solvers.find((it) => it.name === name)
  return solver === undefined ? solverOf(input) : `${name}@${solver.revision}`
}

/** What came of every case of a problem. @throws Error what is no refusal, or a path that leads nowhere. */
export const audited = (problem: AuditProblem): readonly Finding[] => {
  const all = (rest: Omit<Finding, 'solver' | 'case'>): readonly Finding[] =>
    problem.cases.map((it) => ({ solver: problem.name, case: it, ...rest }))
  let sealed: Sealed
  try {
    sealed = sealedOf(problem)
  } catch (thrown) {
    return all({ refused: refusalOf(thrown) })
  }
  const { statedPct } = sealed
  if (statedPct === undefined) return all({ refused: 'without a receipt' })
  return problem.cases.map((it) => {
    const value = numberAt(sealed, it.path)
    const off = Math.abs(value - it.reference)
    const realPct = off === 0 ? 0 : (100 * off) / Math.abs(it.scale ?? it.reference)
    return { solver: problem.name, case: it, value, realPct, statedPct }
  })
}
