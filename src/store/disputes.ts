import type { CheckOutcome } from '#core/dispute/challenge.ts'

/** Types of event that publish works, or that a dispute is made of. */
export type DisputeEventType = 'work' | 'challenge' | 'reveal' | 'ruling' | 'withheld'

/** An event that a dispute follows from: by its place, so that *When* can be asked, and what it says. */
export interface DisputedRow {
  readonly type: DisputeEventType
  readonly origin: string
  readonly seq: number
  /** Its own mesh tick. */
  readonly tick: number
  readonly author: string
  readonly payload: unknown
}

/** What this node found when it ran a challenged segment itself. */
export interface DisputeCheckRow {
  /** The challenge that it was run for; others with this segment and digest are answered by it too. */
  readonly challenge: string
  readonly outcome: CheckOutcome | 'unchecked'
  /** What running it gave; null where nothing was run. */
  readonly recomputed: string | null
  readonly mesh_tick: number
}

/** Events of disputes, by what they name. */
export interface DisputeRows {
  readonly disputed: DisputedRow
  /** Changes with every such event: whoever has seen another value reads them again. */
  readonly disputedNews: string
  readonly disputeCheck: DisputeCheckRow
}
