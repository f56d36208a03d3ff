import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { HOUSE } from '#core/ids.ts'
import type { AwayTokenRow } from '#store/away.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Store } from '#store/store.ts'
import type { AwayShelf } from './abroad/shelf.ts'
import { assertFolder, refile } from './book.ts'
import type { EnvelopeQuery, FolderMove, ShowEnvelope } from './economy.ts'
import { assertOneBeginning, cursorOf, cursorText, findPage, search, spansOf } from './finding.ts'
import { payerOf } from './holds.ts'
import { itemOf, itemsOf } from './items.ts'
import { openListing } from './listing.ts'
import type { Home } from './moving/home.ts'
import { maySee, opens } from './sight.ts'
import type { EnvelopeItem, EnvelopePage, Filed, FolderList } from './views.ts'

/** Envelopes that one transaction files: a longer move is several, so that sealing goes on between them. */
const FILE_BATCH = 2_000

const unknown = (): never => {
  throw new Fault('NOT_FOUND')
}

const needsAccount = (): Fault =>
  new Fault('SCOPE_REQUIRED', 'Filing needs the key of an account.', { scope: 'account' })

/** The list that a path's zid means to a caller. @throws Fault NOT_FOUND for what a stranger may not know. */
const listOf = (zid: string, caller: Caller): string => {
  if (zid === HOUSE && caller.kind === 'demo' && !caller.shared) return payerOf(caller).list
  if (caller.kind === 'owner' || (caller.kind === 'account' && caller.zid === zid)) return zid
  return unknown()
}

export interface Envelopes {
  envelopeRow(tokenId: string, caller: Caller, nonce?: string): Promise<EnvelopeRow>
  envelopeSeen(tokenId: string, caller: Caller): Promise<EnvelopeRow | undefined>
  readonly show: ShowEnvelope
  /** A token of another home, for its owner. */
  awayRow(tokenId: string, caller: Caller): AwayTokenRow | undefined
  awayBundle(tokenId: string, caller: Caller): Promise<Uint8Array | undefined>
  envelope(tokenId: string, caller: Caller, nonce?: string): Promise<EnvelopeItem>
  envelopes(zid: string, caller: Caller, query: EnvelopeQuery): Promise<EnvelopePage>
  folders(zid: string, caller: Caller): Promise<FolderList>
  file(caller: Caller, move: FolderMove): Promise<Filed>
}

/** A long move holds the list. */
const WAIT = Symbol('wait')

type HomePart = Pick<Home, 'through' | 'settled' | 'held' | 'passage'>

/** Files envelopes of a list: named ones, or the newest that match. What a long move holds is filed after it. */
const createFiling = (store: Store, { home, shelf }: { readonly home: HomePart; readonly shelf: AwayShelf }) => {
  const fileThese = async (list: string, tokens: readonly string[], folder: string): Promise<number> => {
    for (;;) {
      const filed = await store.commit((tx): number | typeof WAIT => {
        if (home.held(list)) return WAIT
        let moved = 0
        for (const tokenId of tokens) {
          const row = tx.get('envelope', tokenId)
          const away = row === undefined ? shelf.file(tx, list, { tokenId, folder }) : undefined
          if (away === undefined && row?.listed_under !== list) unknown()
          if (away ?? row?.folder !== folder) moved += 1
          if (row !== undefined && row.folder !== folder) refile(tx, row, folder)
        }
        return moved
      })
      if (filed !== WAIT) return filed
      await home.settled(list)
    }
  }

  const fileCount = async (list: string, move: FolderMove, count: number): Promise<number> => {
    const tokens: string[] = []
    for await (const tokenId of shelf.named(list, { q: move.q, folder: move.from_folder })) {
      if (tokens.length >= count) break
      if (shelf.row(tokenId)?.folder !== move.folder) tokens.push(tokenId)
    }
    {
      await using listing = await openListing(store, home, list)
      for await (const row of search(store, listing, { list, q: move.q, folder: move.from_folder })) {
        if (tokens.length >= count) break
        if (row.folder !== move.folder) tokens.push(row.token_id)
      }
    }
    let moved = 0
    for (let at = 0; at < tokens.length; at += FILE_BATCH) {
      moved += await fileThese(list, tokens.slice(at, at + FILE_BATCH), move.folder)
    }
    return moved
  }

  return { fileThese, fileCount }
}

