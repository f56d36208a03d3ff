import { toHex } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { HOUSE, isHex64, isTokenId, tokenIdOf } from '#core/ids.ts'
import { leafHash } from '#core/merkle.ts'
import { immovable } from '#core/token/decide.ts'
import type { AwayTokenRow } from '#store/away.ts'
import { cosignedOf, witnessedAt } from '#store/cosigned.ts'
import { folderPart, under } from '#store/layout.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Store } from '#store/store.ts'
import type { AwayShelf } from './abroad/shelf.ts'
import { assertFolder, refile } from './book.ts'
import type { BundlePath, EnvelopeQuery, FolderMove, ShowEnvelope } from './economy.ts'
import { payerOf } from './holds.ts'
import { movableCount, tiedOf } from './moving/draw.ts'
import type { Home } from './moving/home.ts'
import { tiesOf } from './moving/ties.ts'
import { claimOf } from './record.ts'
import { isOpen, maySee, opens } from './sight.ts'
import type { EnvelopeItem, EnvelopePage, Filed, FolderList } from './views.ts'

/** Envelopes that one transaction files: a longer move is several, so that sealing goes on between them. */
const FILE_BATCH = 2_000
/** Rows read at once while a list is searched. */
const CHUNK = 256

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

/** An envelope whose home is here, with its ties: out as a package, or not. */
const standingOf = (row: EnvelopeRow, meshTick: number) => {
  const ties = tiesOf(row, meshTick)
  return { where: ties.lock?.kind === 'bearer' ? ('bearer' as const) : ('here' as const), ...ties }
}

/**
 * @param bundlePath of whoever has the routes.
 * @param meshTick the present one: locks end by the clock.
 */
export const createShow =
  (bundlePath: BundlePath, meshTick: () => number): ShowEnvelope =>
  (row, { log, index, hash, state, late, witnessed, value, unit, nonce }) => ({
    token_id: row.token_id,
    hash,
    log,
    index,
    kind: row.kind,
    operators: row.operators,
    value,
    unit,
    face_value: row.face,
    tick: row.tick,
    phase: row.phase,
    funding: row.funding,
    issued_to: row.issued_to,
    owner: row.listed_under,
    soulbound: row.soulbound,
    backs: row.backs,
    state,
    late,
    witnessed,
    folder: row.folder,
    home: log,
    ...{ arrival: null, counted: true, uncounted: null },
    ...standingOf(row, meshTick()),
    published: row.published,
    shared: isOpen(row),
    precisionActual: row.precision_actual,
    bundle: bundlePath(row.token_id, row.listed_under === HOUSE ? nonce : undefined),
  })

const itemOf = async (store: Store, show: ShowEnvelope, row: EnvelopeRow): Promise<EnvelopeItem> => {
  const { log, index } = store.leafAt(row.index)
  const [leaf = unknown(), state] = await Promise.all([log.leaf(index), log.stateOf(index)])
  const witnessed = witnessedAt(cosignedOf(store, log.name), index)
  const { value, unit } = claimOf(leaf).claim
  return show(row, { ...{ log: log.origin, index, hash: toHex(leafHash(leaf)), witnessed, value, unit }, ...state })
}

/** What of a list is read: all of it, one of its folders, what may move. */
type Part = Pick<EnvelopeQuery, 'folder' | 'movable'>

/** Token ids of a part of a list, newest first; of what may move, those too that a lock ties for a time. */
const tokensOf = (store: Store, list: string, { folder, movable }: Part): AsyncIterable<readonly [string, string]> => {
  if (folder !== undefined)
    return store.range('envelopeByFolder', { ...under(list, folderPart(folder)), reverse: true })
  return store.range(movable === true ? 'envelopeMovable' : 'envelopeByOwner', { ...under(list), reverse: true })
}

const matches = (row: EnvelopeRow, hash: string, q: string): boolean =>
  row.token_id.startsWith(q) || String(row.tick) === q || hash.startsWith(q)

/** The one envelope that a whole token id or hash can mean; undefined when `q` is shorter. */
const named = async (store: Store, q: string): Promise<readonly string[] | undefined> => {
  if (isTokenId(q)) return [q]
  if (!isHex64(q)) return undefined
  const found = await store.findLeaf(q)
  return found === undefined ? [] : [tokenIdOf(found.log.origin, found.index)]
}

