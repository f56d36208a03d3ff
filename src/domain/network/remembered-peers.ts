import type { Log } from '#core/telemetry.ts'
import { PEER_ADDRESSES_MAX, PEER_ROWS_MAX, type PeerRow, UNREACHED_ROWS_MAX } from '#store/rows/peer.ts'
import type { Store } from '#store/store.ts'

/** A peer that was not connected for this long is forgotten: 30 days. */
export const FORGOTTEN_TICKS = 3_335_904
/** Ticks between two looks at what is to be written; the first comes soon, for a node that is killed early. */
const SAVE_EVERY_TICKS = 128
const SAVE_FIRST_TICKS = 8
/** The time at which a connected peer was seen is written again when it is this much older: about an hour. */
const SEEN_AGAIN_TICKS = 4_634
/** News that wait to be written; of more, those of peers that were never reached go first. */
const NEWS_MAX = 256

/** A peer from before, and where it was. */
export interface RememberedPeer {
  readonly node: string
  readonly addresses: readonly string[]
}

/**
 * What a node knows of its peers across restarts: whom it was connected to, and where. Only a connection gets a node in
 * here: what strangers announce does not. Written rarely, and only what changed.
 */
export interface RememberedPeers {
  /** This node reached another at an address. */
  reached(node: string, address: string, meshTick: number): void
  /** A node that is connected says where it can be reached. */
  told(node: string, addresses: readonly string[], meshTick: number): void
  /** Peers from before, the reached and the newest first. */
  list(meshTick: number): Promise<readonly RememberedPeer[]>
  /** Where one node was. */
  placesOf(node: string): Promise<readonly string[]>
  /** Writes what is due, at most every few ticks. */
  beat(meshTick: number, connected: () => readonly string[]): void
  /** Writes what is known now, if it is not on disk. */
  save(meshTick: number, connected: readonly string[]): Promise<void>
}

type News = Omit<PeerRow, 'seen'> & { readonly seen: number }

const joined = (newer: readonly string[], older: readonly string[]): readonly string[] =>
  [...new Set([...newer, ...older])].slice(0, PEER_ADDRESSES_MAX)

/** What a row comes to with news: an address that worked stands before one that was only told. */
const merged = (row: PeerRow | undefined, news: News): PeerRow => {
  if (row === undefined) return news
  const { reached } = news
  const [first, second] = reached || !row.reached ? [news, row] : [row, news]
  return { addresses: joined(first.addresses, second.addresses), reached: reached || row.reached, seen: news.seen }
}

type Ranked = readonly (readonly [string, PeerRow])[]

/** The reached first, then the newest. */
const ranked = (rows: ReadonlyMap<string, PeerRow>): Ranked =>
  [...rows].sort(([, a], [, b]) => Number(b.reached) - Number(a.reached) || b.seen - a.seen)

/** The rows that are kept: not forgotten, and within the bounds. */
const kept = (rows: ReadonlyMap<string, PeerRow>, meshTick: number): ReadonlyMap<string, PeerRow> => {
  let unreached = 0
  const all = ranked(rows).filter(([, row]) => {
    if (meshTick - row.seen > FORGOTTEN_TICKS) return false
    unreached += row.reached ? 0 : 1
    return row.reached || unreached <= UNREACHED_ROWS_MAX
  })
  return new Map(all.slice(0, PEER_ROWS_MAX))
}

const load = async (store: Store): Promise<Map<string, PeerRow>> => {
  const rows = new Map<string, PeerRow>()
  for await (const [node, row] of store.range('peer')) rows.set(node, row)
  return rows
}

/** What must be written so that the rows are these. */
const write = async (store: Store, before: ReadonlyMap<string, PeerRow>, after: ReadonlyMap<string, PeerRow>) => {
  const gone = [...before.keys()].filter((node) => !after.has(node))
  const changed = [...after].filter(([node, row]) => {
    const old = before.get(node)
    const same = old?.reached === row.reached && old.addresses.join() === row.addresses.join()
    return !same || row.seen - (old?.seen ?? 0) >= SEEN_AGAIN_TICKS
  })
  if (gone.length + changed.length === 0) return
  await store.commit((tx) => {
    for (const node of gone) tx.del('peer', node)
    for (const [node, row] of changed) tx.put('peer', node, row)
  })
}

/** @param startMeshTick when it begins to look, for the first write. */
export const createRememberedPeers = (store: Store, log: Log, startMeshTick: number): RememberedPeers => {
  const news = new Map<string, News>()
  let lookedAt = startMeshTick - SAVE_EVERY_TICKS + SAVE_FIRST_TICKS
  let seenAt = startMeshTick
  let saving: Promise<void> | undefined

  const note = (node: string, it: News): void => {
    const before = news.get(node)
    news.delete(node)
    if (before === undefined && news.size >= NEWS_MAX) {
      const [idle] = [...news].find(([, other]) => !other.reached) ?? []
      if (idle === undefined) return
      news.delete(idle)
    }
    news.set(node, merged(before, it))
  }

  const saveNow = async (meshTick: number, connected: readonly string[]): Promise<void> => {
    const taken = new Map(news)
    const before = await load(store)
    const after = new Map(before)
    for (const [node, it] of taken) after.set(node, merged(after.get(node), it))
    for (const node of connected) {
      const row = after.get(node)
      if (row !== undefined) after.set(node, { ...row, seen: meshTick })
    }
    await write(store, before, kept(after, meshTick))
    for (const [node, it] of taken) if (news.get(node) === it) news.delete(node)
  }

  const save = async (meshTick: number, connected: readonly string[]): Promise<void> => {
    await saving
    saving = saveNow(meshTick, connected)
      .catch((error: unknown) => log.warn({ error }, 'peers_not_written'))
      .finally(() => {
        saving = undefined
      })
    await saving
  }

  return {
    reached: (node, address, seen) => note(node, { addresses: [address], reached: true, seen }),
    told: (node, addresses, seen) => {
      const some = addresses.slice(0, PEER_ADDRESSES_MAX)
      if (some.length > 0) note(node, { addresses: some, reached: false, seen })
    },
    list: async (meshTick) => {
      const all = await load(store)
      for (const [node, it] of news) all.set(node, merged(all.get(node), it))
      return ranked(kept(all, meshTick)).map(([node, { addresses }]) => ({ node, addresses }))
    },
    placesOf: async (node) => {
      const [row, fresh] = [await store.get('peer', node), news.get(node)]
      return (fresh === undefined ? row : merged(row, fresh))?.addresses ?? []
    },
    beat: (meshTick, connected) => {
      if (saving !== undefined || meshTick - lookedAt < SAVE_EVERY_TICKS) return
      lookedAt = meshTick
      const again = meshTick - seenAt >= SEEN_AGAIN_TICKS
      if (news.size === 0 && !again) return
      seenAt = meshTick
      void save(meshTick, connected())
    },
    save,
  }
}
