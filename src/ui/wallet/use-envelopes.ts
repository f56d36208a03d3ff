import { useState } from 'preact/hooks'
import { TICK_MS } from '#ui/server/pulse.ts'
import { type ServerReading, useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import type { EnvelopeList, Item } from './wallet.ts'

/** Which envelopes are listed. */
export interface Filter {
  readonly q: string
  /** Undefined: of every folder. */
  readonly folder: string | undefined
  readonly movable: boolean
  /** A log's name; empty: of every home. */
  readonly home: string
  /** Empty: in every state. */
  readonly state: '' | Item['state']
}

export const EVERYTHING: Filter = { q: '', folder: undefined, movable: false, home: '', state: '' }

/** Rows of a page of the list. */
export const PAGE_ROWS = 50
/** Rows of one call when all that match are read: the most that the node gives. */
const CALL_ROWS = 1_000
/** Time between readings when nothing in the list is about to change. */
const QUIET_MS = 5_000

/** What a list shows: one page, and how many match in all. */
export interface Listed {
  /** From 0. */
  readonly page: number
  /** What it was read for, as {@link useEnvelopes} names it. */
  readonly name: string
  readonly items: readonly Item[]
  readonly total: number
}

const asked = ({ q, folder, movable, home, state }: Filter) => ({
  ...(q.trim() !== '' && { q: q.trim() }),
  ...(folder !== undefined && { folder }),
  ...(movable && { movable }),
  ...(home !== '' && { home }),
  ...(state !== '' && { state }),
})

/** All envelopes that match, or the newest of them. */
export interface Collected {
  readonly items: readonly Item[]
  /** Whether there are older ones. */
  readonly partial: boolean
}

/**
 * The envelopes that match, newest first; what is added meanwhile shifts none.
 *
 * @param most of what is read.
 * @throws ApiProblem, NodeGone
 */
export const readAll = async (session: PageSession, filter: Filter, most: number): Promise<Collected> => {
  const items: Item[] = []
  const { zid } = session.self
  let next: string | null = null
  do {
    const input = { zid, limit: Math.min(CALL_ROWS, most - items.length), ...asked(filter) }
    const after = next === null ? {} : { before: next }
    const page: EnvelopeList = await session.call('GET /api/tally/envelopes/{zid}', { ...input, ...after })
    items.push(...page.envelopes)
    next = page.next
  } while (next !== null && items.length < most)
  return { items, partial: next !== null }
}

interface Asked {
  readonly filter: Filter
  /** From 0. */
  readonly page: number
  /** Read anew when it changes. */
  readonly changes: number
}

interface Reading extends ServerReading<Listed> {
  /** Whether the value is of another page or filter: what was asked for before stays until the answer is there. */
  readonly isOld: boolean
}

/** One page of the envelopes of whoever the page acts as. */
export const useEnvelopes = (session: PageSession, { filter, page, changes }: Asked): Reading => {
  const [waits, wait] = useState(true)
  const { zid, key } = session.self
  const place = JSON.stringify([filter, page, zid])
  const read = async (signal: AbortSignal): Promise<Listed> => {
    const input = { zid, limit: PAGE_ROWS, offset: page * PAGE_ROWS, ...asked(filter) }
    const { envelopes, total } = await session.call('GET /api/tally/envelopes/{zid}', input, { signal })
    wait(filter.state !== '' || envelopes.some((it) => it.state !== 'final'))
    return { page, name: place, items: envelopes, total }
  }
  const reading = useReading(read, { everyMs: waits ? TICK_MS : QUIET_MS, on: [session, key, changes, place] })
  return { ...reading, isOld: reading.value?.name !== place }
}
