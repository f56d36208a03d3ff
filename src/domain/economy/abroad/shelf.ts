import { Fault } from '#core/fault.ts'
import type { TokenEvidence } from '#core/token/evidence.ts'
import type { EnvelopeQuery } from '#domain/economy/economy.ts'
import type { EnvelopeItem, Move } from '#domain/economy/views.ts'
import { tokenProofOf } from '#domain/network/token-evidence.ts'
import { type AwayMoveRow, type AwayTokenRow, homePart, lotKey } from '#store/away.ts'
import { folderPart, keyOf, seqKey, seqOf, under } from '#store/layout.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import { refile, tokenIn } from './keep.ts'
import type { ShowAway } from './show.ts'

/** What of a list is meant. */
type Wanted = Pick<EnvelopeQuery, 'q' | 'folder' | 'movable' | 'home' | 'state'>

/** Which rows of a page are wanted. */
interface Asked extends Wanted {
  readonly limit: number
  readonly offset: number
  /** Only what arrived before: serial number of an arrival. */
  readonly arrival?: number | undefined
}

/** What a token of another home is shown as. */
const STATE: EnvelopeQuery['state'] = 'sealed'

/** Tokens of other homes in the lists of those who live here, and the moves that brought and took them. */
export interface AwayShelf {
  /** A token that somebody here owns. */
  row(tokenId: string): AwayTokenRow | undefined
  item(row: AwayTokenRow): EnvelopeItem
  /** One page, newest arrival first, and how many there are on all pages. */
  page(zid: string, asked: Asked): Promise<{ readonly rows: readonly AwayTokenRow[]; readonly total: number }>
  /** Adds how many tokens each folder of a list holds. */
  countFolders(zid: string, counts: Map<string, number>): Promise<void>
  /** Token ids that a query means, newest first. */
  named(zid: string, query: Wanted): AsyncIterable<string>
  /** Files a token of a list. @returns whether it moved; undefined where the list has no such token */
  file(tx: Transaction, zid: string, to: { readonly tokenId: string; readonly folder: string }): boolean | undefined
  /** A move that concerned a ZID here. */
  moved(digest: string): AwayMoveRow | undefined
  showMove(row: AwayMoveRow, who: { readonly zid: string; readonly tokensMax?: number }): Promise<Move>
  /** Moves of an account before a place, newest first. */
  moves(zid: string, page: { readonly before: number; readonly limit: number }): Promise<readonly AwayMoveRow[]>
  /** Moves of a token that are known here, oldest first. */
  way(tokenId: string): Promise<readonly AwayMoveRow[]>
  /** Proof that a home spent a token twice. */
  evidence(home: string): TokenEvidence | undefined
  /** The bundle of a token, as its home gave it. @throws Fault NOT_FOUND */
  bundle(row: AwayTokenRow): Promise<Uint8Array>
}

/** Reads the tokens of other homes that a query means. */
const createReader = (store: Store, show: ShowAway) => {
  const isMeant = (row: AwayTokenRow, { q, folder, movable, home }: Wanted): boolean => {
    if (home !== undefined && row.facts.home !== home) return false
    const wanted = q?.trim().toLowerCase() ?? ''
    const { token_id, facts } = row
    const found =
      wanted === '' || token_id.startsWith(wanted) || facts.hash.startsWith(wanted) || String(facts.tick) === wanted
    return found && (folder === undefined || row.folder === folder) && (movable !== true || show.item(row).movable)
  }

  /** Tokens of one home, newest first, by the lots that it was asked about. */
  async function* ofHome(zid: string, home: string): AsyncGenerator<AwayTokenRow> {
    for await (const [lot, { state }] of store.range('awayState', { ...under(zid, homePart(home)), reverse: true })) {
      const found = state.tokens.map((it) => tokenIn({ get: store.peek }, it.token_id)).filter((it) => it !== undefined)
      const here = found.filter((it) => it.owner === zid && lotKey(zid, home, it.serial) === lot)
      yield* here.sort((a, b) => b.serial - a.serial)
    }
  }

  async function* rows(zid: string, query: Wanted, before?: number): AsyncGenerator<AwayTokenRow> {
    const { folder, home, state } = query
    if (state !== undefined && state !== STATE) return
    if (folder !== undefined) {
      const above = [zid, folderPart(folder)]
      const bounds = { ...under(...above), ...(before !== undefined && { lt: keyOf(...above, seqKey(before)) }) }
      for await (const [, token] of store.range('awayByFolder', { ...bounds, reverse: true })) {
        const row = tokenIn({ get: store.peek }, token)
        if (row !== undefined && isMeant(row, query)) yield row
      }
      return
    }
    if (home !== undefined) {
      for await (const row of ofHome(zid, home)) if (isMeant(row, query)) yield row
      return
    }
    const bounds = { ...under(zid), ...(before !== undefined && { lt: keyOf(zid, seqKey(before)) }) }
    for await (const [, row] of store.range('awayToken', { ...bounds, reverse: true })) {
      if (isMeant(row, query)) yield row
    }
  }

  return rows
}

