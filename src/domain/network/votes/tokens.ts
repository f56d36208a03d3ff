import { accountCaller, type Caller } from '#core/caller.ts'
import { createDraws } from '#core/draws.ts'
import { Fault } from '#core/fault.ts'
import type { Signer } from '#core/keys.ts'
import { changedOnce, packSorted, placesOf, type TokenPlace, tokensRoot } from '#core/token/list.ts'
import { OP_VALID_TICKS_MAX, type SignedOp } from '#core/token/op.ts'
import { signOpWith } from '#core/token/order.ts'
import { lockAt } from '#core/token/state.ts'
import { SETTLE_TICKS, voteRef } from '#core/vote/documents.ts'
import { under } from '#store/layout.ts'
import type { StakeOrder, VoteOptions } from './types.ts'

type TokenOptions = Pick<VoteOptions, 'store' | 'economy'>

/** Tokens of one owner and one home, as they are now. */
export interface StakedTokens {
  readonly home: string
  /** Ascending by token id. */
  readonly list: readonly TokenPlace[]
}

const sorted = (places: readonly TokenPlace[]): readonly TokenPlace[] => [...placesOf(packSorted(places))]

/** The tokens that are named. @throws Fault NOT_FOUND, ENVELOPE_LOCKED, INVALID_INPUT */
const named = async ({ economy }: TokenOptions, caller: Caller, tokens: readonly string[]): Promise<StakedTokens> => {
  const { zid } = accountCaller(caller)
  let home: string | undefined
  const places: TokenPlace[] = []
  for (const token_id of tokens) {
    const it = await economy.envelope(token_id, caller)
    if (it.owner !== zid) throw new Fault('NOT_FOUND', undefined, { token_id })
    if (it.lock !== null) {
      const { kind, ref, until } = it.lock
      throw new Fault('ENVELOPE_LOCKED', undefined, { token_id, kind, ref, until })
    }
    home ??= it.home
    if (home !== it.home) throw new Fault('INVALID_INPUT', 'The envelopes have different homes.', { token_id })
    places.push({ token_id, spend_seq: it.spend_seq })
  }
  return { home: home as string, list: sorted(places) }
}

/** So many tokens of this home that no lock ties, drawn from all of them. @throws Fault TOO_FEW {movable} */
const drawn = async ({ store }: TokenOptions, zid: string, count: number): Promise<StakedTokens> => {
  const { meshTick } = store.now()
  const home = store.log.origin
  const below = createDraws()
  const kept: TokenPlace[] = []
  let seen = 0
  for await (const [, token_id] of store.range('envelopeByOwner', under(zid))) {
    const row = store.peek('envelope', token_id)
    if (row === undefined || lockAt(row.lock, meshTick) !== null) continue
    if (store.leafAt(row.index).log.origin !== home) continue
    seen += 1
    const at = seen <= count ? seen - 1 : below(seen)
    if (at < count) kept[at] = { token_id, spend_seq: row.spend_seq }
  }
  if (seen < count) throw new Fault('TOO_FEW', 'Fewer envelopes of this home are free of locks.', { movable: seen })
  return { home, list: sorted(kept) }
}

/**
 * The tokens that a stake means: soulbound ones, too.
 *
 * @throws Fault INVALID_INPUT, NOT_FOUND, ENVELOPE_LOCKED, TOO_FEW
 */
export const chosenTokens = (
  options: TokenOptions,
  caller: Caller,
  { token_ids, count }: StakeOrder,
): Promise<StakedTokens> => {
  if ((token_ids === undefined) === (count === undefined)) {
    throw new Fault('INVALID_INPUT', 'Say either token_ids or count.')
  }
  const { zid } = accountCaller(caller)
  return token_ids === undefined ? drawn(options, zid, count ?? 0) : named(options, caller, token_ids)
}

/** The lock of a stake, and the op that ends it once the vote is over. */
export interface LockOps {
  readonly lock: SignedOp
  readonly unlock: SignedOp
}

/**
 * Signs both in the call of the owner: the second one counts from the close on, so nobody's key is used later.
 *
 * @param until the last mesh tick at which the lock may be applied.
 */
export const signLocks = async (
  signer: Signer,
  { home, list }: StakedTokens,
  { proposal, closes, meshTick, until }: { proposal: string; closes: number; meshTick: number; until: number },
): Promise<LockOps> => {
  const after = changedOnce(list)
  const common = { home, ref: voteRef(proposal), count: list.length }
  const lock = await signOpWith(signer, {
    ...common,
    ...{ op: 'lock', until: closes + SETTLE_TICKS, tokens_root: tokensRoot(packSorted(list)) },
    ...{ mesh_tick: meshTick, valid_to: Math.min(meshTick + OP_VALID_TICKS_MAX, until) },
  })
  const unlock = await signOpWith(signer, {
    ...common,
    ...{ op: 'unlock', until: null, tokens_root: tokensRoot(packSorted(after)) },
    ...{ mesh_tick: closes, valid_to: closes + SETTLE_TICKS },
  })
  return { lock, unlock }
}
