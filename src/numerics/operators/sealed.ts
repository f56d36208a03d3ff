import type { Json } from '#core/canonical.ts'
import type { Claim, Code } from '#core/claim.ts'
import { equationsDigest, inputsDigest, resultDigest } from '#core/envelope.ts'
import type { Replayed } from '#core/verify.ts'
import { byCode, otherCode, type Rerun } from '#numerics/runtime/by-code.ts'
import { equationsOf, fieldEquations } from '#numerics/runtime/equations.ts'
import { passGate } from '#numerics/runtime/gate.ts'
import { kernelDigest, release } from '#numerics/runtime/kernel.ts'
import { modulationText } from '#numerics/runtime/modulation.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import type { BoundOrder, Computation, Order } from './computation.ts'
import { computeOperators } from './compute.ts'
import { constantsDigest } from './constants.ts'
import type { OperatorRegistry } from './registry.ts'

/** The claim's kind of a computation by operators. */
export const COMPUTE = 'compute'
/** Raised whenever the bits of any operator computation change. */
export const COMPUTE_REVISION = 1
/** `code.solver` of such a claim. */
export const COMPUTE_SOLVER = `${COMPUTE}@${COMPUTE_REVISION}`
/** The same of orders with uncertainties, which revision 1 does not know. Without any, revision 1 is what they are. */
export const UNCERTAIN_SOLVER = `${COMPUTE}@2`

/** `code.solver` of an order. */
export const solverOf = ({ uncertainties }: Pick<Order, 'uncertainties'>): string =>
  (uncertainties ?? undefined) === undefined ? COMPUTE_SOLVER : UNCERTAIN_SOLVER

/** What of a computation is its result: under the result digest, and sent as it stands here. */
export const computeOutput = (it: Computation): Readonly<Record<string, Json>> => {
  const { value, unit, output, chain, propagate } = it
  return {
    value,
    unit,
    output,
    chain: chain.map((link) => ({
      id: link.id,
      output: link.output,
      value: link.value,
      unit: link.unit,
      method: link.method,
      inputs: link.inputs,
      constants: link.constants,
      fed: link.fed,
    })),
    ...(propagate !== undefined && { propagated: propagate() as unknown as Json }),
  }
}

/**
 * The same with its members in the order of the canonical form: what is hashed is then written as it stands, in a third
 * of the time. What is sent keeps the order that it always had.
 */
const outputInOrder = (it: Computation): Readonly<Record<string, Json>> => {
  const { value, unit, output, chain, propagate } = it
  return {
    chain: chain.map((link) => ({
      constants: link.constants,
      fed: link.fed,
      id: link.id,
      inputs: link.inputs,
      method: link.method,
      output: link.output,
      unit: link.unit,
      value: link.value,
    })),
    output: { name: output.name, operator: output.operator, symbol: output.symbol },
    ...(propagate !== undefined && { propagated: propagate() as unknown as Json }),
    unit,
    value,
  }
}

const orderInOrder = ({ bracket, inputs, operators, solve_for, uncertainties }: BoundOrder): BoundOrder => {
  const members = { bracket, inputs, operators, solve_for }
  return uncertainties === undefined ? members : { ...members, uncertainties }
}

/** What the check of a computation found. */
export const computeReality = ({ check }: Computation): Reality => ({
  against: check.against,
  errorPct: check.measured,
  figures: {},
})

/** What the check of the propagated uncertainty found; undefined where no input has one. */
export const propagationReality = ({ propagate }: Computation): Reality | undefined => {
  const check = propagate?.().check
  return check && { against: check.against, errorPct: check.measured, figures: {} }
}

/** A computation that passed the gate, with the digests that its claim needs. */
export interface CheckedComputation {
  readonly computation: Computation
  readonly reality: Reality
  readonly output: Readonly<Record<string, Json>>
  readonly inputsDigest: string
  readonly resultDigest: string
}

/** Orders and results of operators hold no typed arrays. */
const NO_ARRAYS = {}

/** A call asks for it when it is priced and when it is checked. */
const orderDigests = new WeakMap<object, string>()

/** Digest of an order with every spelling gone. */
export const orderDigest = ({ order }: Computation): string => {
  const made = orderDigests.get(order) ?? inputsDigest(NO_ARRAYS, orderInOrder(order))
  orderDigests.set(order, made)
  return made
}

/**
 * Checks and digests a computation: the value first, then what uncertain inputs make of it.
 *
 * @throws Fault PRECISION_NOT_MET, also for an error that is not a number; OUT_OF_RANGE for uncertainties too large.
 */
export const checkComputation = (computation: Computation): CheckedComputation => {
  const reality = computeReality(computation)
  passGate(reality)
  const propagation = propagationReality(computation)
  if (propagation !== undefined) passGate(propagation)
  const output = computeOutput(computation)
  return {
    computation,
    reality,
    output,
    inputsDigest: orderDigest(computation),
    resultDigest: resultDigest(NO_ARRAYS, outputInOrder(computation), { inputs: computation.order, evidence: null }),
  }
}

/** What a replay of operators must load; no kernel but the math module takes part. */
export const computeCode = (registry: OperatorRegistry, order: Pick<Order, 'uncertainties'> = {}): Code => ({
  release,
  registry: registry.version,
  constants: constantsDigest,
  math: kernelDigest('math'),
  kernels: {},
  solver: solverOf(order),
})

/** Why these rows and constants cannot check a claim, or undefined when it was made with them. */
export const otherRows = (
  { version }: Pick<OperatorRegistry, 'version'>,
  code: Pick<Code, 'registry' | 'constants'>,
): string | undefined => {
  if (code.registry !== version) {
    return `The claim was made with the operator registry ${code.registry}; here is ${version}.`
  }
  if (code.constants === constantsDigest) return
  return `The claim was made with the table of constants ${code.constants}; here is ${constantsDigest}.`
}

const again = (registry: OperatorRegistry, inputs: unknown, claim: Claim): Rerun => {
  const checked = checkComputation(computeOperators(registry, inputs as Order))
  const { value, operators, unit } = checked.computation
  const equations = equationsOf({ S: value, phase: claim.phase, field: fieldEquations(undefined, 0) })
  return {
    result_digest: checked.resultDigest,
    value,
    measured: checked.reality.errorPct,
    steps: null,
    operators,
    unit,
    R_t: modulationText(claim.phase),
    equations_digest: equationsDigest(equations),
  }
}

/**
 * Computes a claim's order again, whole: operators, 50-digit check, digests, equations at the claim's phase.
 *
 * @param inputs the bound order, as a bundle carries it.
 * @returns `otherCode` with a sentence when the registry or the code is not that of the claim, `unavailable` when such
 * rows or code refuse the order.
 * @throws Fault of the pipeline or the gate: then the claim does not hold.
 */
export const replayComputation = (registry: OperatorRegistry, inputs: unknown, claim: Claim): Replayed => {
  const own = computeCode(registry, (inputs ?? {}) as Order)
  const other = otherCode(own, claim.code) ?? otherRows(registry, claim.code)
  return byCode(other, () => again(registry, inputs, claim))
}
