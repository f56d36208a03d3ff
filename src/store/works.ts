import type { SignedAccept } from '#core/work/accept.ts'
import type { BundledWork } from '#core/work/assurance.ts'
import type { JobClosed } from '#core/work/audit.ts'
import type { SignedOffer } from '#core/work/offer.ts'
import type { WorkPlace } from '#core/work/published.ts'
import type { SegmentName } from '#core/work/segments.ts'
import type { SignedWork } from '#core/work/work.ts'

/** Jobs taken that are remembered; beyond this none is taken. */
export const TAKEN_ROWS_MAX = 16_384

/** A finished run, as its worker keeps it. */
export interface TakenResult {
  readonly work: SignedWork
  /** Name of the outcome of a run that does not step. */
  readonly outcome: string | null
  /** Mesh tick of its end. */
  readonly at: number
  /** States that are served, ascending: the others are made again from them. */
  readonly kept: readonly { readonly i: number; readonly sha256: string }[]
}

/**
 * A job that this node took. `running`: it was accepted and has no result. `done`: its result stands. `over`: it ended
 * without one, and nothing is owed.
 */
export interface TakenRow {
  readonly state: 'running' | 'done' | 'over'
  readonly offer: SignedOffer
  readonly accept: SignedAccept
  readonly result: TakenResult | null
  /** Where its requester published it, and in which mesh tick that was heard. */
  readonly place: WorkPlace | null
  readonly published: number | null
  readonly closed: JobClosed | null
  /** Why it ended without a result. */
  readonly reason: string | null
}

/** Jobs given that are remembered; beyond this none is given. */
export const GIVEN_ROWS_MAX = 16_384

/** Where a work was published: a leaf of the own event log, and the way to show the work in it. */
export interface PublishedAt {
  /** Index of the event in the own event log. */
  readonly seq: number
  readonly index: number
  readonly path: readonly string[]
  readonly mesh_tick: number
}

/**
 * A job that this node gave away. `offered`: nobody has accepted it. `working`: a worker has. `accepted`: its result
 * stood every check. `wrong`: its result did not. `over`: it came to nothing, and nobody is to blame.
 */
export interface GivenRow {
  readonly state: 'offered' | 'working' | 'accepted' | 'wrong' | 'over'
  readonly offer: SignedOffer
  /** What the audit is drawn from; it leaves the node with the close alone. */
  readonly q: string
  readonly rate: number
  readonly accept: SignedAccept | null
  readonly work: SignedWork | null
  readonly found: JobClosed['found'] | null
  /** Where a wrong work differs, and what this node has there. */
  readonly wrong: { readonly segment: SegmentName; readonly own: string } | null
  readonly published: PublishedAt | null
  /** Whether its worker was told where it was published and how the job closed, and a wrong one challenged. */
  readonly told: boolean
  /** The envelope that its result became. */
  readonly token_id: string | null
  readonly reason: string | null
}

/** What a node found of one worker, ever. */
export interface WorkerRecord {
  readonly right: number
  readonly wrong: number
  /** Jobs that it took and did not bring to an end. */
  readonly lost: number
  /** Whole-run works found right since the last wrong one: what the audit rate goes by. */
  readonly v: number
}

/** Jobs that this node took from others, and those that it gave them. */
export interface WorkRows {
  readonly worker: WorkerRecord
  readonly assured: BundledWork
  readonly taken: TakenRow
  readonly given: GivenRow
}
