import { fromHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { zidOf } from '#core/keys.ts'
import { countOf, packList, placeAt, type TokenList } from '#core/token/list.ts'
import { assertSignedOp, opDigest, type SignedOp, type TokenOp } from '#core/token/op.ts'
import { bondRef } from '#store/bonds.ts'
import type { Store } from '#store/store.ts'
import type { AwayShelf } from './abroad/shelf.ts'
import { moveAway } from './abroad/show.ts'
import type { Envelopes } from './envelopes.ts'
import { createHistory } from './moving/history.ts'
import { rootOfLong } from './moving/lists.ts'
import { createSend, type SendOptions } from './moving/send.ts'
import { showMove } from './moving/show.ts'
import type { Moves } from './moving/types.ts'
import { isOwn } from './sight.ts'
import type { Move } from './views.ts'

export interface MovesOptions extends SendOptions {
  readonly envelopeRow: Envelopes['envelopeRow']
  readonly awayRow: Envelopes['awayRow']
}

/** An op that no home here applies: its home's answer, kept where it concerns somebody here. */
const applyAway = async ({ store, relay, shelf }: MovesOptions, signed: SignedOp, list: TokenList): Promise<Move> => {
  const zid = zidOf(fromHex(signed.public_key))
  if (countOf(list) !== signed.op.count || (await rootOfLong(list)) !== signed.op.tokens_root) {
    throw new Fault('INVALID_INPUT', 'The list does not have the root and count that the op names.')
  }
  if (relay.isOurs(signed)) return shelf.showMove(await relay.send(signed, list), { zid })
  return moveAway(await relay.pass(signed, list), { zid, tick: store.now().tick })
}

/** The key that an op must be signed with, by what is known of its first token. */
const keyFor = async (
  store: Store,
  op: TokenOp,
  { list, away }: { readonly list: TokenList; readonly away: AwayShelf['row'] },
): Promise<string> => {
  const { token_id } = placeAt(list, 0)
  const row = await store.get('envelope', token_id)
  if (op.op === 'redeem' && row?.lock?.kind === 'bearer') return row.lock.ref
  const owner = row?.listed_under ?? away(token_id)?.owner ?? ''
  const known = (await store.get('account', owner))?.public_key ?? (await store.get('assertion', owner))?.public_key
  if (known !== undefined) return known
  throw new Fault('INVALID_INPUT', 'The key that signed is not known here: send `public_key` with the op.')
}

/**
 * The owner's tokens are bonded by its node, whose rows say so before any lock is asked for: a lock that it signs apart
 * from them would tie tokens for nothing.
 *
 * @throws Fault INVALID_INPUT
 */
const assertOwnBond = (store: Store, { op, public_key }: SignedOp): void => {
  if (op.op !== 'lock' || !op.ref.startsWith(bondRef(''))) return
  const zid = zidOf(fromHex(public_key))
  const ours = store.peek('ownBond', op.ref.slice(bondRef('').length)) !== undefined
  if (!ours && store.peek('account', zid)?.owner === true) {
    throw new Fault(
      'INVALID_INPUT',
      "/op/ref: the node owner's envelopes are bonded by its node, which signs their locks itself.",
    )
  }
}

/** The one door to moves. */
export const createMoves = (options: MovesOptions): Moves => {
  const { store, home, envelopeRow, shelf } = options
  const history = createHistory(store, home, shelf)
  return {
    send: createSend(options),
    apply: async ({ op, list: places, signature, public_key }) => {
      const list = packList(places)
      const before = public_key === undefined ? await home.applied(opDigest(op)) : undefined
      const told = before?.row.public_key ?? shelf.moved(opDigest(op))?.public_key
      const key = public_key ?? told ?? (await keyFor(store, op, { list, away: shelf.row }))
      const signed: SignedOp = { op, signature, public_key: key }
      assertSignedOp(signed)
      assertOwnBond(store, signed)
      if (!home.isOwn(op.home)) return applyAway(options, signed, list)
      const made = await home.apply(signed, list)
      return showMove(store, made, { zid: zidOf(fromHex(signed.public_key)) })
    },
    moves: history.moves,
    move: history.move,
    history: async (caller, tokenId) => {
      const away = options.awayRow(tokenId, caller)
      if (away !== undefined) return history.ofAway(away)
      const row = await envelopeRow(tokenId, caller)
      if (!isOwn(row, caller)) throw new Fault('SCOPE_REQUIRED', 'Its owner alone sees its way.', { scope: 'owner' })
      return history.ofToken(row.listed_under, row)
    },
    settled: home.settled,
    isOwn: home.isOwn,
    withhold: home.withhold,
    resume: home.resume,
  }
}
