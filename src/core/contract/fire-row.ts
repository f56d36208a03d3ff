import type { Json } from '#core/canonical.ts'
import type { Cause } from './cause.ts'
import type { Scalar } from './standing.ts'

/**
 * Why a fire was refused. `gate`: the computation or its check was. `credits`: the price was not covered. `node`: a
 * bug, or rows that cannot be read, kept the node from deciding it.
 */
export type RefusalReason =
  | 'guard'
  | 'data'
  | 'value'
  | 'range'
  | 'stale'
  | 'chain'
  | 'gate'
  | 'budget'
  | 'credits'
  | 'transfer'
  | 'node'

export interface FireProblem {
  readonly reason: RefusalReason
  /** A sentence. */
  readonly message: string
  /** JSON pointer into the definition, where it has a place there. */
  readonly path?: string
  /** Characters before what refused, in an expression. */
  readonly position?: number
  /** Code of the fault, of a gate or an account. */
  readonly code?: string
}

/**
 * A value that an oracle gave. Its basis is `node` when it is read, before anything of that tick is signed: what
 * attests it, an entry of its source's chain, goes along with an export. Without its value it is withheld.
 */
export interface FireReading {
  readonly oracle: string
  readonly value: Scalar
  /** Mesh tick of the value at its source. */
  readonly tick: number
  /** Where it was read: `contract:<id>`, `machine:<slug>/<seq>`, `url:<host>`. */
  readonly source: string
  readonly basis: 'attested' | 'node'
}

/** A computation of a fire. */
export interface FireComputation {
  readonly kind: string
  readonly inputs_digest: string
  readonly result_digest: string
  readonly token_id: string | null
  /** What was bound to the context. */
  readonly bound: Readonly<Record<string, Scalar>>
}

/** What both outcomes with a decision say. */
interface Decided {
  readonly fire: string
  readonly cause: Cause
  readonly by: string
  readonly version_no: number
  readonly version: string
  readonly due: number | null
  readonly lateness_ticks: number
  readonly attempt: number
  readonly event: { readonly name: string; readonly data: Readonly<Record<string, Scalar>> } | null
  /** Mesh tick of the event's entry, by which it fed windows; null where it fed none. */
  readonly at: number | null
  /** The transition that was asked for by name. */
  readonly asked: string | null
  /** The last entry of each chain that was decided before, this fire's own among them: what windows had heard. */
  readonly heard: Readonly<Record<string, number>>
  readonly readings: readonly FireReading[]
  readonly from: string
  readonly to: string
  /** Transitions taken, those of `always` after the first. */
  readonly steps: readonly string[]
  readonly computations: readonly FireComputation[]
  readonly charged: number
  readonly took_ms: number
  readonly problem: FireProblem | null
  /** The whole context after it, and digests of both. */
  readonly context: Readonly<Record<string, Scalar>>
  readonly before: string
  readonly after: string
  readonly outbox: number
  /** Its entry in the machine's chain. */
  readonly seq: number | null
}

/** One row of a contract's audit, opened: for the owner. */
export type FireRow = {
  readonly no: number
  /** Node tick and mesh tick. */
  readonly tick: number
  readonly mesh_tick: number
} & (
  | ({ readonly outcome: 'fired' | 'refused' | 'failed' } & Decided)
  | {
      readonly outcome: 'skipped' | 'replaced'
      readonly fire: string
      readonly cause: Cause
      readonly due: number | null
      /** Who or what: a ZID, `overlap`, `paused`. */
      readonly by: string
    }
  | {
      readonly outcome: 'missed'
      readonly trigger: string
      readonly from: number
      readonly to: number
      readonly count: number
      readonly reason: 'down' | 'paused' | 'catch-up'
    }
  | { readonly outcome: 'zone_changed'; readonly zone: string; readonly before: string; readonly after: string }
  | {
      readonly outcome: 'changed'
      /** What was done: started, paused, resumed, frozen, patched, rolled back. */
      readonly what: string
      readonly by: string
      readonly version_no: number
      readonly details: Json
    }
)
