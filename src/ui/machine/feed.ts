import type { ChainRow } from './entry.ts'

/** Entries that a live list holds, and draws; the chain itself is read page by page. */
export const LIVE_ROWS_MAX = 200

/** Entries that a reader will not be given one by one: those between two numbers. */
export interface Gap {
  readonly after: number
  readonly next: number
  readonly missed: number
}

/** One line of a list: an entry, or that entries are not shown. */
export type FeedLine = { readonly kind: 'entry'; readonly row: ChainRow } | { readonly kind: 'gap'; readonly gap: Gap }

/** The newest entries of a chain as they come, oldest first, and how many entries are known of. */
export interface ChainFeed {
  readonly items: readonly FeedLine[]
  readonly size: number
  /** Entries that came while this list was open. */
  readonly came: number
  /** The newest gap, which outlives its line. */
  readonly gap?: Gap
}

export const emptyFeed: ChainFeed = { items: [], size: 0, came: 0 }

/** A feed that begins with these entries, of a chain of this size. */
export const feedOf = (rows: readonly ChainRow[], size: number): ChainFeed => ({
  items: rows.slice(-LIVE_ROWS_MAX).map((row) => ({ kind: 'entry', row })),
  size: Math.max(size, (rows.at(-1)?.seq ?? -1) + 1),
  came: 0,
})

/**
 * The feed with further entries. One that is there already is left out; where numbers do not follow each other, the
 * gap stands as a line of its own. Of more than {@link LIVE_ROWS_MAX} lines the oldest go.
 */
export const withRows = (feed: ChainFeed, rows: readonly ChainRow[]): ChainFeed => {
  const items = [...feed.items]
  let { size, came, gap } = feed
  for (const row of rows) {
    if (row.seq < size) continue
    if (row.seq > size) {
      gap = { after: size - 1, next: row.seq, missed: row.seq - size }
      items.push({ kind: 'gap', gap })
    }
    items.push({ kind: 'entry', row })
    size = row.seq + 1
    came += 1
  }
  if (came === feed.came) return feed
  return { items: items.slice(-LIVE_ROWS_MAX), size, came, ...(gap !== undefined && { gap }) }
}

/** Number of the first entry in a feed; its size when there is none. */
export const firstOf = ({ items, size }: ChainFeed): number => {
  const first = items.find((it) => it.kind === 'entry')
  return first?.kind === 'entry' ? first.row.seq : size
}
