import type { TObject } from 'typebox'
import type { Json } from '#core/canonical.ts'
import type { Code } from '#core/claim.ts'
import { inputsDigest } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import type { Pool, RunOptions } from './pool.ts'
import type { Parted, PartTask } from './task.ts'

/** How large a run is, from its full inputs alone. */
export interface RunSize {
  readonly inputsDigest: string
  readonly workUnits: number
  /** Steps of a run that steps; null of one that does not. */
  readonly steps: number | null
}

/** Parts of runs that are done for other nodes, or checked for them: nothing is sealed and nobody is charged. */
export interface Parts {
  /** Does a part of a run while nothing of the node's own waits for the thread. @throws as {@link Pool.part} */
  run(task: PartTask, options: RunOptions): Promise<Parted>
  /** Digests of what a run of this solver loads here; undefined for one that is not here. */
  codeOf(kind: string): Code | undefined
  /** @param inputs full ones. @throws Fault NOT_FOUND, INVALID_INPUT and the solver's own refusals. */
  sizeOf(kind: string, inputs: Json): RunSize
}

interface PartsOf {
  readonly solvers: readonly Solver[]
  readonly pool: Pick<Pool, 'part'>
  readonly codeFor: (solver: string, kernels: readonly string[]) => Code
}

/** Parts of runs by the solvers and threads of a node. */
export const createParts = ({ solvers, pool, codeFor }: PartsOf): Parts => {
  const named = (kind: string): Solver | undefined => solvers.find((it) => it.name === kind)
  return {
    run: pool.part,
    codeOf: (kind) => {
      const found = named(kind)
      return found && codeFor(`${found.name}@${found.revision}`, found.kernels)
    },
    sizeOf: (kind, inputs) => {
      const solver = named(kind) as Solver<TObject> | undefined
      if (solver === undefined) throw new Fault('NOT_FOUND', `There is no solver ${kind}.`)
      const input = resolveInput(solver, inputs)
      solver.refuse(input)
      return {
        inputsDigest: inputsDigest(solver.input, input),
        workUnits: solver.work(input),
        steps: solver.run.kind === 'steps' ? solver.run.steps(input) : null,
      }
    },
  }
}
