import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { rowKind } from '#store/row-kind.ts'

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'lost'

/** What a job's row needs to make the same computation again. */
export interface Recipe {
  readonly what: 'solver' | 'operators' | 'reactor'
  /** The solver's name; `compute` for operators. */
  readonly name: string
  /** Full inputs: every default filled in, every spelling gone. */
  readonly inputs: Json
  /** Whether the envelope stands in the public record; the account's default when left out. */
  readonly publish?: boolean
  /** Digest of the call as it was asked, where the inputs hold more: for Idempotency-Keys. */
  readonly asked?: string
  /** How a call in words was read; its answer shows it. */
  readonly reading?: Json
  /** The words and values of that call, and whether it confirmed the reading; absent in rows of earlier releases. */
  readonly words?: { readonly query: string; readonly constants: Json; readonly confirmed: boolean }
}

/** What a job that went wrong says of it: a fault's own words, or that it was a bug. */
export interface JobProblem {
  readonly code: string
  readonly detail: string
  readonly details: Json
}

/** A job as it is stored: enough to run it again after a restart, and to say what came of it. */
export interface JobRow {
  readonly v: 1
  readonly id: string
  readonly caller: Caller
  readonly recipe: Recipe
  readonly route: string
  readonly idempotency_key: string | null
  readonly created_tick: number
  readonly ended_tick: number | null
  readonly state: JobState
  readonly reason: string | null
  readonly problem: JobProblem | null
  /** The envelope of a job that is done. */
  readonly token_id: string | null
  /** Blob of the answer of a job that is done and has no envelope. */
  readonly unsealed: string | null
}

/** Computations that outlived their call. */
export interface JobRows {
  readonly job: JobRow
}

/** Jobs: none is bound to another row that would tell when it is wrong. */
export const job = rowKind<JobRows>({
  tables: {
    job: { prefix: 'j', form: 'json', key: 'job id' },
  },
  since: { schema: 1, note: 'from the first release on' },
})
