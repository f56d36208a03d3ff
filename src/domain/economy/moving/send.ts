import { createHash } from 'node:crypto'
import { assert } from '#core/assert.ts'
import { accountCaller, type Caller } from '#core/caller.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import type { Signer } from '#core/keys.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import { countOf, type TokenList, type TokenPlace } from '#core/token/list.ts'
import { OP_VALID_TICKS_MAX } from '#core/token/op.ts'
import { signOpWith } from '#core/token/order.ts'
import { breathe } from '#core/wait.ts'
import type { Relay } from '#domain/economy/abroad/relay.ts'
import type { AwayShelf } from '#domain/economy/abroad/shelf.ts'
import type { Economy } from '#domain/economy/economy.ts'
import type { Sent } from '#domain/economy/views.ts'
import type { AwayMoveRow } from '#store/away.ts'
import type { AccountRow } from '#store/rows/account.ts'
import type { Store } from '#store/store.ts'
import type { AppliedMove, InBatch } from './append.ts'
import { drawMovable } from './draw.ts'
import type { Home } from './home.ts'
import { packLong, rootOfLong } from './lists.ts'
import { showMove } from './show.ts'
import type { SendOrder } from './types.ts'

export interface SendOptions {
  readonly store: Store
  readonly home: Home
  readonly idempotent: Economy['idempotent']
  /** The key of an account that this node keeps; undefined for one that keeps its own. */
  readonly custody: (account: AccountRow) => Signer | undefined
  readonly relay: Relay
  readonly shelf: AwayShelf
}

