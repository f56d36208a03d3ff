import type { Claim } from '#core/claim.ts'
import type { Replayed } from '#core/verify.ts'
import { loadHistory, loadRegistry } from '#domain/compute/load-registry.ts'
import { rerun } from '#numerics/runtime/rerun.ts'

/** Runs a claim again in this process, without a node. A refusal of the run says that the claim does not hold. */
export const replayHere = (claim: Claim, inputs: object): Replayed =>
  rerun(claim, inputs, { registry: (version) => loadHistory().at(version) })

/** The same with the operator rows of today, whichever the claim was made with: what the value would be now. */
export const rerunToday = (claim: Claim, inputs: object): Replayed => rerun(claim, inputs, { registry: loadRegistry })
