import type { Json } from '#core/canonical.ts'
import type { Rows } from '#store/layout.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { KeptCheck } from './kept.ts'
import type { Movements } from './ledger.ts'
import type { CheckedLeaf } from './logs.ts'
import type { DueHeads } from './machines.ts'
import type { Fsck } from './report.ts'
import type { Signatures } from './signatures.ts'

/** What moved, held against leaves, tokens and coins. */
export interface MovesCheck {
  /** The leaf of an op. @returns the tick it carries */
  leaf(context: LeafContext, leaf: CheckedLeaf, body: Json): Promise<number>
  /** A token's row is what its ops, one after another, made of it. @param owner whose it was when it was minted */
  row(row: EnvelopeRow, owner: string): Promise<void>
  /**
   * What no leaf stands behind: ops, lists of ops, intents. Takes coins of tokens whose rows an intent has still to
   * write over to whom they belong.
   */
  leftOvers(coins: Map<string, number>): Promise<void>
}

/** What the leaves are held against. */
export interface LeafContext {
  readonly fsck: Fsck<Rows>
  /** Whose key signs the log, its name, and how many leaves stand in the seal logs before it. */
  readonly signed: { readonly node: string; readonly origin: string; readonly base: number }
  readonly movements: Movements
  /** How many envelopes each folder of each list must hold, by the key of the folder's count. */
  readonly folders: Map<string, number>
  /** How many envelopes of each list may move, and how many are tied for a time. */
  readonly movable: Map<string, number>
  readonly timed: { count: number }
  /** What is kept of them beside their leaves. */
  readonly kept: KeptCheck
  /** Sum of the faces of those whose coins each account keeps. */
  readonly coins: Map<string, number>
  readonly moves: MovesCheck
  /** Heads of machines that must be in the log. */
  readonly heads: DueHeads
  readonly signatures: Signatures
}
