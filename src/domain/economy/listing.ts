import { tokenIdOf } from '#core/ids.ts'
import { lockAt } from '#core/token/state.ts'
import { breathe } from '#core/wait.ts'
import type { Snapshot } from '#store/database.ts'
import { folderPart, keyOf, seqKey, seqOf, under } from '#store/layout.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Store } from '#store/store.ts'
import type { Home } from './moving/home.ts'
import type { Passage } from './moving/intents.ts'

/** Index rows up to which no more are read than are wanted; a longer walk reads ahead. */
const FEW_ROWS = 512
/** Places that are passed before others have their turn. */
const PASSED_AT_ONCE = 4_096

/** Serial numbers of leaves from one up to another. */
export interface SerialSpan {
  readonly from: number
  /** Not in it. */
  readonly to: number
}

/** All there are. */
const EVERY: readonly SerialSpan[] = [{ from: 0, to: Number.MAX_SAFE_INTEGER }]

/** What of a list is read: one of its folders, or what may move; what stands in some spans, the newest first. */
export interface ListPart {
  readonly folder?: string | undefined
  readonly movable?: boolean | undefined
  /** Undefined: wherever it stands. */
  readonly spans?: readonly SerialSpan[] | undefined
  /** How many will be taken, where that is known: so many and few more are read ahead. */
  readonly most?: number | undefined
}

/** A token in a list. */
export interface ListPlace {
  readonly serial: number
  readonly tokenId: () => string
}

/** A list of envelopes in one moment, by all that the leaves say of it, whether or not the rows follow them yet. */
export interface Listing extends AsyncDisposable {
  /** Newest first. */
  tokens(part: ListPart): AsyncIterable<ListPlace>
  count(part: ListPart): Promise<number>
  row(tokenId: string): Promise<EnvelopeRow | undefined>
  /** Rows of tokens, read at once; those alone that are there. */
  rows(tokenIds: readonly string[]): Promise<readonly EnvelopeRow[]>
  /** Folders that hold something, with how much. */
  folders(): Promise<ReadonlyMap<string, number>>
}

const isIn = (spans: readonly SerialSpan[], serial: number): boolean =>
  spans.some(({ from, to }) => serial >= from && serial < to)

/** Walks down the serial numbers of a long move. */
const descent = (ascending: Float64Array | undefined, { from, to }: SerialSpan) => {
  let at = ascending?.length ?? 0
  const peek = (): number => ascending?.[at - 1] ?? -1
  const pass = (serial: number): number => {
    while (peek() >= serial) at -= 1
    return peek()
  }
  pass(to)
  return {
    /** The next one; undefined below the span. */
    peek: (): number | undefined => (peek() >= from ? peek() : undefined),
    /** Passes a number and all above it. @returns whether it was there */
    pass: (serial: number): boolean => {
      pass(serial + 1)
      const found = peek() === serial
      pass(serial)
      return found
    },
  }
}

/** A list in a snapshot, and the long move that is under way there. */
interface Seen {
  readonly store: Store
  readonly list: string
  readonly snapshot: Snapshot
  readonly passage: Passage | undefined
}

/** The serial number that ends the key of an index row. */
const placeIn = (key: string): number => seqOf(key.slice(key.lastIndexOf('/') + 1))

const leavingOf = ({ passage }: Seen): Passage | undefined => (passage?.leaves === true ? passage : undefined)

/** What comes, where it is meant: it comes unfiled, and may move. */
const arrivingOf = ({ passage }: Seen, { folder }: ListPart): Passage | undefined =>
  passage?.leaves === false && (folder === undefined || folder === '') ? passage : undefined

const rowOf = async ({ snapshot, passage }: Seen, tokenId: string): Promise<EnvelopeRow | undefined> => {
  const stored = await snapshot.get('envelope', tokenId)
  return stored === undefined || passage === undefined ? stored : passage.through(stored)
}

const rowsOfAll = async ({ snapshot, passage }: Seen, tokenIds: readonly string[]): Promise<readonly EnvelopeRow[]> => {
  const stored = (await snapshot.getMany('envelope', tokenIds)).filter((it) => it !== undefined)
  return passage === undefined ? stored : stored.map(passage.through).filter((it) => it !== undefined)
}

/** Tokens that may move but for a lock, which ends by the clock and stands, with their places; none where all count. */
const tiedOf = async (
  { store, list, snapshot, passage }: Seen,
  part: ListPart,
): Promise<ReadonlyMap<string, number>> => {
  const tied = new Map<string, number>()
  if (part.movable !== true) return tied
  const { meshTick } = store.now()
  for await (const [key, token] of snapshot.range('envelopeTimed', under(list))) {
    if (passage?.has(token) === true) continue
    const stored = await snapshot.get('envelope', token)
    if (stored !== undefined && lockAt(stored.lock, meshTick) !== null) tied.set(token, placeIn(key))
  }
  return tied
}

/** The index rows of a part within a span. */
const rowsOf = ({ list }: Seen, { folder, movable }: ListPart, { from, to }: SerialSpan) => {
  const above = folder === undefined ? [list] : [list, folderPart(folder)]
  const table = folder !== undefined ? 'envelopeByFolder' : movable === true ? 'envelopeMovable' : 'envelopeByOwner'
  return { table, bounds: { gte: keyOf(...above, seqKey(from)), lt: keyOf(...above, seqKey(to)) } } as const
}

