import type { Caller } from '#core/caller.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import type { Policy } from '#core/policy.ts'
import type { ProvenSuccession } from '#core/succession.ts'
import type { Log } from '#core/telemetry.ts'
import type { ReferenceCase, Side } from '#core/vote/documents.ts'
import type { Economy } from '#domain/economy/economy.ts'
import type { Custody } from '#domain/identity/custody.ts'
import type { EventRecorder } from '#domain/network/recorder.ts'
import type { StandingOf } from '#domain/network/standing.ts'
import type { ProposalPage, ProposalView, ResolvedView, Staked } from '#domain/network/views/votes.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import type { ToldAt } from '#store/rows/vote.ts'
import type { Store } from '#store/store.ts'

/** When an event happened, as far as a vote goes by it. */
export interface StakeTime {
  /** Mesh tick (protocol.md, When). */
  readonly at: number
  /** Mesh tick of its first cosignature by a witness of the policy; null where the policy has none. */
  readonly cosigned: number | null
  readonly mark: 'late' | 'unwitnessed' | null
}

/** Asks when an event happened. @param named what it names, which it cannot have happened before. */
export type TimeOf = (event: ToldAt, named: readonly ToldAt[]) => StakeTime | 'pending'

/** What votes need of the node. */
export interface VoteOptions {
  readonly store: Store
  readonly economy: Pick<Economy, 'moves' | 'envelope' | 'idempotent'>
  readonly recorder: EventRecorder
  readonly registry: OperatorRegistry
  readonly custody: Custody
  readonly nodeId: string
  /** Undefined for the open one. */
  readonly policy: Policy | undefined
  readonly policyName: string
  readonly standingOf: StandingOf
  readonly timeOf: TimeOf
  /** Key successions that are known. */
  readonly known: () => readonly ProvenSuccession[]
  /** Whether the node has no peers, so that nobody else's stake can come later. */
  readonly alone: () => boolean
  /** Whether a caller is a person at this node, who signed in of late. */
  readonly isPerson: (caller: Caller) => boolean
  /** Asks other nodes for a proposal that is not known here, and what belongs to it. */
  readonly find?: ((proposal: string) => Promise<unknown>) | undefined
  readonly log: Log
}

export interface ProposeOrder {
  readonly row: unknown
  readonly cases: readonly ReferenceCase[]
  readonly window_ticks: number
}

export interface StakeOrder {
  readonly id: string
  readonly side: Side
  readonly token_ids?: readonly string[] | undefined
  readonly count?: number | undefined
}

/** Proposals of operators and the votes on them. */
export interface Votes extends AsyncDisposable {
  list(page: { readonly limit: number; readonly offset: number }): Promise<ProposalPage>
  /** @throws Fault NOT_FOUND */
  get(id: string): Promise<ProposalView>
  /**
   * Writes a draft, whose cases this node has evaluated. Who knows its id sees it, and its author alone opens its vote.
   *
   * @throws Fault INVALID_INPUT (with line and column where an equation does not parse), SCOPE_REQUIRED,
   * PRECISION_NOT_MET {measured, case}, and what the operator grammar refuses with
   */
  propose(caller: Caller, order: ProposeOrder, repeat?: Repeat): Promise<WithReplayed<ProposalView>>
  /** @throws Fault NOT_FOUND for whoever is not the author; VOTE_CLOSED where it is open or was */
  openVote(caller: Caller, id: string): Promise<ProposalView>
  /**
   * Locks envelopes of one home for the vote, and signs the stake once a checkpoint holds the lock.
   *
   * @throws Fault VOTE_CLOSED, TOO_LATE {last_tick}, SIDE_FIXED {side}, ENVELOPE_LOCKED, NOT_FOUND, TOO_FEW,
   * SCOPE_REQUIRED, HOME_UNREACHABLE, and what a move is refused with
   */
  stake(caller: Caller, order: StakeOrder, repeat?: Repeat): Promise<WithReplayed<Staked>>
  /** Counts, publishes, and gives the stakes of this node back. @throws Fault NOT_FOUND, VOTE_CLOSED */
  resolve(id: string): Promise<ResolvedView>
  /** @throws Fault SCOPE_REQUIRED {scope: person}, NOT_FOUND, VOTE_CLOSED {settled, passed, missing} */
  promote(caller: Caller, id: string): Promise<ProposalView>
  /** What comes round with the ticks: stakes whose lock is proved, or that are due. Returns at once. */
  beat(): void
}