/** Lists of tokens of other homes, by what is kept of them. */
export const createShelf = (store: Store, show: ShowAway): AwayShelf => {
  const rows = createReader(store, show)
  const countOf = async (zid: string, folder: string | undefined): Promise<number> => {
    if (folder !== undefined) return (await store.get('awayFolder', keyOf(zid, folderPart(folder)))) ?? 0
    let total = 0
    for await (const [, count] of store.range('awayFolder', under(zid))) total += count
    return total
  }

  return {
    row: (tokenId) => tokenIn({ get: store.peek }, tokenId),
    item: show.item,
    page: async (zid, { limit, offset, arrival, ...query }) => {
      // Nothing ever arrived: most lists are such.
      if (store.peek('awaySerial', zid) === undefined) return { rows: [], total: 0 }
      const { q, folder, movable, home } = query
      const narrowed = (q ?? '').trim() !== '' || movable === true || home !== undefined
      const counted = narrowed || (query.state ?? STATE) !== STATE ? undefined : await countOf(zid, folder)
      const found: AwayTokenRow[] = []
      let [seen, place] = [0, 0]
      // Where the total is known, nothing else is read than the page.
      for await (const row of rows(zid, query, counted === undefined ? undefined : arrival)) {
        if (counted !== undefined && place >= offset + limit) break
        seen += 1
        if (arrival !== undefined && row.serial >= arrival) continue
        if (place >= offset && found.length < limit) found.push(row)
        place += 1
      }
      return { rows: found, total: counted ?? seen }
    },
    countFolders: async (zid, counts) => {
      for await (const [key, count] of store.range('awayFolder', under(zid))) {
        const folder = decodeURIComponent(key.slice(zid.length + 1))
        counts.set(folder, (counts.get(folder) ?? 0) + count)
      }
    },
    named: async function* (zid, query) {
      for await (const { token_id } of rows(zid, query)) yield token_id
    },
    file: (tx, zid, { tokenId, folder }) => {
      const row = tokenIn(tx, tokenId)
      if (row?.owner !== zid) return undefined
      if (row.folder === folder) return false
      refile(tx, row, folder)
      return true
    },
    moved: (digest) => store.peek('awayMove', digest),
    showMove: show.move,
    moves: async (zid, { before, limit }) => {
      const found: AwayMoveRow[] = []
      const bounds = { ...under(zid), lt: keyOf(zid, seqKey(before)), reverse: true, limit }
      for await (const [, digest] of store.range('awayMoveByZid', bounds)) {
        const row = await store.get('awayMove', digest)
        if (row !== undefined) found.push(row)
      }
      return found
    },
    way: async (tokenId) => {
      const found = new Map<number, AwayMoveRow>()
      for await (const [key, digest] of store.range('awayOfToken', under(tokenId))) {
        const row = await store.get('awayMove', digest)
        if (row !== undefined) found.set(seqOf(key.slice(tokenId.length + 1)), row)
      }
      return [...found].sort(([a], [b]) => a - b).map(([, row]) => row)
    },
    evidence: (home) => {
      const proof = tokenProofOf({ get: store.peek }, home)
      return proof && { receipts: proof.receipts, token_id: proof.token_id, spend_seq: proof.spend_seq }
    },
    bundle: async ({ bundle }) => {
      const bytes = await store.get('blob', bundle)
      if (bytes === undefined) throw new Fault('NOT_FOUND')
      return bytes
    },
  }
}
