import type { ChallengeOfWork, CheckOutcome } from './challenge.ts'
import type { BondWithheld, DrawReveal, RulingOfChallenge } from './statements.ts'

/** When a lasting event happened, as *When* of protocol.md decides it from ticks and cosignatures. */
export interface EventTime {
  /** Mesh tick. */
  readonly at: number
  readonly mark: 'late' | 'unwitnessed' | null
}

/** What this node found when it ran a challenged segment itself; `unchecked` where it cannot: no code, or no data. */
export interface CheckedChallenge {
  readonly challenge: string
  readonly outcome: CheckOutcome | 'unchecked'
}

interface EventPart<T extends string, P> {
  readonly type: T
  /** Its leaf hash, hex; of a check of this node's own any name. */
  readonly id: string
  readonly author: string
  /** Its index in its author's event log: the worker's values follow one another in that order. */
  readonly seq: number
  /** `pending` while no witness of the policy has cosigned it: it stands in no window yet. */
  readonly when: EventTime | 'pending'
  readonly payload: P
}

/** What a dispute is derived from, once its form and signatures were checked. */
export type DisputeEvent =
  | EventPart<'challenge', ChallengeOfWork>
  | EventPart<'reveal', DrawReveal>
  | EventPart<'ruling', RulingOfChallenge>
  | EventPart<'withheld', BondWithheld>
  | EventPart<'checked', CheckedChallenge>
export type EventOf<T extends DisputeEvent['type']> = Extract<DisputeEvent, { readonly type: T }>

/** What offer and accept say of a work. */
export interface AcceptedTerms {
  /** Digest of the offer. */
  readonly offer: string
  readonly pool: readonly string[]
  readonly atRisk: boolean
  /** The bond that answers for it, and the nodes that are home of its tokens. */
  readonly bond: string | null
  readonly homes: readonly string[]
  /** The worker's first commitment. */
  readonly w: string
  /** Segments between states; 0 where the solver does not step. */
  readonly k: number
  /** By the solver's own measure of the inputs. */
  readonly workUnits: number
}

/** A published work, as a node knows it. */
export interface DisputedWork {
  /** Id of the event that publishes it, and its place there. */
  readonly event: string
  readonly index: number
  readonly requester: string
  readonly worker: string
  /** Digest of the work. */
  readonly work: string
  readonly when: EventTime | 'pending'
  /** Null while offer and accept are not here: who may rule is not known then. */
  readonly terms: AcceptedTerms | null
}

/** From when until when (exclusive; null: still) a node had a bond that counts. */
export interface BondedSpan {
  readonly node: string
  readonly from: number
  readonly until: number | null
}

/** All that a node knows, as of a mesh tick. Lists are sets: order and repetition say nothing. */
export interface DisputeUnion {
  readonly works: readonly DisputedWork[]
  readonly events: readonly DisputeEvent[]
  readonly bonded: readonly BondedSpan[]
  /** Whose a node is, by the newest assertion of each key. */
  readonly owners: readonly { readonly node: string; readonly zid: string }[]
  /** Mesh tick as of which it is asked. */
  readonly tick: number
}

/** One line for a published work, to find it by. */
export const workKey = ({ event, index }: Pick<DisputedWork, 'event' | 'index'>): string => `${event}/${index}`
