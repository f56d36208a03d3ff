import { toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { isHex64, isTokenId, tokenIdOf } from '#core/ids.ts'
import { immovable } from '#core/token/decide.ts'
import { seqKey, seqOf } from '#store/layout.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { SealLog } from '#store/seal-log.ts'
import type { Store } from '#store/store.ts'
import type { EnvelopeQuery } from './economy.ts'
import type { Listing, ListPlace, SerialSpan } from './listing.ts'

/** Rows read at once while a list is searched. */
const CHUNK = 256
/** Checkpoints that are looked at once for the newest whose leaves are final: the last few are not. */
const CHECKPOINTS_AT_ONCE = 8

/** Where a page goes on: below an arrival, and then below a leaf. */
export interface PageCursor {
  /** Of what came from other homes: serial number of an arrival; 0 where the list is past them. */
  readonly arrival?: number
  /** Serial number of a leaf. */
  readonly leaf?: number
}

/** A cursor as its text, `next` of the page before, means it. */
export const cursorOf = (text: string | undefined): PageCursor => {
  if (text === undefined) return {}
  const at = seqOf(text.slice(1))
  return text.startsWith('a') ? { arrival: at } : { arrival: 0, leaf: at }
}
/** The text of the cursor behind an arrival, or behind a leaf. */
export const cursorText = (kind: 'a' | 'e', serial: number): string => `${kind}${seqKey(serial)}`

/** Leaves of a log that are final: those under the newest checkpoint that has stood for a whole tick. */
const finalSize = async (log: SealLog): Promise<number> => {
  let before: number | undefined
  for (;;) {
    const rows = await log.checkpoints({ before, limit: CHECKPOINTS_AT_ONCE })
    for (const { size } of rows) if ((await log.stateOf(size - 1)).state === 'final') return size
    if (rows.length < CHECKPOINTS_AT_ONCE) return 0
    before = rows.at(-1)?.size
  }
}

const spanIn = async (log: SealLog, state: EnvelopeQuery['state']): Promise<SerialSpan> => {
  const { base } = log
  const end = log.ended ? base + log.size : Number.MAX_SAFE_INTEGER
  if (state === undefined) return { from: base, to: end }
  const sealed = base + (log.checkpoint?.size ?? 0)
  if (state === 'promised') return { from: sealed, to: end }
  const final = base + (await finalSize(log))
  return state === 'sealed' ? { from: final, to: sealed } : { from: base, to: final }
}

/**
 * Where envelopes of a home or in a state stand, newest first: both are runs of leaves. Undefined where neither is
 * asked for.
 */
export const spansOf = async (
  { log: present, eras }: Pick<Store, 'log' | 'eras'>,
  { home, state }: Pick<EnvelopeQuery, 'home' | 'state'>,
): Promise<readonly SerialSpan[] | undefined> => {
  if (home === undefined && state === undefined) return undefined
  const logs = [present, ...eras.map((it) => it.log).toReversed()]
  const spans: SerialSpan[] = []
  for (const log of logs) if (home === undefined || log.origin === home) spans.push(await spanIn(log, state))
  return spans.filter(({ from, to }) => from < to)
}

/** What of spans stands below a leaf. */
const below = (
  spans: readonly SerialSpan[] | undefined,
  leaf: number | undefined,
): readonly SerialSpan[] | undefined => {
  if (leaf === undefined) return spans
  const all = spans ?? [{ from: 0, to: leaf }]
  return all.map(({ from, to }) => ({ from, to: Math.min(to, leaf) })).filter(({ from, to }) => from < to)
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

/** What is looked for in a list. */
export interface Wish extends Pick<EnvelopeQuery, 'q' | 'folder' | 'movable'> {
  /** Whose list. */
  readonly list: string
  readonly spans?: readonly SerialSpan[] | undefined
}

/** Rows of a list that a wish means, newest first. */
export async function* search(store: Store, listing: Listing, wish: Wish): AsyncGenerator<EnvelopeRow> {
  const { list, q, folder, movable, spans } = wish
  const { meshTick } = store.now()
  const meant = (row: EnvelopeRow): boolean =>
    row.listed_under === list &&
    (folder === undefined || row.folder === folder) &&
    (movable !== true || immovable(row, meshTick) === undefined)
  const wanted = q?.trim().toLowerCase() ?? ''
  const one = wanted === '' ? undefined : await named(store, wanted)
  if (one !== undefined) {
    for (const token of one) {
      const row = await listing.row(token)
      const placed = row !== undefined && (spans?.some(({ from, to }) => row.index >= from && row.index < to) ?? true)
      if (placed && meant(row)) yield row
    }
    return
  }
  const read = async (chunk: readonly ListPlace[]): Promise<readonly EnvelopeRow[]> => {
    const rows = (await listing.rows(chunk.map((it) => it.tokenId()))).filter(meant)
    if (wanted === '') return rows
    const places = rows.map((row) => store.leafAt(row.index))
    const hashes = await Promise.all(places.map(({ log, index }) => log.leafHash(index)))
    return rows.filter((row, i) => matches(row, toHex(hashes[i] ?? new Uint8Array(0)), wanted))
  }
  let chunk: ListPlace[] = []
  for await (const it of listing.tokens({ folder, movable, spans })) {
    chunk.push(it)
    if (chunk.length < CHUNK) continue
    yield* await read(chunk)
    chunk = []
  }
  yield* await read(chunk)
}

/** Which rows of a page are wanted. */
export interface Window {
  readonly limit: number
  readonly offset: number
  /** Only what stands below this leaf; the total is of all all the same. */
  readonly leaf?: number | undefined
}

interface FoundRows {
  readonly rows: readonly EnvelopeRow[]
  /** Of all that match, on all pages. */
  readonly total: number
}

/** One page without search: the indexes give place and total. */
const page = async (listing: Listing, wish: Wish, { limit, offset, leaf }: Window): Promise<FoundRows> => {
  const most = offset + limit
  const read = async (): Promise<readonly EnvelopeRow[]> => {
    if (limit === 0) return []
    const tokens: string[] = []
    let place = 0
    for await (const it of listing.tokens({ ...wish, spans: below(wish.spans, leaf), most })) {
      if (place >= offset) tokens.push(it.tokenId())
      place += 1
      if (place >= most) break
    }
    return listing.rows(tokens)
  }
  const [rows, total] = await Promise.all([read(), listing.count(wish)])
  return { rows, total }
}

const searchPage = async (
  store: Store,
  { listing, wish }: { readonly listing: Listing; readonly wish: Wish },
  { limit, offset, leaf = Number.MAX_SAFE_INTEGER }: Window,
): Promise<FoundRows> => {
  const rows: EnvelopeRow[] = []
  let total = 0
  let place = 0
  for await (const row of search(store, listing, wish)) {
    total += 1
    if (row.index >= leaf) continue
    if (place >= offset && rows.length < limit) rows.push(row)
    place += 1
  }
  return { rows, total }
}

/** One page of a list, and how many match on all pages. */
export const findPage = (store: Store, listing: Listing, of: { readonly wish: Wish; readonly window: Window }) => {
  const { wish, window } = of
  const searched = (wish.q ?? '').trim() !== '' || (wish.movable === true && wish.folder !== undefined)
  return searched ? searchPage(store, { listing, wish }, window) : page(listing, wish, window)
}

/** @throws Fault INVALID_INPUT for a page that has two beginnings */
export const assertOneBeginning = ({ offset, before }: Pick<EnvelopeQuery, 'offset' | 'before'>): void => {
  if (offset > 0 && before !== undefined) throw new Fault('INVALID_INPUT', 'Say either offset or before.')
}
