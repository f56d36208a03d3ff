import type { Tally } from './mesh-load.ts'
import type { Sample, Seen, Synced } from './mesh-watch.ts'

/** What was asked for on the command line. */
export interface Asked {
  readonly nodes: number
  readonly seconds: number
  /** Calls a second over all nodes together. */
  readonly calls: number
  readonly writes: number
  readonly signUps: number
  readonly out: string
}

/** What a run has found. */
export interface Found {
  readonly asked: Asked
  readonly seconds: number
  readonly before: readonly Seen[]
  readonly after: readonly Seen[]
  readonly samples: readonly (readonly Sample[])[]
  readonly bytesBefore: readonly number[]
  readonly bytesAfter: readonly number[]
  readonly tallies: readonly Tally[]
  readonly synced: readonly Synced[]
}
