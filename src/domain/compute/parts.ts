import type { Json } from '#core/canonical.ts'
import type { Code } from '#core/claim.ts'
import type { RunOptions } from './pool.ts'
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
