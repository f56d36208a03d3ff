import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import type { Funding } from '#core/claim.ts'
import type { LedgerEntry } from '#core/envelope.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import type { KeptNames } from '#store/kept.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { SealState } from '#store/seal-log.ts'
import type { Transaction } from '#store/transaction.ts'
import type { Abroad } from './abroad/types.ts'
import type { Moves } from './moving/types.ts'
import type {
  Claimed,
  Consensus,
  CreditStatus,
  EnvelopeItem,
  EnvelopePage,
  Filed,
  FolderList,
  Granted,
  RecordPage,
  Transparency,
  Usage,
} from './views.ts'

/** What an item says beside its row: from the log. */
export interface ItemPlace {
  readonly log: string
  /** Of the leaf in that log. */
  readonly index: number
  /** Leaf hash, hex. */
  readonly hash: string
  readonly state: SealState
  readonly late: boolean
  /** Witnesses that have cosigned a tree with the leaf. */
  readonly witnessed: number
  /** What the claim says was found. */
  readonly value: number | null
  readonly unit: string
  /** The claim's nonce, for whoever is shown the claim itself: without a credential it opens the bundle. */
  readonly nonce?: string | undefined
}

/** Where the bundle of an envelope is found; with the nonce it opens without a credential. */
export type BundlePath = (tokenId: string, nonce?: string) => string

/** Shows an envelope as its owner sees it. */
export type ShowEnvelope = (row: EnvelopeRow, place: ItemPlace) => EnvelopeItem

/** A price kept back from the available balance between quote and commit; it dies with the process. */
export interface Hold {
  readonly caller: Caller
  readonly credits: number
  /** Which credits pay: free ones if they cover the whole price, else paid ones. */
  readonly funding: Funding
  /** Who the envelope is issued to: the claim's `zid`, `house` for demo and anonymous callers. */
  readonly zid: string
  /** Gives the credits back; nothing once settled or given back. */
  release(): void
}

/** What the record of a freshly sealed envelope holds beside what the hold and the transaction say. */
export interface Minting {
  readonly tokenId: string
  readonly index: number
  readonly kind: string
  readonly operators: readonly string[]
  readonly precisionActual: number
  /** What the claim says was found. */
  readonly value: number | null
  readonly unit: string
  /** Where receipt, inputs and output are, as the store put them. */
  readonly kept: KeptNames
  /** Shown in the public record; the account's default when left out. */
  readonly published?: boolean
}

/** An answer kept under an Idempotency-Key, or the right to make one. */
export type Idempotency =
  | { readonly kind: 'replay'; readonly answer: Json }
  | {
      readonly kind: 'fresh'
      /** Stores the answer in the same batch as the effect; `answer` is asked once the batch's leaves are made. */
      keep(tx: Transaction, answer: () => Json | Promise<Json>): void
      /** Ends the call, kept or not: a later one with this key is fresh or a replay. */
      release(): void
    }

export interface EnvelopeQuery {
  readonly limit: number
  readonly offset: number
  /** Token id, tick or hash, or the beginning of a token id or hash. */
  readonly q?: string | undefined
  /** Only this folder; the empty text is Unfiled. */
  readonly folder?: string | undefined
  /** Only what can be sent now. */
  readonly movable?: boolean | undefined
  /** Only of this home, a log's name. */
  readonly home?: string | undefined
  readonly state?: SealState | undefined
  /** Only what follows: `next` of the page before. */
  readonly before?: string | undefined
}

export interface FolderMove {
  readonly folder: string
  readonly token_ids?: readonly string[] | undefined
  readonly count?: number | undefined
  readonly from_folder?: string | undefined
  readonly q?: string | undefined
}

export interface GrantOrder {
  readonly zid: string
  readonly credits: number
  /** Why, as the ledger keeps it. */
  readonly reason?: string | undefined
}

/** A claim: the challenge as it was given, a nonce that solves it, and the machine, which the challenge names too. */
export interface ClaimOrder {
  readonly challenge: string
  readonly nonce: string
  readonly machine?: string | undefined
}

/** Whether a receipt is open to those who have its link. */
export interface Shared {
  readonly token_id: string
  readonly on: boolean
}

/** Credits that come into being: a transfer from `issued:<kind>`, and its signed ledger leaf. */
export type Issue = Pick<LedgerEntry, 'kind' | 'asset' | 'to' | 'amount' | 'ref'>

