import { assert } from '#core/assert.ts'
import { toHex, utf8 } from '#core/bytes.ts'
import { accountCaller, type Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { type Signer, signValueWith } from '#core/keys.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import { countOf, packSorted, type TokenPlace } from '#core/token/list.ts'
import { OP_VALID_TICKS_MAX, type SignedOp, type TokenOp } from '#core/token/op.ts'
import { sha256 } from '#crypto'
import type { Economy } from '#domain/economy/economy.ts'
import type { Sent } from '#domain/economy/views.ts'
import type { AccountRow } from '#store/rows/account.ts'
import type { Store } from '#store/store.ts'
import type { AppliedMove, InBatch } from './append.ts'
import { drawMovable } from './draw.ts'
import type { Home } from './home.ts'
import { rootOfLong } from './lists.ts'
import { showMove } from './show.ts'
import type { SendOrder } from './types.ts'

export interface SendOptions {
  readonly store: Store
  readonly home: Home
  readonly idempotent: Economy['idempotent']
  /** The key of an account that this node keeps; undefined for one that keeps its own. */
  readonly custody: (account: AccountRow) => Signer | undefined
}

/** @throws Fault INVALID_INPUT, UNKNOWN_ZID */
const assertRecipient = async (store: Store, from: string, { to, allow_unknown }: SendOrder): Promise<void> => {
  if (to === from) throw new Fault('INVALID_INPUT', 'These envelopes are yours already.', { to })
  if (allow_unknown === true) return
  const [here, elsewhere] = await Promise.all([store.get('account', to), store.get('assertion', to)])
  if (here === undefined && elsewhere === undefined) {
    const detail = 'No account here or at a node that is known has this ZID. `allow_unknown` sends all the same.'
    throw new Fault('UNKNOWN_ZID', detail, { zid: to })
  }
}

/** The tokens that an order means. @throws Fault INVALID_INPUT, TOO_FEW */
const tokensOf = async (store: Store, from: string, { count, token_ids }: SendOrder): Promise<readonly string[]> => {
  if ((count === undefined) === (token_ids === undefined)) {
    throw new Fault('INVALID_INPUT', 'Say either token_ids or count.')
  }
  return token_ids ?? drawMovable(store, from, count ?? 0)
}

/** A list of tokens as the home has them now, and the home that they have in common. */
const listed = (store: Store, home: Home, from: string, tokens: readonly string[]) => {
  let origin: string | undefined
  const places = tokens.map((token_id): TokenPlace => {
    const stored = store.peek('envelope', token_id)
    const row = stored === undefined ? undefined : home.through(stored)
    if (row === undefined || row.listed_under !== from) throw new Fault('NOT_FOUND', undefined, { token_id })
    const of = store.leafAt(row.index).log.origin
    origin ??= of
    if (of !== origin) throw new Fault('INVALID_INPUT', 'The envelopes have different homes.', { token_id })
    return { token_id, spend_seq: row.spend_seq }
  })
  return { list: packSorted(places), home: origin as string }
}

/** Signs an op under its owner's key. */
export const signOp = async (signer: Signer, op: TokenOp): Promise<SignedOp> => ({
  op,
  public_key: toHex(signer.publicKey),
  signature: await signValueWith(signer, purposes.tokenOp, op as unknown as Json),
})

/** What an order says, for its Idempotency-Key. */
const inputOf = ({ to, count, token_ids, allow_unknown }: SendOrder): string => {
  const tokens = token_ids === undefined ? null : toHex(sha256(utf8(token_ids.join(' '))))
  return digest(purposes.request, { to, count: count ?? null, tokens, allow_unknown: allow_unknown ?? false })
}

/** Sends envelopes that were minted here, all that are meant or none. */
export const createSend = ({ store, home, idempotent, custody }: SendOptions) => {
  const signerOf = async (zid: string): Promise<Signer> => {
    const account = await store.get('account', zid)
    const signer = account === undefined ? undefined : custody(account)
    if (signer !== undefined) return signer
    const detail = 'This ZID keeps its own key: sign the op with it, and send it signed.'
    throw new Fault('SCOPE_REQUIRED', detail, { scope: 'zid-key' })
  }

  const transfer = async (from: string, order: SendOrder, beside: InBatch): Promise<AppliedMove> => {
    const signer = await signerOf(from)
    await assertRecipient(store, from, order)
    await home.settled(from)
    const { list, home: origin } = listed(store, home, from, await tokensOf(store, from, order))
    const { meshTick } = store.now()
    const op: TokenOp = {
      ...{ home: origin, op: 'transfer', to: order.to, tokens_root: await rootOfLong(list) },
      ...{ count: countOf(list), until: null, mesh_tick: meshTick, valid_to: meshTick + OP_VALID_TICKS_MAX },
    }
    return home.apply(await signOp(signer, op), list, { beside, signedHere: true })
  }

  return async (caller: Caller, order: SendOrder, repeat?: Repeat): Promise<WithReplayed<Sent>> => {
    const { zid } = accountCaller(caller)
    const shown = async (move: AppliedMove | undefined, replayed: boolean): Promise<WithReplayed<Sent>> => {
      assert(move !== undefined, 'an op that was answered stands in the log')
      const { op, weight } = move.row
      return { moved: op.count, to: order.to, weight, move: await showMove(store, move, { zid }), replayed }
    }
    const once =
      repeat?.key === undefined ? undefined : await idempotent(caller, repeat.scope, repeat.key, inputOf(order))
    if (once?.kind === 'replay')
      return shown(await home.applied((once.answer as { op_digest: string }).op_digest), true)
    try {
      const keep: InBatch = (tx, op_digest) => once?.keep(tx, () => ({ op_digest }))
      return await shown(await transfer(zid, order, keep), false)
    } finally {
      once?.release()
    }
  }
}
