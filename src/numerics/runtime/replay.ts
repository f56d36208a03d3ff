import type { Claim, Code } from '#core/claim.ts'
import { equationsDigest } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import type { Replayed } from '#core/verify.ts'
import type { RowsAt } from '#numerics/operators/history.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import { otherRows } from '#numerics/operators/sealed.ts'
import { byCode, otherCode, type Rerun } from './by-code.ts'
import { equationsOf, fieldEquations } from './equations.ts'
import { produce } from './gate.ts'
import { resolveInput } from './input.ts'
import { kernelDigest, release } from './kernel.ts'
import { modulationText } from './modulation.ts'
import { asSealed } from './segment.ts'
import { aided, operatorsOf, type Progress, type Solver, unitOf } from './solver.ts'

/** Kernel names with their digests, `math` left out: it stands in the claim by itself. */
export const kernelDigests = (names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.filter((name) => name !== 'math').map((name) => [name, kernelDigest(name)]))

/** The part of `code` that this layer knows; the registry and the constants belong to the operators. */
export const codeOf = (
  solver: Pick<Solver, 'name' | 'revision' | 'kernels'>,
): Pick<Code, 'release' | 'math' | 'kernels' | 'solver'> => ({
  release,
  math: kernelDigest('math'),
  kernels: kernelDigests(solver.kernels),
  solver: `${solver.name}@${solver.revision}`,
})

/** A claim and the full inputs that it was made from. */
export interface ReplayOrder {
  readonly kind: string
  readonly inputs: unknown
  readonly claim: Claim
  /** The operator rows of a version, for solvers that read them. */
  readonly registry?: RowsAt
}

/** Rows that a claim names and that are not here: nothing can be run, and nobody is accused. */
class RowsMissing extends Error {}

const rowsOf = (registry: RowsAt, { code }: Claim): OperatorRegistry => {
  const found = registry(code.registry)
  if ('missing' in found) throw new RowsMissing(found.missing)
  return found
}

const again = (solver: Solver, inputs: unknown, claim: Claim, progress?: Progress): Rerun => {
  const input = resolveInput(solver, inputs)
  const { outcome, reality, steps, value, resultDigest } = produce(solver, input, { progress })
  if (reality === null) throw new Fault('INVALID_INPUT', 'These inputs have no sealed result.')
  const operators = operatorsOf(solver, input)
  const field = fieldEquations(solver.field?.(input, outcome), operators.length)
  const equations = equationsOf({ S: value, phase: claim.phase, field })
  return {
    result_digest: resultDigest,
    value,
    measured: reality.errorPct,
    steps,
    operators: ['KO42', ...operators],
    unit: unitOf(solver, input),
    R_t: modulationText(claim.phase),
    equations_digest: equationsDigest(equations),
  }
}

/**
 * Runs a claim's solver again on the same inputs, whole: solve, check, digests, equations at the claim's phase. Whoever
 * verifies compares every member bit for bit (`compareReplay` of core).
 *
 * @param solvers the registry to look the claim's kind up in.
 * @returns `unavailable` with a sentence when there is no such solver, the rows that it reads are not here, or other
 * code refuses the inputs; `otherCode`
 * when what ran is not the code of the claim.
 * @throws Fault INVALID_INPUT, or a refusal of the solver or the gate: then the claim does not hold.
 */
export const replay = (
  solvers: readonly Solver[],
  { kind, inputs, claim, registry }: ReplayOrder,
  progress?: Progress,
): Replayed => {
  const found = solvers.find((it) => it.name === kind)
  if (found === undefined) return { unavailable: `There is no solver ${kind} here.` }
  const given = registry === undefined ? found : aided(found, { registry: () => rowsOf(registry, claim) })
  const solver = asSealed(given, claim.code.solver)
  const rows = (): string | undefined =>
    registry !== undefined && solver.readsRegistry?.(resolveInput(solver, inputs)) === true
      ? otherRows(rowsOf(registry, claim), claim.code)
      : undefined
  try {
    const other = otherCode(codeOf(solver), claim.code) ?? rows()
    return byCode(other, () => again(solver, inputs, claim, progress))
  } catch (cause) {
    if (cause instanceof RowsMissing) return { unavailable: cause.message }
    throw cause
  }
}
