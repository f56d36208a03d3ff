import { useRef, useState } from 'preact/hooks'
import { TICK_MS } from '#ui/server/pulse.ts'
import { type ServerReading, useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import type { Item } from './wallet.ts'

/** Which envelopes are listed. The node knows the first three; home and state are looked for here. */
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
/** Envelopes among which those of a home or a state are looked for. */
const WALK_MAX = 20_000
/** Time between readings when nothing in the list is about to change. */
const QUIET_MS = 5_000

/** What a list shows: one page, how many match in all, and whether there may be more than were looked at. */
export interface Listed {
  readonly items: readonly Item[]
  readonly total: number
  readonly partial: boolean
}

const asked = ({ q, folder, movable }: Filter) => ({
  ...(q.trim() !== '' && { q: q.trim() }),
  ...(folder !== undefined && { folder }),
  ...(movable && { movable }),
})

const isWalked = ({ home, state }: Filter): boolean => home !== '' || state !== ''

const fits = ({ home, state }: Filter, it: Item): boolean =>
  (home === '' || it.home === home) && (state === '' || it.state === state)

/**
 * All envelopes that match, newest first; each once, though the list may grow meanwhile.
 *
 * @param most of what the node is asked for.
 * @throws ApiProblem, NodeGone, the signal's reason
 */
export const readAll = async (
  session: PageSession,
  filter: Filter,
  { most, signal }: { readonly most: number; readonly signal?: AbortSignal },
): Promise<Listed> => {
  const found = new Map<string, Item>()
  const { zid } = session.self
  for (let offset = 0; ; offset += CALL_ROWS) {
    const input = { zid, limit: CALL_ROWS, offset, ...asked(filter) }
    const page = await session.call('GET /api/tally/envelopes/{zid}', input, signal === undefined ? {} : { signal })
    for (const it of page.envelopes) if (fits(filter, it)) found.set(it.token_id, it)
    const over = offset + page.envelopes.length >= page.total || page.envelopes.length === 0
    if (over || offset + CALL_ROWS >= most) {
      return { items: [...found.values()], total: found.size, partial: !over }
    }
  }
}

interface Asked {
  readonly filter: Filter
  /** From 0. */
  readonly page: number
  /** Read anew when it changes. */
  readonly changes: number
}

/** One page of the envelopes of whoever the page acts as. */
export const useEnvelopes = (session: PageSession, { filter, page, changes }: Asked): ServerReading<Listed> => {
  const [waits, wait] = useState(true)
  const walked = useRef<{ readonly key: string; readonly all: Listed }>(undefined)
  const { zid, key } = session.self
  const walk = isWalked(filter)
  const name = JSON.stringify([filter, zid, key, changes])
  const read = async (signal: AbortSignal): Promise<Listed> => {
    const from = page * PAGE_ROWS
    if (walk) {
      if (walked.current?.key !== name)
        walked.current = { key: name, all: await readAll(session, filter, { most: WALK_MAX, signal }) }
      const { all } = walked.current
      return { ...all, items: all.items.slice(from, from + PAGE_ROWS) }
    }
    const input = { zid, limit: PAGE_ROWS, offset: from, ...asked(filter) }
    const { envelopes, total } = await session.call('GET /api/tally/envelopes/{zid}', input, { signal })
    wait(envelopes.some((it) => it.state !== 'final'))
    return { items: envelopes, total, partial: false }
  }
  return useReading(read, { everyMs: walk ? undefined : waits ? TICK_MS : QUIET_MS, on: [session, name, page] })
}
