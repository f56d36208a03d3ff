import { accountCaller, type Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { CHUNK_TOKENS } from '#core/token/list.ts'
import type { AwayShelf } from '#domain/economy/abroad/shelf.ts'
import type { Move, MovePage, TokenHistory } from '#domain/economy/views.ts'
import { type AwayTokenRow, concernedBy, PLACES_PER_LEAF } from '#store/away.ts'
import { keyOf, seqKey, seqOf, under } from '#store/layout.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Store } from '#store/store.ts'
import type { AppliedMove } from './append.ts'
import type { Home } from './home.ts'
import { showMove } from './show.ts'
import type { MoveQuery } from './types.ts'

/** Moves of a token that its history shows: the newest. */
export const HISTORY_MAX = 200

/** A move, and where it stands among all of a node. */
interface Placed {
  readonly place: number
  readonly shown: () => Promise<Move>
}

/** What moved: an account's ops, one op, and one token's way. */
export const createHistory = (store: Store, home: Home, shelf: AwayShelf) => ({
  /** Newest first. @throws Fault SCOPE_REQUIRED */
  moves: async (caller: Caller, { limit, before }: MoveQuery): Promise<MovePage> => {
    const { zid } = accountCaller(caller)
    const end = before ?? Number.MAX_SAFE_INTEGER
    const serial = Math.min(Math.ceil(end / PLACES_PER_LEAF), Number.MAX_SAFE_INTEGER)
    const bounds = { ...under(zid), ...(before === undefined ? {} : { lt: keyOf(zid, seqKey(serial)) }) }
    const found: Placed[] = []
    for await (const [key] of store.range('moveByZid', { ...bounds, reverse: true, limit: limit + 1 })) {
      const move = await home.at(seqOf(key.slice(zid.length + 1)))
      if (move !== undefined) {
        const shown = (): Promise<Move> => showMove(store, move, { zid, tokensMax: 0 })
        found.push({ place: move.serial * PLACES_PER_LEAF, shown })
      }
    }
    for (const row of await shelf.moves(zid, { before: end, limit: limit + 1 })) {
      found.push({ place: row.place, shown: () => shelf.showMove(row, { zid, tokensMax: 0 }) })
    }
    found.sort((a, b) => b.place - a.place)
    const page = found.slice(0, limit)
    const moves = await Promise.all(page.map((it) => it.shown()))
    return { limit, moves, next: found.length > limit ? (page.at(-1)?.place ?? null) : null }
  },
  /** One op with its receipt, whole. @throws Fault NOT_FOUND for what is not of this account */
  move: async (caller: Caller, digest: string) => {
    const { zid } = accountCaller(caller)
    const away = shelf.moved(digest)
    if (away !== undefined && concernedBy(away).includes(zid)) {
      return shelf.showMove(away, { zid, tokensMax: CHUNK_TOKENS })
    }
    const found = await home.applied(digest)
    if (found === undefined || !concerns(found, zid)) throw new Fault('NOT_FOUND')
    return showMove(store, found, { zid, tokensMax: CHUNK_TOKENS })
  },
  /** Of a token of another home: what is known of its way here. */
  ofAway: async ({ token_id, owner: zid, facts }: AwayTokenRow): Promise<TokenHistory> => ({
    token_id,
    minted: { to: facts.issued_to, tick: facts.tick, face_value: facts.face },
    moves: await Promise.all((await shelf.way(token_id)).map((it) => shelf.showMove(it, { zid, tokensMax: 0 }))),
    evidence: shelf.evidence(facts.home) ?? null,
  }),
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
      evidence: null,
    }
  },
})

const concerns = ({ row }: AppliedMove, zid: string): boolean =>
  row.from === zid || ('to' in row.op && row.op.to === zid)
