import type { Claim } from '#core/claim.ts'
import { Fault } from '#core/fault.ts'
import type { Replayed, VerifyOptions } from '#core/verify.ts'
import type { RowsAt } from '#numerics/operators/history.ts'
import { COMPUTE, replayComputation } from '#numerics/operators/sealed.ts'
import { solverByName, solvers } from '#numerics/solvers/index.ts'
import { replay } from './replay.ts'
import type { Progress } from './solver.ts'

/**
 * Schemas of a claim's solver, so that a bundle's arrays are hashed as what they are. Those of earlier revisions are
 * today's or a part of them: a member, once it has a type and a shape, keeps both. Of a later revision nothing is
 * known, and a digest that cannot be made accuses nobody.
 */
export const schemasHere: NonNullable<VerifyOptions['schemas']> = ({ code }) => {
  const [name = '', number] = code.solver.split('@')
  const revision = Number(number)
  const solver = solverByName(name)
  return solver !== undefined && revision >= 1 && revision <= solver.revision ? solver : undefined
}

/** Whether a re-run of a claim may read operator rows: then those of its version are needed. */
export const readsRows = ({ kind }: Pick<Claim, 'kind'>): boolean =>
  kind === COMPUTE || solverByName(kind)?.readsRegistry !== undefined

/** A refusal of the run on the claim's own inputs: the claim cannot have come from them. */
const refused: Replayed = { result_digest: '', value: null, measured: Number.NaN, steps: null }

/** What a re-run needs from outside. Rows are asked for only when the claim is made with them, and by its version. */
export interface RerunOptions {
  readonly registry: RowsAt
  readonly progress?: Progress
}

/** Runs a claim again, solver or operators, without a node: the one re-run of command line and page. */
export const rerun = (claim: Claim, inputs: object, { registry, progress }: RerunOptions): Replayed => {
  try {
    if (claim.kind !== COMPUTE) return replay(solvers, { kind: claim.kind, inputs, claim, registry }, progress)
    const rows = registry(claim.code.registry)
    return 'missing' in rows ? { unavailable: rows.missing } : replayComputation(rows, inputs, claim)
  } catch (error) {
    if (error instanceof Fault) return refused
    throw error
  }
}
