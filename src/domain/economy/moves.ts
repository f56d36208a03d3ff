import { fromHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { zidOf } from '#core/keys.ts'
import { packList, placeAt, type TokenList } from '#core/token/list.ts'
import { assertSignedOp, opDigest, type SignedOp, type TokenOp } from '#core/token/op.ts'
import type { Store } from '#store/store.ts'
import type { Envelopes } from './envelopes.ts'
import { createHistory } from './moving/history.ts'
import type { Successions } from './moving/rows.ts'
import { createSend, type SendOptions } from './moving/send.ts'
import { showMove } from './moving/show.ts'
import type { Moves } from './moving/types.ts'
import { isOwn } from './sight.ts'

export interface MovesOptions extends SendOptions {
  readonly envelopeRow: Envelopes['envelopeRow']
}

/** Keys of this node that took over from others. */
export const successionsOf =
  (store: Pick<Store, 'eras'>): Successions =>
  () =>
    store.eras.map(({ succession }) => succession).filter((it) => it !== undefined)

/** The key that an op must be signed with, by what is known of its first token. */
const keyFor = async (store: Store, op: TokenOp, list: TokenList): Promise<string> => {
  const { token_id } = placeAt(list, 0)
  const row = await store.get('envelope', token_id)
  if (op.op === 'redeem' && row?.lock?.kind === 'bearer') return row.lock.ref
  const owner = row?.listed_under ?? ''
  const known = (await store.get('account', owner))?.public_key ?? (await store.get('assertion', owner))?.public_key
  if (known !== undefined) return known
  throw new Fault('INVALID_INPUT', 'The key that signed is not known here: send `public_key` with the op.')
}

/** The one door to moves. */
export const createMoves = (options: MovesOptions): Moves => {
  const { store, home, envelopeRow } = options
  const history = createHistory(store, home)
  return {
    send: createSend(options),
    apply: async ({ op, list: places, signature, public_key }) => {
      const list = packList(places)
      const before = public_key === undefined ? await home.applied(opDigest(op)) : undefined
      const key = public_key ?? before?.row.public_key ?? (await keyFor(store, op, list))
      const signed: SignedOp = { op, signature, public_key: key }
      assertSignedOp(signed)
      if (!home.isOwn(op.home))
        throw new Fault('HOME_UNREACHABLE', undefined, { home: op.home, retry_after_seconds: 60 })
      const made = await home.apply(signed, list)
      return showMove(store, made, { zid: zidOf(fromHex(signed.public_key)) })
    },
    moves: history.moves,
    move: history.move,
    history: async (caller, tokenId) => {
      const row = await envelopeRow(tokenId, caller)
      if (!isOwn(row, caller)) throw new Fault('SCOPE_REQUIRED', 'Its owner alone sees its way.', { scope: 'owner' })
      return history.ofToken(row.listed_under, row)
    },
    resume: home.resume,
  }
}
