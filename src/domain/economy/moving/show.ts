import { CHUNK_TOKENS, countOf, placesOf } from '#core/token/list.ts'
import type { TokenReceiptFile } from '#core/token/receipt.ts'
import type { Move } from '#domain/economy/views.ts'
import { leafProof } from '#store/leaf-proof.ts'
import { readList } from '#store/op-lists.ts'
import type { Store } from '#store/store.ts'
import type { AppliedMove } from './append.ts'

/** Tokens that an op in a list of ops shows; of a longer list its receipt alone speaks. */
export const SHOWN_TOKENS_MAX = 64

/**
 * The file that proves an op to anyone: receipt, op, and the proof of its leaf.
 *
 * @param tokensMax of a list that stands in it
 */
export const fileOf = async (
  store: Store,
  { row, serial, receipt, list: inHand }: AppliedMove,
  tokensMax = CHUNK_TOKENS,
): Promise<TokenReceiptFile> => {
  const { op, public_key, signature, digest, receipt_signature } = row
  const list = op.count <= tokensMax ? (inHand ?? (await readList(store, 'moveList', digest))) : undefined
  return {
    v: 1,
    kind: 'token-receipt',
    ...{ op, public_key, signature, receipt, receipt_signature },
    ...(list === undefined || countOf(list) === 0 ? {} : { list: [...placesOf(list)] }),
    proof: (await leafProof(store, serial)) ?? null,
  }
}

/** What an op's own receipt does not say of it. */
export interface MoveFacts {
  /** Who looks. */
  readonly zid: string
  /** Owner of the tokens before it. */
  readonly from: string
  /** Node tick at which this node knew of it. */
  readonly tick: number
  readonly serial: number | null
  readonly state: Move['state']
}

/** An op, by its receipt, as those see it whose tokens it moved. */
export const moveOf = (file: TokenReceiptFile, { zid, from, tick, serial, state }: MoveFacts): Move => {
  const { op, receipt } = file
  const to = 'to' in op ? op.to : null
  return {
    op: op.op,
    op_digest: receipt.op_digest,
    direction: to === null || to === from ? 'own' : from === zid ? 'out' : 'in',
    ...{ from, to, ref: 'ref' in op ? op.ref : null, until: op.until, count: op.count, weight: receipt.weight, tick },
    ...{ mesh_tick: receipt.mesh_tick, home: op.home, log: receipt.log, index: receipt.index, serial, state },
    receipt: file,
  }
}

/** An op that this home applied. @param zid who looks */
export const showMove = async (
  store: Store,
  move: AppliedMove,
  { zid, tokensMax = SHOWN_TOKENS_MAX }: { readonly zid: string; readonly tokensMax?: number },
): Promise<Move> => {
  const { row, serial } = move
  const { log, index } = store.leafAt(serial)
  const { state } = await log.stateOf(index)
  return moveOf(await fileOf(store, move, tokensMax), { zid, from: row.from, tick: row.tick, serial, state })
}