/** @throws Fault INVALID_INPUT, UNKNOWN_ZID */
const assertRecipient = (store: Store, from: string, { to, allow_unknown }: SendOrder): void => {
  if (to === from) throw new Fault('INVALID_INPUT', 'These envelopes are yours already.', { to })
  if (allow_unknown === true) return
  if (store.peek('account', to) === undefined && store.peek('assertion', to) === undefined) {
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

/** Tokens that are looked at before others have their turn. */
const LOOKED_AT_ONCE = 512

/** A list of tokens as the home has them now, and the home that they have in common. */
const listed = async (store: Store, home: Home, from: string, tokens: readonly string[]) => {
  let origin: string | undefined
  const places: TokenPlace[] = []
  for (const [i, token_id] of tokens.entries()) {
    if (i % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) await breathe()
    const stored = store.peek('envelope', token_id)
    const row = stored === undefined ? undefined : home.through(stored)
    if (row === undefined || row.listed_under !== from) throw new Fault('NOT_FOUND', undefined, { token_id })
    const of = store.leafAt(row.index).log.origin
    origin ??= of
    if (of !== origin) throw new Fault('INVALID_INPUT', 'The envelopes have different homes.', { token_id })
    places.push({ token_id, spend_seq: row.spend_seq })
  }
  return { list: await packLong(places), home: origin as string }
}

/** Names that are hashed before others have their turn. */
const HASHED_AT_ONCE = 8_192

/** SHA-256 of names, joined by blanks. */
const hashOf = async (tokens: readonly string[]): Promise<string> => {
  const hash = createHash('sha256')
  for (let at = 0; at < tokens.length; at += HASHED_AT_ONCE) {
    if (at > 0) await breathe()
    hash.update(`${at > 0 ? ' ' : ''}${tokens.slice(at, at + HASHED_AT_ONCE).join(' ')}`)
  }
  return hash.digest('hex')
}

/** What an order says, for its Idempotency-Key. */
const inputOf = async ({ to, count, token_ids, allow_unknown }: SendOrder): Promise<string> => {
  const tokens = token_ids === undefined ? null : await hashOf(token_ids)
  return digest(purposes.request, { allow_unknown: allow_unknown ?? false, count: count ?? null, to, tokens })
}

/** Sends envelopes of an account, all that are meant or none; those of another home through that home. */
export const createSend = ({ store, home, idempotent, custody, relay, shelf }: SendOptions) => {
  const signerOf = (zid: string): Signer => {
    const account = store.peek('account', zid)
    const signer = account === undefined ? undefined : custody(account)
    if (signer !== undefined) return signer
    const detail = 'This ZID keeps its own key: sign the op with it, and send it signed.'
    throw new Fault('SCOPE_REQUIRED', detail, { scope: 'zid-key' })
  }

  const signed = async (signer: Signer, list: TokenList, { home: origin, to }: { home: string; to: string }) => {
    const { meshTick } = store.now()
    return signOpWith(signer, {
      // In the order of their names, in which canonical text is written fastest.
      ...{ count: countOf(list), home: origin, mesh_tick: meshTick, op: 'transfer', to },
      ...{ tokens_root: await rootOfLong(list), until: null, valid_to: meshTick + OP_VALID_TICKS_MAX },
    })
  }

  const transfer = async (from: string, order: SendOrder, keep: InBatch): Promise<AppliedMove> => {
    const signer = signerOf(from)
    assertRecipient(store, from, order)
    await home.settled(from)
    const { list, home: origin } = await listed(store, home, from, await tokensOf(store, from, order))
    const op = await signed(signer, list, { home: origin, to: order.to })
    return home.apply(op, list, { beside: keep, signedHere: true })
  }

  /** The home, if it is another node, of all tokens that are named. @throws Fault NOT_FOUND, INVALID_INPUT */
  const awayHome = async (from: string, tokens: readonly string[] = []): Promise<string | undefined> => {
    let origin: string | undefined
    let other: string | undefined
    for (const [i, token_id] of tokens.entries()) {
      if (i % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) await breathe()
      const row = shelf.row(token_id)
      if (row?.owner === from && (origin === undefined || row.facts.home === origin)) origin ??= row.facts.home
      else other ??= token_id
    }
    if (origin === undefined || other === undefined) return origin
    const owned = shelf.row(other)?.owner === from || store.peek('envelope', other)?.listed_under === from
    if (!owned) throw new Fault('NOT_FOUND', undefined, { token_id: other })
    throw new Fault('INVALID_INPUT', 'The envelopes have different homes.', { token_id: other })
  }

  const transferAway = async (
    from: string,
    { order, origin }: { readonly order: SendOrder; readonly origin: string },
    { keep, repeat }: { readonly keep: InBatch; readonly repeat: string | undefined },
  ): Promise<AwayMoveRow> => {
    const before = repeat === undefined ? undefined : await relay.pendingOf(from, repeat)
    if (before !== undefined) return relay.resend(before, { beside: keep })
    const signer = signerOf(from)
    assertRecipient(store, from, order)
    const tokens = order.token_ids ?? []
    // Refuses one that stands twice before anybody is asked.
    await packLong(tokens.map((token_id) => ({ token_id, spend_seq: 0 })))
    const list = await relay.fresh(from, origin, tokens)
    const op = await signed(signer, list, { home: origin, to: order.to })
    return relay.send(op, list, { repeat, beside: keep })
  }

  return async (caller: Caller, order: SendOrder, repeat?: Repeat): Promise<WithReplayed<Sent>> => {
    const { zid } = accountCaller(caller)
    const shown = async (made: AppliedMove | AwayMoveRow, replayed: boolean): Promise<WithReplayed<Sent>> => {
      const move = 'row' in made ? await showMove(store, made, { zid }) : await shelf.showMove(made, { zid })
      return { moved: move.count, to: order.to, weight: move.weight, move, replayed }
    }
    const kept = async (digest: string): Promise<AppliedMove | AwayMoveRow> => {
      const made = (await home.applied(digest)) ?? shelf.moved(digest)
      assert(made !== undefined, 'an op that was answered is kept')
      return made
    }
    const named =
      repeat?.key === undefined ? undefined : { scope: repeat.scope, key: repeat.key, input: await inputOf(order) }
    const once = named && (await idempotent(caller, named.scope, named.key, named.input))
    if (once?.kind === 'replay') return shown(await kept((once.answer as { op_digest: string }).op_digest), true)
    const keep: InBatch = (tx, op_digest) => once?.keep(tx, () => ({ op_digest }))
    try {
      const origin = await awayHome(zid, order.count === undefined ? order.token_ids : undefined)
      if (origin === undefined) return await shown(await transfer(zid, order, keep), false)
      const call = { keep, repeat: named && digest(purposes.request, named) }
      return await shown(await transferAway(zid, { order, origin }, call), false)
    } finally {
      once?.release()
    }
  }
}
