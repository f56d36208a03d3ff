import type { Claim } from '#core/claim.ts'
import { Fault } from '#core/fault.ts'
import type { Replayed, VerifyOptions } from '#core/verify.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { COMPUTE, replayComputation } from '#numerics/operators/sealed.ts'
import { replay } from '#numerics/replay.ts'
import { solvers } from '#numerics/solvers/index.ts'

/**
 * Schemas of a claim's solver, so that a bundle's arrays are hashed as what they are. Another revision is another
 * solver: its schemas may differ, and a digest that cannot be made accuses nobody.
 */
export const schemasHere: NonNullable<VerifyOptions['schemas']> = ({ code }) =>
  solvers.find((it) => `${it.name}@${it.revision}` === code.solver)

const rerun = (claim: Claim, inputs: object): Replayed =>
  claim.kind === COMPUTE
    ? replayComputation(loadRegistry(), inputs, claim)
    : replay(solvers, { kind: claim.kind, inputs, claim })

/** Runs a claim again in this process, without a node. A refusal of the run says that the claim does not hold. */
export const replayHere = (claim: Claim, inputs: object): Replayed => {
  try {
    return rerun(claim, inputs)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { result_digest: '', value: null, measured: Number.NaN, steps: null }
  }
}