/** One page of a list: what came from other homes stands first. */
const pageOf = async (
  { store, home, shelf, show }: { store: Store; home: HomePart; shelf: AwayShelf; show: ShowEnvelope },
  list: string,
  query: EnvelopeQuery,
): Promise<Omit<EnvelopePage, 'zid'>> => {
  assertOneBeginning(query)
  const { limit, offset, before, q, folder, movable } = query
  await using listing = await openListing(store, home, list)
  const cursor = cursorOf(before)
  const spans = await spansOf(store, query)
  // One more than asked for says whether another page follows.
  const away = await shelf.page(list, { ...query, limit: limit + 1, arrival: cursor.arrival })
  const skipped = Math.max(0, offset - away.total)
  const window = { limit: limit + 1 - away.rows.length, offset: skipped, leaf: cursor.leaf }
  const { rows, total } = await findPage(store, listing, { wish: { list, q, folder, movable, spans }, window })
  const shown = away.rows.slice(0, limit)
  const own = rows.slice(0, limit - shown.length)
  const last = own.at(-1)
  const end = last === undefined ? cursorText('a', shown.at(-1)?.serial ?? 0) : cursorText('e', last.index)
  return {
    ...{ total: away.total + total, limit, offset },
    envelopes: [...shown.map(shelf.item), ...(await itemsOf(store, show, own))],
    next: away.rows.length + rows.length > limit ? end : null,
  }
}

/** Reading and filing envelopes. */
export const createEnvelopes = (
  store: Store,
  show: ShowEnvelope,
  { home, shelf }: { readonly home: HomePart; readonly shelf: AwayShelf },
): Envelopes => {
  const seen = async (tokenId: string): Promise<EnvelopeRow | undefined> => {
    const row = await store.get('envelope', tokenId)
    return row === undefined ? undefined : home.through(row)
  }
  const envelopeRow = async (tokenId: string, caller: Caller, nonce?: string): Promise<EnvelopeRow> => {
    const row = await seen(tokenId)
    if (row === undefined) return unknown()
    if (maySee(row, caller)) return row
    // How its owner filed it is none of a guest's business.
    return (await opens(store, row, nonce)) ? { ...row, folder: '' } : unknown()
  }

  const { fileThese, fileCount } = createFiling(store, { home, shelf })
  const awayRow = (tokenId: string, caller: Caller): AwayTokenRow | undefined => {
    const row = shelf.row(tokenId)
    const sees = caller.kind === 'owner' || (caller.kind === 'account' && caller.zid === row?.owner)
    return sees ? row : undefined
  }

  return {
    envelopeRow,
    envelopeSeen: async (tokenId, caller) => {
      const row = await seen(tokenId)
      return row !== undefined && (row.published || maySee(row, caller)) ? row : undefined
    },
    show,
    envelope: async (tokenId, caller, nonce) => {
      const away = awayRow(tokenId, caller)
      return away === undefined ? itemOf(store, show, await envelopeRow(tokenId, caller, nonce)) : shelf.item(away)
    },
    awayRow,
    awayBundle: async (tokenId, caller) => {
      const away = awayRow(tokenId, caller)
      return away === undefined ? undefined : shelf.bundle(away)
    },
    envelopes: async (zid, caller, query) => ({
      zid,
      ...(await pageOf({ store, home, shelf, show }, listOf(zid, caller), query)),
    }),
    folders: async (zid, caller) => {
      const list = listOf(zid, caller)
      await using listing = await openListing(store, home, list)
      const counts = new Map(await listing.folders())
      await shelf.countFolders(list, counts)
      return { zid, folders: [...counts].map(([folder, count]) => ({ folder, count })) }
    },
    file: async (caller, move) => {
      assertFolder(move.folder)
      const { list } = payerOf(caller)
      // The house's own list is nobody's to arrange.
      if (list === HOUSE || caller.kind === 'machine') throw needsAccount()
      if ((move.token_ids === undefined) === (move.count === undefined)) {
        throw new Fault('INVALID_INPUT', 'Say either token_ids or count.')
      }
      await home.settled(list)
      const moved =
        move.token_ids === undefined
          ? await fileCount(list, move, move.count ?? 0)
          : await fileThese(list, [...new Set(move.token_ids)], move.folder)
      return { moved, folder: move.folder }
    },
  }
}
