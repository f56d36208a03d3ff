import { fromHex, toHex } from '#core/bytes.ts'
import type { Bundle, Funding } from '#core/claim.ts'
import { envelopeLeaf } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { nodeOfLog } from '#core/ids.ts'
import { publicKeyOf, zidOf } from '#core/keys.ts'
import { leafHash } from '#core/merkle.ts'
import { verifierOf } from '#core/note.ts'
import { type ProvenSuccession, standsBehind } from '#core/succession.ts'
import { verifyTlogProof } from '#core/tlog-proof.ts'
import type { TokenProof } from '#core/token/evidence.ts'
import { assertSignedOp, moveLeaf, type SignedOp } from '#core/token/op.ts'
import { receiptFault, type TokenReceipt, verifyReceipt } from '#core/token/receipt.ts'
import { type SignedState, STATE_TOKENS_MAX, type TokenLock } from '#core/token/state.ts'
import { keyOf, seqKey } from './key-parts.ts'
import type { BlobRows } from './rows/blob.ts'
import type { EraRows } from './rows/era.ts'

/** What is kept of tokens whose home is another node, and what each of it must be. */

/** A token of a ZID that lives here and whose home is another node. */
export interface AwayTokenRow {
  readonly token_id: string
  /** Serial number of its arrival, among those of its owner. */
  readonly serial: number
  /** A ZID. */
  readonly owner: string
  readonly folder: string
  /** Digest of the op that brought it. */
  readonly brought_by: string
  /** Blob of its bundle, as the home gave it. */
  readonly bundle: string
  /** Bytes of that. */
  readonly bytes: number
  /** What its claim says. */
  readonly facts: AwayFacts
  /** What its home said last, signed in the state of its lot. */
  readonly soulbound: boolean
  readonly lock: TokenLock | null
  readonly spend_seq: number
}

/** What of a claim a list shows. */
export interface AwayFacts {
  /** The log that minted it: its home. */
  readonly home: string
  readonly index: number
  /** Leaf hash, hex. */
  readonly hash: string
  readonly kind: string
  readonly operators: readonly string[]
  readonly tick: number
  readonly phase: number
  readonly face: number
  readonly funding: Funding
  readonly issued_to: string
  readonly value: number | null
  readonly unit: string
  readonly precision_actual: number
}

/** An op that another home applied and that concerned a ZID here, with its receipt. */
export interface AwayMoveRow extends SignedOp {
  readonly digest: string
  readonly receipt: TokenReceipt
  readonly receipt_signature: string
  /** C2SP tlog-proof of its leaf; null while none was given that verified. */
  readonly proof: string | null
  /** Whether the quorum of this node's policy cosigned a checkpoint that holds the leaf. */
  readonly received: boolean
  /** Its place among the moves of this node: 1,024 for each leaf that the seal logs had, and counted on. */
  readonly place: number
  /** Node tick when this node learned of it. */
  readonly tick: number
}

/** Tokens that are on their way: their receipt is here. */
export interface AwayArrivalRow {
  /** Whether the list is here, whole. */
  readonly listed: boolean
  /** Tokens, in the order of the list, that were taken in. */
  readonly done: number
}

/** An op that was sent to another home, whose answer has not come. */
export interface AwayPendingRow extends SignedOp {
  /** Who sent it. */
  readonly zid: string
  /** The call that it is sent for, so that a repeat of that sends no other one. */
  readonly repeat: string | null
}

export interface AwayRows {
  readonly awayToken: AwayTokenRow
  readonly awayByToken: string
  readonly awayByFolder: string
  readonly awayFolder: number
  readonly awayBytes: number
  readonly awayState: SignedState
  readonly awayMove: AwayMoveRow
  readonly awayMoveByZid: string
  readonly awayOfToken: string
  readonly awayList: Uint8Array
  readonly awayArrival: AwayArrivalRow
  readonly awayPending: AwayPendingRow
  readonly awayEvidence: TokenProof
  readonly awayEvidenceSlot: string
  readonly awayEvidenceNext: number
  readonly awaySerial: number
  readonly awayPlace: number
}

/** What the check of these rows reads beside them. */
export type AwayNeeds = AwayRows & Pick<BlobRows, 'blob'> & Pick<EraRows, 'successor'>

/**
 * Evidence against homes of which no token is held here has so many places: it costs a stranger nothing to make a key
 * and spend with it twice. Against homes of tokens that are held it is never given up.
 */
export const TOKEN_EVIDENCE_PLACES = 256

/** Places among the moves of this node for each leaf of its seal logs. */
export const PLACES_PER_LEAF = 1_024

/** Key of an arrival in its owner's list; newest last. */
export const awayKey = (zid: string, serial: number): string => keyOf(zid, seqKey(serial))
/** A home as a key part: node id and number, joined by a dot. */
export const homePart = (home: string): string => home.split('/').slice(1).join('.')
/** Key of the state of the lot that a serial number belongs to: as many tokens as one question asks for. */
export const lotKey = (zid: string, home: string, serial: number): string =>
  keyOf(zid, homePart(home), seqKey(Math.floor(serial / STATE_TOKENS_MAX)))

/** What a list shows of a bundle. */
export const factsOf = ({ envelope: { claim, signature } }: Bundle): AwayFacts => ({
  home: claim.log,
  index: claim.index,
  hash: toHex(leafHash(envelopeLeaf(claim, signature))),
  kind: claim.kind,
  operators: claim.operators,
  tick: claim.tick,
  phase: claim.phase,
  face: claim.price,
  funding: claim.funding,
  issued_to: claim.zid,
  value: claim.value,
  unit: claim.unit,
  precision_actual: claim.precisionActual,
})

/** An op and what its home says of it. */
export type Receipted = SignedOp & Pick<AwayMoveRow, 'receipt' | 'receipt_signature'>

/** Whose tokens an op concerns: those of who signed it, and of whom it names. */
export const concernedBy = ({ op, public_key }: Pick<SignedOp, 'op' | 'public_key'>): readonly string[] => [
  ...new Set([zidOf(fromHex(public_key)), ...('to' in op ? [op.to] : [])]),
]

const refuse = (why: string): never => {
  throw new Fault('BAD_SIGNATURE', why)
}

/**
 * Holds a receipt against its op and its home.
 *
 * @param known successions, each verified: the successor of a home's key signs in its stead.
 * @throws Fault BAD_SIGNATURE, BAD_PUBLIC_KEY
 */
export const assertReceipted = (
  { op, public_key, signature, receipt, receipt_signature }: Receipted,
  known: readonly ProvenSuccession[],
): void => {
  assertSignedOp({ op, public_key, signature })
  const why = receiptFault(op, receipt)
  if (why !== undefined) refuse(why)
  if (!verifyReceipt(receipt, receipt_signature)) refuse('The receipt is not signed by the node whose log it names.')
  const [node, home] = [nodeOfLog(receipt.log), nodeOfLog(op.home)]
  if (node !== home && !standsBehind(known, node, home)) refuse('The receipt is not signed by the home of its tokens.')
}

/** Holds the proof of an op's leaf against its receipt. @throws Fault BAD_SIGNATURE */
export const assertIncluded = (proof: string, { op, public_key, signature, receipt }: Receipted): void => {
  const log = verifierOf(receipt.log, publicKeyOf(nodeOfLog(receipt.log)))
  const { index } = verifyTlogProof(proof, leafHash(moveLeaf({ op, public_key, signature })), { log })
  if (index !== receipt.index) refuse('The proof is of another leaf than the receipt names.')
}
