import type { Static, TObject, TSchema } from 'typebox'
import { toJson } from '#core/arrays.ts'
import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { inputsDigest } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { didYouMean, shortened, slipsOf } from '#core/near-names.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import type { Condition, ContractOrder } from './schema.ts'

/** What a reactor keeps of its contract beside the inputs of step 1. */
export interface Terms {
  readonly steps: number
  readonly seal: boolean
  readonly stops: readonly Condition[]
  readonly observers: readonly string[]
}

/** A contract that was checked against its solver. */
export interface Contract {
  readonly solver: Solver
  /** Full inputs of step 1. */
  readonly input: Static<TObject>
  readonly terms: Terms
}

/** Members of the answer that any contract may name beside those of the solver's output. */
const common: readonly string[] = ['value', 'errorPct', 'errorSum']

interface Formed {
  readonly type?: unknown
  readonly anyOf?: readonly Formed[]
}

const isNumber = ({ type, anyOf }: Formed): boolean =>
  type === 'number' || type === 'integer' || (anyOf?.some(isNumber) ?? false)

/** Names of the members of a solver's answer that are numbers: what may be observed and compared. */
export const quantitiesOf = ({ output }: Pick<Solver, 'output'>): readonly string[] =>
  Object.entries(output.properties as Readonly<Record<string, TSchema>>)
    .filter(([, schema]) => isNumber(schema as Formed))
    .map(([name]) => name)

const refuse = (path: string, why: string, more: Readonly<Record<string, unknown>> = {}): never => {
  throw new Fault('INVALID_INPUT', `${path}: ${why}`, { path, errors: [{ path, message: why }], ...more })
}

const assertNamed = (solver: Solver, names: readonly string[], path: string): void => {
  const allowed = [...common, ...quantitiesOf(solver)]
  const wrong = names.find((name) => !allowed.includes(name))
  if (wrong !== undefined) refuse(path, `${solver.name} has no quantity ${wrong}.`, { allowed })
}

/** The inputs of step 1 as the caller gave them: state laid over the rest, and the length of a step. */
const given = (solver: Solver, { inputs, initialState, stretch }: ContractOrder): Record<string, unknown> => {
  const twice = Object.keys(initialState).find((name) => Object.hasOwn(inputs, name))
  if (twice !== undefined) refuse(`/initialState/${twice}`, 'stands in inputs as well; say it once.')
  const together = { ...inputs, ...initialState }
  if (stretch === undefined) return together
  const member = ['t_max', 'steps'].find((name) => Object.hasOwn(solver.input.properties, name))
  if (member === undefined) return refuse('/stretch', `the inputs of ${solver.name} say how long a step is.`)
  if (Object.hasOwn(together, member)) refuse('/stretch', `${member} stands in the inputs as well; say it once.`)
  return { ...together, [member]: stretch }
}

/** The solver of a name, if its answer is a state. @throws Fault NOT_FOUND, NOT_STEPPABLE */
export const steppedSolver = (solvers: readonly Solver[], name: string): Solver => {
  const solver = solvers.find((it) => it.name === name)
  const able = solvers.filter((it) => it.continued !== undefined).map((it) => it.name)
  if (solver === undefined) {
    const hint = didYouMean(slipsOf(name, able))
    throw new Fault('INVALID_INPUT', `There is no solver ${shortened(name)}.${hint}`, { path: '/solver', able })
  }
  if (solver.continued !== undefined) return solver
  const why = `The answer of ${name} is no state that a next step can take up; those of ${able.join(', ')} are.`
  throw new Fault('NOT_STEPPABLE', why, {
    solver: name,
    steppable: able,
  })
}

/**
 * Checks a contract against its solver. Nothing runs, and the solver's own refusals come later, where its limits are.
 *
 * @throws Fault INVALID_INPUT; NOT_STEPPABLE for a solver or inputs whose runs cannot go on or have no measured error.
 */
export const contractOf = (solvers: readonly Solver[], order: ContractOrder): Contract => {
  const solver = steppedSolver(solvers, order.solver)
  const { steps, seal, stops, observers } = order
  const named = stops.map(({ of }) => of)
  assertNamed(solver, named, '/stops')
  assertNamed(solver, observers, '/observers')
  const input = resolveInput(solver, given(solver, order))
  if (solver.sealable?.(input) === false) {
    throw new Fault('NOT_STEPPABLE', 'These inputs have no sealed result, so there is no error to add up.', {
      solver: solver.name,
    })
  }
  return { solver, input, terms: { steps, seal, stops, observers } }
}

/** What binds a contract: its digest under `tickmesh/reactor/1`. @param machine id hash of the machine, if any. */
export const contractDigest = ({ solver, input, terms }: Contract, machine: string | null): string =>
  digest(purposes.reactor, {
    solver: `${solver.name}@${solver.revision}`,
    inputs_digest: inputsDigest(solver.input, input as object),
    machine,
    ...(toJson(terms) as { readonly [name: string]: Json }),
  })

const holds = (value: number, { op, than }: Condition): boolean => {
  if (op === '<') return value < than
  if (op === '<=') return value <= than
  return op === '>' ? value > than : value >= than
}

/** The first condition that these quantities meet. A quantity that is absent or null meets none. */
export const metBy = (
  stops: readonly Condition[],
  quantities: Readonly<Record<string, number | null>>,
): Condition | undefined =>
  stops.find((it) => {
    const value = quantities[it.of]
    return typeof value === 'number' && holds(value, it)
  })
