import type { Claim } from '#core/claim.ts'
import { Fault } from '#core/fault.ts'
import { type Replayed, type Verification, verifyBundle } from '#core/verify.ts'
import { operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'
import { COMPUTE, replayComputation } from '#numerics/operators/sealed.ts'
import { replay } from '#numerics/replay.ts'
import { solvers } from '#numerics/solvers/index.ts'

/** What the worker is asked, and what it answers, in this order. */
export interface Question {
  readonly bundle: unknown
  readonly trusted: string
}
export type Reply =
  | { readonly kind: 'progress'; readonly step: number; readonly steps: number }
  | { readonly kind: 'verification'; readonly verification: Verification }

const rerun = (claim: Claim, inputs: object, rows: readonly string[], tell: (reply: Reply) => void): Replayed =>
  claim.kind === COMPUTE
    ? replayComputation(operatorRegistry(rows.flatMap(rowsOfText)), inputs, claim)
    : replay(solvers, { kind: claim.kind, inputs, claim }, ({ step, steps }) => tell({ kind: 'progress', step, steps }))

/** A refusal of the run on the claim's own inputs: the claim cannot have come from them. */
const refused: Replayed = { result_digest: '', value: null, measured: Number.NaN, steps: null }

/**
 * Verifies a bundle with the code that sealed it, the re-run included. Pure: it runs in a worker, so that the page
 * stays alive meanwhile.
 *
 * @param rows texts of the operator rows of this release.
 */
export const judge = (
  { bundle, trusted }: Question,
  rows: readonly string[],
  tell: (reply: Reply) => void,
): Verification =>
  verifyBundle({
    bundle,
    trusted,
    schemas: ({ code }) => solvers.find((it) => `${it.name}@${it.revision}` === code.solver),
    replay: (claim, inputs) => {
      try {
        return rerun(claim, inputs, rows, tell)
      } catch (error) {
        if (error instanceof Fault) return refused
        throw error
      }
    },
  })
