import { accountCaller, type Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { CHUNK_TOKENS } from '#core/token/list.ts'
import type { MovePage, TokenHistory } from '#domain/economy/views.ts'
import { keyOf, seqKey, seqOf, under } from '#store/layout.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Store } from '#store/store.ts'
import type { AppliedMove } from './append.ts'
import type { Home } from './home.ts'
import { showMove } from './show.ts'
import type { MoveQuery } from './types.ts'

/** Moves of a token that its history shows: the newest. */
export const HISTORY_MAX = 200

/** What moved: an account's ops, one op, and one token's way. */
export const createHistory = (store: Store, home: Home) => ({
  /** Newest first. @throws Fault SCOPE_REQUIRED */
  moves: async (caller: Caller, { limit, before }: MoveQuery): Promise<MovePage> => {
    const { zid } = accountCaller(caller)
    const bounds = { ...under(zid), ...(before === undefined ? {} : { lt: keyOf(zid, seqKey(before)) }) }
    const found: AppliedMove[] = []
    for await (const [key] of store.range('moveByZid', { ...bounds, reverse: true, limit: limit + 1 })) {
      const move = await home.at(seqOf(key.slice(zid.length + 1)))
      if (move !== undefined) found.push(move)
    }
    const shown = found.slice(0, limit)
    const moves = await Promise.all(shown.map((it) => showMove(store, it, { zid, tokensMax: 0 })))
    return { limit, moves, next: found.length > limit ? (shown.at(-1)?.serial ?? null) : null }
  },
  /** One op with its receipt, whole. @throws Fault NOT_FOUND for what is not of this account */
  move: async (caller: Caller, digest: string) => {
    const { zid } = accountCaller(caller)
    const found = await home.applied(digest)
    if (found === undefined || !concerns(found, zid)) throw new Fault('NOT_FOUND')
    return showMove(store, found, { zid, tokensMax: CHUNK_TOKENS })
  },
  /** @param row of a token that the caller owns */
  ofToken: async (zid: string, { token_id, issued_to, tick, face }: EnvelopeRow): Promise<TokenHistory> => {
    const serials: number[] = []
    for await (const [, place] of store.range('moveOfToken', {
      ...under(token_id),
      reverse: true,
      limit: HISTORY_MAX,
    })) {
      serials.unshift(seqOf(place))
    }
    const moves = (await Promise.all(serials.map(home.at))).filter((it) => it !== undefined)
    return {
      token_id,
      minted: { to: issued_to, tick, face_value: face },
      moves: await Promise.all(moves.map((it) => showMove(store, it, { zid, tokensMax: 0 }))),
    }
  },
})

const concerns = ({ row }: AppliedMove, zid: string): boolean =>
  row.from === zid || ('to' in row.op && row.op.to === zid)