/** Rows of a list that a query means, newest first. */
async function* search(
  store: Store,
  list: string,
  { q, folder, movable }: Pick<EnvelopeQuery, 'q' | 'folder' | 'movable'>,
): AsyncGenerator<EnvelopeRow> {
  const { meshTick } = store.now()
  const meant = (row: EnvelopeRow): boolean =>
    (folder === undefined || row.folder === folder) && (movable !== true || immovable(row, meshTick) === undefined)
  const wanted = q?.trim().toLowerCase() ?? ''
  const one = wanted === '' ? undefined : await named(store, wanted)
  if (one !== undefined) {
    for (const token of one) {
      const row = await store.get('envelope', token)
      if (row?.listed_under === list && meant(row)) yield row
    }
    return
  }
  const read = async (tokens: readonly string[]): Promise<readonly EnvelopeRow[]> => {
    const found = await Promise.all(tokens.map((token) => store.get('envelope', token)))
    const rows = found.filter((it) => it !== undefined && meant(it)) as readonly EnvelopeRow[]
    if (wanted === '') return rows
    const places = rows.map((row) => store.leafAt(row.index))
    const hashes = await Promise.all(places.map(({ log, index }) => log.leafHash(index)))
    return rows.filter((row, i) => matches(row, toHex(hashes[i] ?? new Uint8Array(0)), wanted))
  }
  let chunk: string[] = []
  for await (const [, token] of tokensOf(store, list, { folder, movable })) {
    chunk.push(token)
    if (chunk.length < CHUNK) continue
    yield* await read(chunk)
    chunk = []
  }
  yield* await read(chunk)
}

const countOf = async (store: Store, list: string, folder: string | undefined): Promise<number> => {
  let total = 0
  for await (const [key, count] of store.range('folder', under(list))) {
    if (folder === undefined || key === `${list}/${folderPart(folder)}`) total += count
  }
  return total
}

const none: ReadonlySet<string> = new Set()

/** One page of a list without search: the indexes give place and total. */
const page = async (store: Store, list: string, query: EnvelopeQuery) => {
  const rows: EnvelopeRow[] = []
  const { meshTick } = store.now()
  const movable = query.movable === true
  const tied = movable ? await tiedOf(store, list, meshTick) : none
  const total = movable ? await movableCount(store, list, tied) : await countOf(store, list, query.folder)
  let place = 0
  for await (const [, token] of tokensOf(store, list, query)) {
    if (place >= query.offset + query.limit) break
    if (tied.has(token)) continue
    const row = place >= query.offset ? await store.get('envelope', token) : undefined
    if (row !== undefined) rows.push(row)
    place += 1
  }
  return { rows, total }
}

const searchPage = async (store: Store, list: string, query: EnvelopeQuery) => {
  const rows: EnvelopeRow[] = []
  let total = 0
  for await (const row of search(store, list, query)) {
    if (total >= query.offset && rows.length < query.limit) rows.push(row)
    total += 1
  }
  return { rows, total }
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

/** Files envelopes of a list: named ones, or the newest that match. */
const createFiling = (store: Store, shelf: AwayShelf) => {
  const fileThese = async (list: string, tokens: readonly string[], folder: string): Promise<number> =>
    store.commit((tx) => {
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

  const fileCount = async (list: string, move: FolderMove, count: number): Promise<number> => {
    const tokens: string[] = []
    for await (const tokenId of shelf.named(list, { q: move.q, folder: move.from_folder })) {
      if (tokens.length >= count) break
      if (shelf.row(tokenId)?.folder !== move.folder) tokens.push(tokenId)
    }
    for await (const row of search(store, list, { q: move.q, folder: move.from_folder })) {
      if (tokens.length >= count) break
      if (row.folder !== move.folder) tokens.push(row.token_id)
    }
    let moved = 0
    for (let at = 0; at < tokens.length; at += FILE_BATCH) {
      moved += await fileThese(list, tokens.slice(at, at + FILE_BATCH), move.folder)
    }
    return moved
  }

  return { fileThese, fileCount }
}

/** Reading and filing envelopes. */
export const createEnvelopes = (
  store: Store,
  show: ShowEnvelope,
  { home, shelf }: { readonly home: Pick<Home, 'through' | 'settled'>; readonly shelf: AwayShelf },
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

  const { fileThese, fileCount } = createFiling(store, shelf)
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
    envelopes: async (zid, caller, query) => {
      const list = listOf(zid, caller)
      await home.settled(list)
      const searched = (query.q ?? '').trim() !== '' || (query.movable === true && query.folder !== undefined)
      // What came from other homes stands first.
      const away = await shelf.page(list, query)
      const { limit, offset } = query
      const rest = { ...query, limit: limit - away.items.length, offset: Math.max(0, offset - away.total) }
      const { rows, total } = await (searched ? searchPage : page)(store, list, rest)
      const own = await Promise.all(rows.map((row) => itemOf(store, show, row)))
      return { zid, total: away.total + total, limit, offset, envelopes: [...away.items, ...own] }
    },
    folders: async (zid, caller) => {
      const list = listOf(zid, caller)
      await home.settled(list)
      const counts = new Map<string, number>()
      for await (const [key, count] of store.range('folder', under(list))) {
        counts.set(decodeURIComponent(key.slice(list.length + 1)), count)
      }
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
