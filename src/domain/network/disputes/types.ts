import type { Caller } from '#core/caller.ts'
import type { Signer } from '#core/keys.ts'
import type { Log } from '#core/telemetry.ts'
import type { WorkPlace } from '#core/work/published.ts'
import type { Parts } from '#domain/compute/parts.ts'
import type { Contribution } from '#domain/network/contribution/types.ts'
import type { EventRecorder } from '#domain/network/recorder.ts'
import type { DisputePage, DisputeView } from '#domain/network/views/disputes.ts'
import type { WhenOf } from '#domain/network/when.ts'
import type { WrongWork } from '#domain/network/works/requester/types.ts'
import type { Blobs } from '#domain/network/works/types.ts'
import type { DrawValues } from '#domain/network/works/values.ts'
import type { Store } from '#store/store.ts'

/** What disputes are made of. */
export interface DisputePorts {
  readonly store: Store
  readonly signer: Signer
  readonly nodeId: string
  readonly recorder: EventRecorder
  readonly blobs: Blobs
  readonly parts: Parts
  readonly values: DrawValues
  readonly whenOf: WhenOf
  readonly contribution: Pick<Contribution, 'withhold' | 'load'>
  /** Where a work of this node's own was published. */
  readonly placeOf: (work: string) => Promise<WorkPlace | undefined>
  /** Asks other nodes for the event that published a work. */
  readonly findWork: (event: string) => Promise<unknown>
  readonly log: Log
}

/** Which work is to be disputed: one that this node took or gave, or one whose place is said. */
export interface AskedDispute {
  readonly work: string
  readonly place?: (Omit<WorkPlace, 'path'> & { readonly path: readonly string[] }) | undefined
}

/** Disputes over the works that one node made. */
export interface OwnDisputes {
  /** Those that are not over. */
  readonly open: number
  /** All that were ever begun. */
  readonly challenges: number
  /** Rulings in all of them. */
  readonly rulings: number
}

/** Disputes over works, as one node takes part in them. */
export interface Disputes extends AsyncDisposable {
  /** What is disputed of this node's own works, as of the newest round. */
  readonly ownWorks: OwnDisputes
  list(page: { readonly limit: number; readonly offset: number }): Promise<DisputePage>
  /**
   * One dispute. What is not here is had from other nodes for a caller who is signed in, and left out for others.
   *
   * @param id of the event of the challenge.
   * @throws Fault NOT_FOUND; NODE_BUSY when too much is had at once.
   */
  get(caller: Caller, id: string): Promise<DisputeView>
  /**
   * Runs a work again and challenges it where it differs.
   *
   * @throws Fault SCOPE_REQUIRED, NOT_FOUND, TOO_LATE {closed_tick}, NOT_BONDED, RATE_LIMITED, INVALID_INPUT where it
   * comes out the same; NODE_UNREACHABLE where its data cannot be had.
   */
  open(caller: Caller, asked: AskedDispute, signal: AbortSignal): Promise<DisputeView>
  /** Challenges a work that this node found wrong. @returns the id of the event, or of the one that says it already */
  accuse(wrong: WrongWork): Promise<string>
  /** What comes round with the ticks: what is due, done. */
  beat(): void
}
