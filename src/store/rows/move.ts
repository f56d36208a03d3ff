import type { SignedOp } from '#core/token/op.ts'
import { rowKind } from '#store/row-kind.ts'

/** An op that this home applied: what its leaf holds and its receipt says. The list stands in chunks beside it. */
export interface MoveRow extends SignedOp {
  readonly digest: string
  /** Who owned the tokens before it. */
  readonly from: string
  /** Sum of the faces. */
  readonly weight: number
  /** Mesh tick of the commit: the receipt's. */
  readonly mesh_tick: number
  readonly tick: number
  /** Of the receipt, by the identity key of that time. */
  readonly receipt_signature: string
}

/** An op whose leaf is durable and whose rows are not all written: it goes on after a crash. */
export interface IntentRow {
  /** Tokens, in the order of the list, whose rows are written. */
  readonly done: number
}

export interface MoveRows {
  readonly move: MoveRow
  readonly moveByDigest: string
  readonly moveByZid: true
  readonly moveOfToken: string
  readonly moveList: Uint8Array
  readonly moveDraft: true
  readonly intent: IntentRow
}

/** Ops are held against their leaves and tokens, in the walk over the seal logs. */
export const move = rowKind<MoveRows>({
  tables: {
    move: { prefix: 't', form: 'json', key: 'serial number of the leaf' },
    moveByDigest: { prefix: 'td', form: 'json', key: "the op's digest: serial number of the leaf, as a key part" },
    moveByZid: { prefix: 'tz', form: 'json', key: 'ZID of an owner before or after / serial number of the leaf' },
    moveOfToken: { prefix: 'tt', form: 'json', key: 'token id / spend_seq after it: serial number, as a key part' },
    moveList: { prefix: 'tl', form: 'bytes', key: "the op's digest / chunk: packed entries of the list" },
    moveDraft: { prefix: 'tf', form: 'json', key: 'digest of an op whose list is kept, and that is not applied yet' },
    intent: { prefix: 'ti', form: 'json', key: 'serial number of the leaf' },
  },
  since: { schema: 3, note: 'a store of before has moved nothing' },
})