/** Money, envelopes and budgets. Coins come only from {@link Economy.settle}, inside the commit that seals. */
export interface Economy {
  /**
   * Keeps a price back. At once and synchronous, so that n parallel calls need n prices.
   *
   * @throws Fault INSUFFICIENT_BALANCE naming price, free and paid; DAILY_LIMIT_EXCEEDED for the shared demo key and
   * keyless callers. The owner of a node that serves its own machine alone is refused nothing.
   */
  hold(caller: Caller, credits: number): Hold
  /**
   * Makes good, by a grant in the ledger, what the owner of a node of its own holds beyond its balance; nothing for any
   * other hold. Before {@link Economy.settle}, in a commit of its own.
   *
   * @throws Fault of the store.
   */
  cover(hold: Hold): Promise<void>
  /**
   * Burns the held price and mints the envelope's coin and record, all in the sealing transaction. The hold ends when
   * the batch is durable; after a refusal the caller releases it.
   *
   * @throws Fault INSUFFICIENT_BALANCE when the balance no longer covers the price.
   */
  settle(tx: Transaction, hold: Hold, minting: Minting): EnvelopeRow
  /**
   * Takes work from the budget of keyless calls (prove, reverify, attest).
   *
   * @param work units of about 1e6 floating-point operations.
   * @throws Fault WORK_LIMIT_EXCEEDED for one call, DAILY_LIMIT_EXCEEDED for the bucket's day.
   */
  keyless(bucket: string, work: number): void
  /**
   * Looks an Idempotency-Key up, for the caller's account and one endpoint, for 24 hours.
   *
   * @param inputDigest digest of the input; another input under the same key is refused.
   * @throws Fault INVALID_INPUT, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS
   */
  idempotent(caller: Caller, scope: string, key: string, inputDigest: string): Promise<Idempotency>
  /** Issues credits with a signed ledger leaf; returns the leaf's index. */
  issue(tx: Transaction, issue: Issue): number

  /** Shows an envelope as its owner sees it. */
  readonly show: ShowEnvelope
  /**
   * @param nonce of the claim: opens what was made without a key or with the shared one, and what its owner opened.
   * @throws Fault NOT_FOUND, also for what this caller may not see.
   */
  envelope(tokenId: string, caller: Caller, nonce?: string): Promise<EnvelopeItem>
  /** The stored row, for whoever may see it, as {@link envelope}. @throws Fault NOT_FOUND */
  envelopeRow(tokenId: string, caller: Caller, nonce?: string): Promise<EnvelopeRow>
  /** The stored row of what this caller may see or what stands in the public record; undefined for all else. */
  envelopeSeen(tokenId: string, caller: Caller): Promise<EnvelopeRow | undefined>
  /** Newest first, with the real total. @throws Fault NOT_FOUND for another account's list. */
  envelopes(zid: string, caller: Caller, query: EnvelopeQuery): Promise<EnvelopePage>
  /** @throws Fault NOT_FOUND for another account's list. */
  folders(zid: string, caller: Caller): Promise<FolderList>
  /** All named envelopes move or none. @throws Fault NOT_FOUND, INVALID_INPUT */
  file(caller: Caller, move: FolderMove): Promise<Filed>
  /**
   * Opens a receipt to whoever has its nonce, or closes it again; for its owner alone.
   *
   * @throws Fault NOT_FOUND for who may not see it, SCOPE_REQUIRED for who may and does not own it.
   */
  share(caller: Caller, wish: Shared, repeat?: Repeat): Promise<WithReplayed<Shared & { readonly nonce: string }>>
  /** The moves of envelopes: the one door through which owner and lock of one change. */
  readonly moves: Moves
  /** Tokens between this node and others. */
  readonly abroad: Abroad
  /** The bundle of a token of another home, for its owner, as JSON text; undefined for any other token. */
  awayBundle(tokenId: string, caller: Caller): Promise<Uint8Array | undefined>
  /** Whether new envelopes stand in the public record unless a call says otherwise. @throws Fault SCOPE_REQUIRED */
  publishDefault(caller: Caller): Promise<boolean>
  /** @throws Fault SCOPE_REQUIRED for a credential without an account. */
  setPublishDefault(caller: Caller, publish: boolean): Promise<void>
  /** Published computations, newest first. */
  record(page: { readonly limit: number; readonly offset: number }): Promise<RecordPage>
  /** Where every credit and coin came from and went, and the signed ledger leaves, newest first. */
  transparency(page: { readonly limit: number; readonly before?: number }): Promise<Transparency>
  consensus(): Consensus
  /**
   * Balances, and the daily claim: a challenge only for whoever could be paid for it.
   *
   * @param machine slug; the account's oldest active machine when left out.
   * @throws Fault NOT_FOUND, SCOPE_REQUIRED, MACHINE_NOT_ACTIVE for that machine.
   */
  credits(caller: Caller, machine?: string): Promise<CreditStatus>
  /**
   * Pays the daily claim: one batch spends the challenge, the account's day and the machine's, and writes the leaf.
   *
   * @throws Fault SCOPE_REQUIRED, INVALID_INPUT, CHALLENGE_SPENT, NOT_ELIGIBLE, RATE_LIMITED, NOT_FOUND,
   * MACHINE_NOT_ACTIVE
   */
  claim(caller: Caller, order: ClaimOrder, repeat?: Repeat): Promise<WithReplayed<Claimed>>
  usage(caller: Caller): Promise<Usage>
  /** Paid credits from the node's owner. @throws Fault SCOPE_REQUIRED, UNKNOWN_ZID */
  grant(caller: Caller, order: GrantOrder, repeat?: Pick<Repeat, 'scope' | 'key'>): Promise<WithReplayed<Granted>>
  /** Removes what has lapsed (stored answers, quotas), some thousand rows at most; the composition root calls it. */
  sweep(): Promise<number>
}
