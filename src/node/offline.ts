import type { Claim } from '#core/claim.ts'
import type { Replayed } from '#core/verify.ts'
import { loadHistory } from '#domain/compute/load-registry.ts'
import { rerun } from '#numerics/runtime/rerun.ts'

/** Runs a claim again in this process, without a node. A refusal of the run says that the claim does not hold. */
export const replayHere = (claim: Claim, inputs: object): Replayed =>
  rerun(claim, inputs, { registry: (version) => loadHistory().at(version) })