/**
 * How many index rows a walk takes at most, where few will do: a list that nothing passes through shows each of its
 * rows but those that are tied.
 */
const limitOf = ({ passage }: Seen, { most }: ListPart, tied: number): { readonly limit?: number } =>
  passage === undefined && most !== undefined && most + tied <= FEW_ROWS ? { limit: most + tied } : {}

async function* within(
  seen: Seen,
  part: ListPart,
  { span, tied }: { readonly span: SerialSpan; readonly tied: number },
): AsyncGenerator<ListPlace> {
  const { table, bounds } = rowsOf(seen, part, span)
  const walk = { ...bounds, ...limitOf(seen, part, tied), reverse: true }
  const gone = descent(leavingOf(seen)?.card.ascending, span)
  const come = descent(arrivingOf(seen, part)?.card.ascending, span)
  const comes = (serial: number): ListPlace => {
    const { log, index } = seen.store.leafAt(serial)
    return { serial, tokenId: () => tokenIdOf(log.origin, index) }
  }
  for await (const [key, token] of seen.snapshot.range(table, walk)) {
    const serial = placeIn(key)
    for (let next = come.peek(); next !== undefined && next > serial; next = come.peek()) {
      yield comes(next)
      come.pass(next)
    }
    // One whose row is written stands in both.
    come.pass(serial)
    if (!gone.pass(serial)) yield { serial, tokenId: () => token }
  }
  for (let next = come.peek(); next !== undefined; next = come.peek()) {
    yield comes(next)
    come.pass(next)
  }
}

async function* tokensOf(seen: Seen, part: ListPart): AsyncGenerator<ListPlace> {
  const tied = new Set((await tiedOf(seen, part)).values())
  let passed = 0
  for (const span of part.spans ?? EVERY) {
    for await (const it of within(seen, part, { span, tied: tied.size })) {
      passed += 1
      if (passed % PASSED_AT_ONCE === 0) await breathe()
      if (!tied.has(it.serial)) yield it
    }
  }
}

/** How many each folder holds by the rows of the snapshot. */
const foldersStored = async ({ snapshot, list }: Seen): Promise<Map<string, number>> => {
  const counts = new Map<string, number>()
  for await (const [key, count] of snapshot.range('folder', under(list))) {
    counts.set(decodeURIComponent(key.slice(list.length + 1)), count)
  }
  return counts
}

/** How many a part holds by the rows of the snapshot: kept counts, or the keys in its spans. */
const countStored = async (seen: Seen, part: ListPart): Promise<number> => {
  const { snapshot, list } = seen
  const { folder, movable, spans } = part
  if (spans === undefined) {
    if (folder !== undefined) return (await snapshot.get('folder', keyOf(list, folderPart(folder)))) ?? 0
    if (movable === true) return (await snapshot.get('movable', list)) ?? 0
    return [...(await foldersStored(seen)).values()].reduce((sum, it) => sum + it, 0)
  }
  let sum = 0
  for (const span of spans) {
    const { table, bounds } = rowsOf(seen, part, span)
    sum += await snapshot.count(table, bounds)
  }
  return sum
}

const countOf = async (seen: Seen, part: ListPart): Promise<number> => {
  const { folder, movable, spans = EVERY } = part
  const tied = [...(await tiedOf(seen, part)).values()].filter((it) => isIn(spans, it)).length
  const [leaving, arriving] = [leavingOf(seen), arrivingOf(seen, part)]
  const gone = leaving?.card.count(
    leaving.done,
    (it) =>
      isIn(spans, it.serial) &&
      (folder === undefined || it.folder === folder) &&
      (movable !== true || it.listedMovable),
  )
  const come = arriving?.card.count(arriving.done, ({ serial }) => isIn(spans, serial))
  return (await countStored(seen, part)) - tied - (gone ?? 0) + (come ?? 0)
}

const foldersOf = async (seen: Seen): Promise<ReadonlyMap<string, number>> => {
  const counts = await foldersStored(seen)
  const { passage } = seen
  passage?.card.count(passage.done, ({ folder }) => {
    const [name, step] = passage.leaves ? [folder, -1] : ['', 1]
    counts.set(name, (counts.get(name) ?? 0) + step)
    return true
  })
  const held = [...counts].filter(([, found]) => found > 0)
  return new Map(held.sort(([a], [b]) => (folderPart(a) < folderPart(b) ? -1 : 1)))
}

/** Opens a list as it is now. Dispose it: what is overwritten meanwhile is kept until then. */
export const openListing = async (store: Store, home: Pick<Home, 'passage'>, list: string): Promise<Listing> => {
  for (;;) {
    const snapshot = store.snapshot()
    try {
      const passage = await home.passage(list, snapshot)
      if (passage !== 'stale') {
        const seen: Seen = { store, list, snapshot, passage }
        return {
          tokens: (part) => tokensOf(seen, part),
          count: (part) => countOf(seen, part),
          row: (tokenId) => rowOf(seen, tokenId),
          rows: (tokenIds) => rowsOfAll(seen, tokenIds),
          folders: () => foldersOf(seen),
          [Symbol.asyncDispose]: () => snapshot[Symbol.asyncDispose](),
        }
      }
    } catch (cause) {
      await snapshot[Symbol.asyncDispose]()
      throw cause
    }
    await snapshot[Symbol.asyncDispose]()
  }
}
