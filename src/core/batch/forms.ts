import { toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { purposes, signedBytes } from '#core/digest.ts'
import { type Signer, signValueWith, verifyByNode } from '#core/keys.ts'
import { leafHash, rootOf } from '#core/merkle.ts'

/** Calls of one batch: from one to this many. */
export const BATCH_CALLS_MAX = 1_000
/** Inputs that one sweep varies at most. */
export const VARIED_MAX = 2

/** One call of a batch, as the tree of its calls has it; its place in the tree is its index. */
export interface BatchCall {
  /** `POST /api/svc/heat` */
  readonly route: string
  /** What the caller sent, defaults not filled in. */
  readonly input: Json
  /** Digest of the full inputs, as the claim of the run will have it. */
  readonly inputs_digest: string
}

/** What the node signs before the first run. */
export interface BatchOpening {
  readonly v: 1
  readonly node: string
  readonly log: string
  /** The leaf's place in that log. */
  readonly index: number
  /** Name of the batch: 16 random bytes, hex. They make the leaf's hash hiding as well. */
  readonly batch: string
  /** Whom its envelopes are issued to: an account, or `house`. */
  readonly zid: string
  /** How many calls it has. */
  readonly calls: number
  /** Root of the tree of the calls, in the order of their indexes, hex. */
  readonly root: string
  /** Credits kept back for all of them. */
  readonly price: number
  readonly tick: number
}

/** What came of one call. `refused`: what was asked, or what came out, would not do; `failed`: the node could not. */
export type BatchOutcome =
  | { readonly outcome: 'sealed'; readonly token_id: string }
  | { readonly outcome: 'refused' | 'failed'; readonly code: string }

/** How many calls of a batch ended in which way. */
export interface BatchCounts {
  readonly sealed: number
  readonly refused: number
  readonly failed: number
}

/** What the node signs when nothing of a batch is left to be done: its counts add up to its calls. */
export interface BatchClosing extends BatchCounts {
  readonly v: 1
  readonly node: string
  readonly log: string
  readonly index: number
  readonly batch: string
  /** Hash of the leaf that opened it, hex. */
  readonly opening: string
  readonly calls: number
  /** Root of the tree of the outcomes, in the order of the calls, hex. */
  readonly outcomes: string
  readonly tick: number
}

/** A document and the signature of its node, 128 hex digits. */
export interface SignedOpening {
  readonly opening: BatchOpening
  readonly signature: string
}
/** The same of a closing. */
export interface SignedClosing {
  readonly closing: BatchClosing
  readonly signature: string
}

const json = (value: object): Json => value as unknown as Json

/** Root over leaves in their order, hex. */
const rootHex = (leaves: readonly Uint8Array[]): string => toHex(rootOf(leaves.map(leafHash)))

/** A leaf of the tree of calls. @throws Fault NOT_CANONICAL */
export const callLeaf = ({ route, input, inputs_digest }: BatchCall): Uint8Array =>
  signedBytes(purposes.batchCall, { route, input, inputs_digest })

/** Root of the tree of calls, hex. @throws Fault NOT_CANONICAL */
export const callsRoot = (calls: readonly BatchCall[]): string => rootHex(calls.map(callLeaf))

/** A leaf of the tree of outcomes. */
export const outcomeLeaf = (it: BatchOutcome): Uint8Array =>
  signedBytes(
    purposes.batchOutcome,
    it.outcome === 'sealed' ? { outcome: it.outcome, token_id: it.token_id } : { outcome: it.outcome, code: it.code },
  )

/** Root of the tree of outcomes, hex. */
export const outcomesRoot = (outcomes: readonly BatchOutcome[]): string => rootHex(outcomes.map(outcomeLeaf))

/** Counts outcomes by what they are. */
export const countsOf = (outcomes: readonly Pick<BatchOutcome, 'outcome'>[]): BatchCounts => {
  const of = (what: BatchOutcome['outcome']): number => outcomes.filter(({ outcome }) => outcome === what).length
  return { sealed: of('sealed'), refused: of('refused'), failed: of('failed') }
}

/** Signs an opening. */
export const signOpeningWith = async (signer: Signer, opening: BatchOpening): Promise<SignedOpening> => ({
  opening,
  signature: await signValueWith(signer, purposes.batchOpening, json(opening)),
})

/** Signs a closing. */
export const signClosingWith = async (signer: Signer, closing: BatchClosing): Promise<SignedClosing> => ({
  closing,
  signature: await signValueWith(signer, purposes.batchClosing, json(closing)),
})

/** Whether the node that an opening names signed it. */
export const verifyOpening = ({ opening, signature }: SignedOpening): boolean =>
  verifyByNode(opening.node, purposes.batchOpening, json(opening), signature)

/** Whether the node that a closing names signed it. */
export const verifyClosing = ({ closing, signature }: SignedClosing): boolean =>
  verifyByNode(closing.node, purposes.batchClosing, json(closing), signature)

/** Leaf data of an opening in the seal log: `tickmesh/batch-open/1`, LF, JCS{opening, signature}. */
export const openLeaf = ({ opening, signature }: SignedOpening): Uint8Array =>
  signedBytes(purposes.batchOpen, { opening: json(opening), signature })

/** Leaf data of a closing: `tickmesh/batch-close/1`, LF, JCS{closing, signature}. */
export const closeLeaf = ({ closing, signature }: SignedClosing): Uint8Array =>
  signedBytes(purposes.batchClose, { closing: json(closing), signature })
