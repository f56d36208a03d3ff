import type { Caller } from '#core/caller.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import type { TokenPlace } from '#core/token/list.ts'
import type { TokenOp } from '#core/token/op.ts'
import type { Move, MovePage, Sent, TokenHistory } from '#domain/economy/views.ts'
import type { Fall } from './withhold.ts'

/** Envelopes to send: some by name, or so many of those that may move. */
export interface SendOrder {
  /** A ZID. */
  readonly to: string
  readonly count?: number | undefined
  readonly token_ids?: readonly string[] | undefined
  /** Send to a ZID that no node is known for. */
  readonly allow_unknown?: boolean | undefined
}

export interface MoveQuery {
  readonly limit: number
  /** Only those before this place: `next` of the page before. */
  readonly before?: number | undefined
}

/** An op that came signed, with its list. */
export interface SignedOrder {
  readonly op: TokenOp
  readonly list: readonly TokenPlace[]
  readonly signature: string
  /** Left out, the key of the first token's owner, if it is known here. */
  readonly public_key?: string | undefined
}

/** How owner and lock of an envelope change: by ops, which their home applies whole or not at all. */
export interface Moves {
  /**
   * Sends envelopes of an account whose key the node keeps: all that are meant, or none.
   *
   * @throws Fault SCOPE_REQUIRED, INVALID_INPUT, UNKNOWN_ZID, TOO_FEW, NOT_FOUND, SOULBOUND, ENVELOPE_LOCKED
   */
  send(caller: Caller, order: SendOrder, repeat?: Repeat): Promise<WithReplayed<Sent>>
  /** Applies an op that its owner signed. The same op again gives the same receipt. @throws Fault as `Home.apply` */
  apply(order: SignedOrder): Promise<Move>
  /** An account's ops, newest first. @throws Fault SCOPE_REQUIRED */
  moves(caller: Caller, query: MoveQuery): Promise<MovePage>
  /** One op with its receipt, whole. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
  move(caller: Caller, digest: string): Promise<Move>
  /** What became of an envelope. @throws Fault NOT_FOUND for what is not the caller's */
  history(caller: Caller, tokenId: string): Promise<TokenHistory>
  /** Resolves when the rows of an account's envelopes are what the leaves of its ops say. */
  settled(zid: string): Promise<void>
  /** Whether a log is one of this node's. */
  isOwn(log: string): boolean
  /** Withholds what of a bond has its home here, and what is `beside`, in one batch. @throws Fault NODE_BUSY */
  withhold(fall: Fall): Promise<void>
  /** Goes on with moves that a crash cut off. Call it before anything else is asked. */
  resume(): Promise<{ readonly rows: Promise<void> }>
}
