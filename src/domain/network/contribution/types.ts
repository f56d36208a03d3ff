import type { Caller } from '#core/caller.ts'
import type { Signer } from '#core/keys.ts'
import type { Mode } from '#core/work/mode.ts'
import type { Economy } from '#domain/economy/economy.ts'
import type { EventRecorder } from '#domain/network/recorder.ts'
import type {
  BondView,
  ContributionCensus,
  ContributionPolicy,
  ContributionStatus,
  ModeView,
  ReleaseView,
} from '#domain/network/views/contribution.ts'
import type { WorkRecordRow } from '#store/bonds.ts'
import type { AccountRow } from '#store/rows/account.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'

/** What contributing is made of. */
export interface ContributionPorts {
  readonly store: Store
  /** The one door through which envelopes are locked and let go. */
  readonly moves: Pick<Economy['moves'], 'apply' | 'settled' | 'isOwn' | 'withhold'>
  readonly recorder: EventRecorder
  /** Node id of the identity key: the author of bonds. */
  readonly nodeId: string
  /** The key of the owner's account. */
  readonly custody: (account: AccountRow) => Signer | undefined
  /** `open`, or the SHA-256 of the policy file. */
  readonly policy: string
  /** Modes and kernel sets of other nodes, as they said of late. */
  readonly heard: () => readonly HeardMode[]
  /** Digest of the names and bytes of this node's kernels. */
  readonly kernels: string
  /** Works open under a bond; whoever takes works says it, and without one none is taken. */
  readonly worksOpen?: (bond: string) => number
  /** Told what could not be ended and is tried again. */
  readonly onStuck?: (cause: unknown) => void
}

/** What a node says it does. */
export interface HeardMode {
  readonly mode: Mode
  readonly kernels: string
}

/** Which envelopes to bond. */
export interface BondOrder {
  readonly count?: number | undefined
  readonly token_ids?: readonly string[] | undefined
}

/** What this node's own check of a challenged work found: the only ground on which a bond falls. */
export interface Fallen {
  readonly bond: string
  /** Id of the event of the challenge. */
  readonly challenge: string
  /** A ruling that says the same; null where there is none. */
  readonly ruling: string | null
}

/** What works and disputes tell the bond that answers for them. */
export interface LoadChange {
  /** Mesh tick of a result, or of its publication. */
  readonly result?: number
  /** Until when a dispute can last at most. */
  readonly disputeUntil?: number
}

/** What of contributing one node does itself: its bond, its mode, and what it withholds as a home. */
export interface Contribution extends AsyncDisposable {
  policy(): ContributionPolicy
  census(): ContributionCensus
  /** The node's part, and how far the caller is from a bond. @throws Fault SCOPE_REQUIRED */
  status(caller: Caller, page: { readonly limit: number; readonly offset: number }): Promise<ContributionStatus>
  /**
   * Locks 1,000 envelopes of the node owner, all of them or none, and says so in the event log.
   *
   * @throws Fault SCOPE_REQUIRED, INVALID_INPUT, ALREADY_BONDED, BOND_TOO_SMALL {held, needed}, NOT_FOUND {token_id},
   * ENVELOPE_LOCKED {token_id, kind, ref}
   */
  bond(caller: Caller, order: BondOrder): Promise<BondView>
  /** Stops offers; the locks end when nothing under them can be disputed. @throws Fault SCOPE_REQUIRED, NOT_BONDED */
  release(caller: Caller): Promise<ReleaseView>
  /** @throws Fault SCOPE_REQUIRED, NOT_BONDED */
  setMode(caller: Caller, mode: Mode): Promise<ModeView>
  /** Says that the owner is there. It changes no mode. @throws Fault SCOPE_REQUIRED */
  heartbeat(caller: Caller): ModeView
  /** What the node says of itself to others: its mode, and with which kernels. */
  readonly said: HeardMode
  /** What the node does with its threads now. */
  readonly mode: Mode
  /** Whether foreign work may be taken: the mode says so and the bond stands. */
  readonly takesWork: boolean
  /** Told of each change of the mode, once it is durable. @returns ends it */
  onMode(listener: (mode: Mode) => void): () => void
  /**
   * A bond has fallen by this node's own check. As home of its tokens the node withholds them; again it does nothing.
   *
   * @throws Fault NOT_FOUND for a bond that is not known
   */
  withhold(fallen: Fallen): Promise<void>
  /** Works and disputes under a bond, in the batch that makes them known: its end moves later, never earlier. */
  load(tx: Transaction, bond: string, change: LoadChange): void
  /** Adds to this node's record, in the batch that makes it known. */
  count(tx: Transaction, change: Partial<WorkRecordRow>): void
  /** A list of a bond that this node made or is home of, packed, by its root; undefined otherwise. */
  list(bond: string, tokensRoot: string): Promise<Uint8Array | undefined>
  /** Goes on with what a crash cut off. Call it before anything else is asked. */
  resume(): Promise<void>
  /** What comes round with the ticks: a bond whose time is over is let go. */
  beat(): void
}
