import { toHex } from '#core/bytes.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import { tickLeaf } from '#core/envelope.ts'
import { tokenIdOf } from '#core/ids.ts'
import { inclusionProof, leafHash, rootFrom } from '#core/merkle.ts'
import { encodeTlogProof } from '#core/tlog-proof.ts'
import { countOf, packSorted, placesOf, type TokenList, type TokenPlace, tokensRoot } from '#core/token/list.ts'
import { moveLeaf, type SignedOp, type TokenOp } from '#core/token/op.ts'
import { signOp } from '#core/token/order.ts'
import { receiptOf, signReceipt, type TokenReceipt, type TokenReceiptFile } from '#core/token/receipt.ts'
import { GENESIS, node, partyOf, sealLog, treeOf, user } from './sample.ts'

/** Who takes tokens over, and the key of a bearer package. */
export const taker = partyOf('taker')
export const package_ = partyOf('package')
/** Mesh tick at which the sample's ops are signed; each is applied a tick later. */
export const SIGNED_AT = GENESIS + 50
export const APPLIED_AT = SIGNED_AT + 1
export const FACE = 3

/** Tokens of the sample's home. */
export const ids = [2, 3, 5, 7, 11].map((index) => tokenIdOf(sealLog, index))

/** Places of some of them at one count of changes. */
export const placesAt = (spend_seq: number, ...which: readonly number[]): readonly TokenPlace[] =>
  which.map((i) => ({ token_id: ids[i] as string, spend_seq }))

export type Party = ReturnType<typeof partyOf>

type OwnMembers<Op> = Op extends TokenOp ? Omit<Op, 'home' | 'tokens_root' | 'count' | 'valid_to' | 'mesh_tick'> : never
/** What tells one op from another. */
export type Kind = OwnMembers<TokenOp>

/** An op of the sample's home over a list. */
export const opOver = (list: TokenList, kind: Kind, changes: Partial<TokenOp> = {}): TokenOp =>
  ({
    home: sealLog,
    tokens_root: tokensRoot(list),
    count: countOf(list),
    ...{ valid_to: SIGNED_AT + 240, mesh_tick: SIGNED_AT },
    ...kind,
    ...changes,
  }) as TokenOp

export const signed = ({ seed }: Party, op: TokenOp): SignedOp => signOp(seed, op)

/** A signed op with its list, packed. */
export interface Ordered extends SignedOp {
  readonly packed: TokenList
}

export const ordered = (signer: Party, places: readonly TokenPlace[], kind: Kind): Ordered => {
  const packed = packSorted(places)
  return { ...signed(signer, opOver(packed, kind)), packed }
}

/** One of each kind, in an order in which a home applies them all. */
export const sequence: readonly Ordered[] = [
  ordered(user, placesAt(0, 0, 1, 2, 3, 4), { op: 'transfer', to: taker.zid, until: null }),
  ordered(taker, placesAt(1, 0, 3), { op: 'lock', ref: 'vote:proposal-7', until: GENESIS + 1_287 }),
  ordered(taker, placesAt(1, 4), { op: 'lock', ref: 'bond:b0', until: null }),
  ordered(taker, placesAt(2, 4), { op: 'unlock', ref: 'bond:b0', until: null }),
  ordered(taker, placesAt(1, 1, 2), { op: 'bearer', ref: toHex(package_.publicKey), until: null }),
  ordered(package_, placesAt(2, 1), { op: 'redeem', to: user.zid, until: null }),
  ordered(taker, placesAt(2, 2), { op: 'reclaim', ref: toHex(package_.publicKey), until: null }),
]

/** What a home says and shows of an op. */
export interface Told {
  readonly file: TokenReceiptFile
  readonly leaf: Uint8Array
}

/** Receipts of ops that stand one after the other in the sample's log, behind a tick leaf and before another. */
export const told = (ops: readonly Ordered[], changed: (receipt: TokenReceipt) => object = () => ({})): Told[] => {
  const leaves = [tickLeaf(49), ...ops.map(moveLeaf), tickLeaf(51)]
  const hashes = leaves.map(leafHash)
  const tree = treeOf(hashes)
  const root = rootFrom(tree, leaves.length)
  const checkpoint = signCheckpoint({ origin: sealLog, size: leaves.length, root }, node.publicKey, node.seed)
  return ops.map(({ packed, ...op }, i) => {
    const index = i + 1
    const list = [...placesOf(packed)]
    const made = receiptOf(op.op, { log: sealLog, index, weight: list.length * FACE, meshTick: APPLIED_AT })
    const receipt = { ...made, ...changed(made) } as TokenReceipt
    const proof = encodeTlogProof({ index, path: inclusionProof(tree, index, leaves.length), checkpoint })
    return {
      leaf: leaves[index] as Uint8Array,
      file: {
        ...{ v: 1, kind: 'token-receipt', ...op },
        ...{ receipt, receipt_signature: signReceipt(node.seed, receipt), list, proof },
      },
    }
  })
}
