import { CHUNK_TOKENS, countOf, placesOf } from '#core/token/list.ts'
import type { TokenReceiptFile } from '#core/token/receipt.ts'
import type { Move } from '#domain/economy/views.ts'
import { leafProof } from '#store/leaf-proof.ts'
import type { Store } from '#store/store.ts'
import type { AppliedMove } from './append.ts'
import { readList } from './lists.ts'

/** Tokens that an op in a list of ops shows; of a longer list its receipt alone speaks. */
export const SHOWN_TOKENS_MAX = 64

/**
 * The file that proves an op to anyone: receipt, op, and the proof of its leaf.
 *
 * @param tokensMax of a list that stands in it
 */
export const fileOf = async (
  store: Store,
  { row, serial, receipt }: AppliedMove,
  tokensMax = CHUNK_TOKENS,
): Promise<TokenReceiptFile> => {
  const { op, public_key, signature, digest, receipt_signature } = row
  const list = op.count <= tokensMax ? await readList(store, digest) : undefined
  return {
    v: 1,
    kind: 'token-receipt',
    ...{ op, public_key, signature, receipt, receipt_signature },
    ...(list === undefined || countOf(list) === 0 ? {} : { list: [...placesOf(list)] }),
    proof: (await leafProof(store, serial)) ?? null,
  }
}

/** An op as those see it whose tokens it moved. @param zid who looks */
export const showMove = async (
  store: Store,
  move: AppliedMove,
  { zid, tokensMax = SHOWN_TOKENS_MAX }: { readonly zid: string; readonly tokensMax?: number },
): Promise<Move> => {
  const { row, serial, receipt } = move
  const { op } = row
  const to = 'to' in op ? op.to : null
  const { log, index } = store.leafAt(serial)
  const { state } = await log.stateOf(index)
  return {
    op: op.op,
    op_digest: row.digest,
    direction: to === null || to === row.from ? 'own' : row.from === zid ? 'out' : 'in',
    from: row.from,
    to,
    ref: 'ref' in op ? op.ref : null,
    until: op.until,
    count: op.count,
    weight: row.weight,
    tick: row.tick,
    mesh_tick: row.mesh_tick,
    home: op.home,
    log: receipt.log,
    index,
    serial,
    state,
    receipt: await fileOf(store, move, tokensMax),
  }
}
