import Type, { type Static } from 'typebox'
import { assert } from '#core/assert.ts'
import { fromHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { nodeOfLog } from '#core/ids.ts'
import { leafHash, verifyInclusion } from '#core/merkle.ts'
import { closed, count, fitting, hex64, signature, tokenId } from '#core/schema.ts'
import {
  endOf,
  type ProvenSuccession,
  provenSuccessionSchema,
  standsBehind,
  verifySuccession,
} from '#core/succession.ts'
import { LIST_TOKENS_MAX, packList, pathIn, placeAt, SPEND_SEQ_MAX, sharedIn, type TokenList } from './list.ts'
import { assertSignedOp, type SignedOp, signedOpSchema } from './op.ts'
import { receiptFault, type TokenReceipt, tokenReceiptSchema, verifyReceipt } from './receipt.ts'

/** Hashes on a path under the root of the longest list. */
const PATH_MAX = 21
/** Keys one after another between a home's and those that signed, as evidence brings them along. */
const SUCCESSIONS_MAX = 8

const spentSchema = closed({
  ...signedOpSchema.properties,
  receipt: tokenReceiptSchema,
  receipt_signature: signature({ description: 'By the key of the node whose log holds it.' }),
  index: count({ maximum: LIST_TOKENS_MAX - 1, description: 'Place of the entry in the list of this op.' }),
  path: Type.Array(hex64(), { maxItems: PATH_MAX, description: 'Path of the entry under tokens_root, bottom up.' }),
})
type Spent = Static<typeof spentSchema>

/** Form of evidence that a home applied two ops to one token at one count of its changes. */
export const tokenEvidenceSchema = closed(
  {
    receipts: Type.Array(spentSchema, {
      minItems: 2,
      maxItems: 2,
      description: 'Ascending by op digest, then log, then index.',
    }),
    token_id: tokenId(),
    spend_seq: count({ maximum: SPEND_SEQ_MAX }),
  },
  { title: 'TokenEvidence' },
)
/** Evidence against the home of a token, which proves itself to anyone: two receipts that take the same place. */
export type TokenEvidence = Static<typeof tokenEvidenceSchema>

/** Form of evidence that leans on nothing but itself: with the successions from the home's key to those that signed. */
export const tokenProofSchema = closed(
  {
    ...tokenEvidenceSchema.properties,
    successions: Type.Array(provenSuccessionSchema, {
      maxItems: SUCCESSIONS_MAX,
      description: "From the key of the home to those that signed; empty where that is the home's own.",
    }),
  },
  { title: 'TokenProof' },
)
/** Evidence as it goes to all nodes, who need know no key of it beforehand. */
export type TokenProof = Static<typeof tokenProofSchema>

/** What evidence says, once it was verified. */
export interface ProvenTwice {
  readonly home: string
  /** The nodes that signed: that of the home, or keys that succeeded it. */
  readonly nodes: readonly string[]
  readonly token_id: string
  readonly spend_seq: number
}

const refuse = (why: string): never => {
  throw new Fault('BAD_SIGNATURE', why)
}

/**
 * Why the node that signed a receipt does not speak for its home, or undefined: a stranger's receipt convicts nobody,
 * nor does what came after the end of a log.
 */
export const speakingFault = (
  { home, log, index }: TokenReceipt,
  known: readonly ProvenSuccession[],
): string | undefined => {
  const [node, homeNode] = [nodeOfLog(log), nodeOfLog(home)]
  if (node !== homeNode && !standsBehind(known, node, homeNode)) {
    return 'A receipt is signed by a node that is not known to be the home of its tokens.'
  }
  const end = endOf(known, node)?.succession
  if (end === undefined || (log === end.origin && index < end.size)) return undefined
  return `A key is superseded by ${end.new_node}: only the first ${end.size} leaves of ${end.origin} count.`
}

const assertSpent = (spent: Spent, entry: Uint8Array): void => {
  const { op, receipt, receipt_signature, index, path } = spent
  assertSignedOp(spent)
  const why = receiptFault(op, receipt)
  if (why !== undefined) refuse(why)
  if (!verifyReceipt(receipt, receipt_signature)) refuse('A receipt is not signed by the node whose log it names.')
  const place = { leafHash: leafHash(entry), index, size: op.count, path: path.map(fromHex) }
  const listed = verifyInclusion({ ...place, root: fromHex(op.tokens_root) })
  if (!listed) refuse('An op does not list the token at that count of changes.')
}

/** Below, at or above zero in the one order in which two receipts stand; zero for one op at one leaf. */
const compare = (a: TokenReceipt, b: TokenReceipt): number => {
  if (a.op_digest !== b.op_digest) return a.op_digest < b.op_digest ? -1 : 1
  if (a.log !== b.log) return a.log < b.log ? -1 : 1
  return a.index - b.index
}

/**
 * Checks evidence by itself: who brought it says nothing. The same op at the same leaf is one change, however often its
 * receipt was given; at two leaves it is two.
 *
 * @param known successions, each verified, where a receipt is by a key that succeeded the home's.
 * @throws Fault INVALID_INPUT for another form, BAD_SIGNATURE, BAD_PUBLIC_KEY saying what does not hold.
 */
export const verifyTokenEvidence = (value: unknown, known: readonly ProvenSuccession[] = []): ProvenTwice => {
  const { receipts, token_id, spend_seq } = fitting(tokenEvidenceSchema, value)
  const [one, other] = receipts
  assert(one !== undefined && other !== undefined, 'the form asks for two')
  const { home } = one.receipt
  if (other.receipt.home !== home) return refuse('The receipts are of two homes.')
  const order = compare(one.receipt, other.receipt)
  if (order === 0) return refuse('Both receipts are of one op at one leaf.')
  if (order > 0) return refuse('The receipts stand in the other order.')
  const entry = packList([{ token_id, spend_seq }])
  for (const spent of [one, other]) {
    assertSpent(spent, entry)
    const why = speakingFault(spent.receipt, known)
    if (why !== undefined) refuse(why)
  }
  const nodes = [...new Set([one, other].map(({ receipt }) => nodeOfLog(receipt.log)))]
  return { home, nodes, token_id, spend_seq }
}

/**
 * Checks evidence with the successions that it brings, each of which must verify and lead on from its home's key.
 *
 * @throws Fault as {@link verifyTokenEvidence}
 */
export const verifyTokenProof = (value: unknown): ProvenTwice => {
  const { successions, ...evidence } = fitting(tokenProofSchema, value)
  const known = successions.map(verifySuccession)
  const proven = verifyTokenEvidence(evidence, known)
  const homeNode = nodeOfLog(proven.home)
  for (const { succession } of known) {
    const leads = standsBehind(known, succession.new_node, homeNode)
    if (!leads) refuse('A succession does not lead on from the key of the home.')
  }
  return proven
}

/** A receipt as somebody holds it, with all of its list. */
export interface HeldReceipt extends SignedOp {
  readonly receipt: TokenReceipt
  readonly receipt_signature: string
  readonly list: TokenList
}

const spentOf = ({ op, public_key, signature: signed, receipt, receipt_signature, list }: HeldReceipt, at: number) => ({
  ...{ op, public_key, signature: signed, receipt, receipt_signature },
  ...{ index: at, path: pathIn(list, at) },
})

/**
 * Evidence of two receipts, if they are any: of the first token that both take at one count of its changes.
 *
 * @returns undefined when this proves nothing to a third party.
 */
export const tokenEvidenceOf = (
  one: HeldReceipt,
  other: HeldReceipt,
  known: readonly ProvenSuccession[] = [],
): TokenEvidence | undefined => {
  const [a, b] = compare(one.receipt, other.receipt) <= 0 ? [one, other] : [other, one]
  const shared = sharedIn(a.list, b.list)
  if (shared === undefined) return undefined
  const evidence = { receipts: [spentOf(a, shared.inA), spentOf(b, shared.inB)], ...placeAt(a.list, shared.inA) }
  try {
    verifyTokenEvidence(evidence, known)
    return evidence
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
