import { useEffect, useState } from 'preact/hooks'
import { sleep } from '#core/wait.ts'
import { ApiProblem, callOf, framesOf, NodeGone } from '#ui/server/api.ts'
import { isFinal } from '#ui/server/final.ts'
import { seen } from '#ui/server/seen.ts'
import type { PageSession } from '#ui/session.ts'
import type { ChainRow } from './entry.ts'
import { type ChainFeed, emptyFeed, feedOf, withRows } from './feed.ts'

/** Entries that are read before the stream takes over. */
const FIRST_ROWS = 50
/** Time between attempts to take a lost stream up again. */
const RETRY_MS = 1_000
/** Entries are drawn together that come within this time. */
const GATHER_MS = 100
/** Silence after which a stream is given up: the node says something every 25 s unless it is set otherwise. */
const SILENCE_MS_MAX = 60_000
/** How long a stream goes on in a tab that nobody sees. */
const UNSEEN_MS_MAX = 10_000
/** Entries that wait to be drawn; at more they are drawn at once. */
const QUEUE_MAX = 500

/** `live`: entries come as they happen. `lost`: the stream is being taken up again. `refused`: it will not be. */
export type FeedLink = 'opening' | 'live' | 'lost' | 'refused'

export interface LiveFeed {
  readonly feed: ChainFeed
  readonly link: FeedLink
  /** How often the stream was taken up again. */
  readonly resumed: number
  readonly problem: Error | undefined
}

interface Reader {
  readonly session: PageSession
  readonly slug: string
  readonly signal: AbortSignal
  show(change: (old: LiveFeed) => LiveFeed): void
}

/** The newest entries of a chain, and its size. */
const readNewest = async ({ session, slug, signal }: Reader): Promise<ChainFeed> => {
  const { head } = await session.call('GET /api/chain/{slug}/state', { slug }, { signal })
  const before = head.size - FIRST_ROWS - 1
  const page = { slug, limit: FIRST_ROWS, after: before >= 0 ? before : undefined }
  const { rows } = await session.call('GET /api/chain/{slug}/explore', page, { signal })
  return feedOf(rows, rows.length === 0 ? head.size : 0)
}

/** Gathers entries, so that a flood is drawn a few times a second. */
const gatherer = (show: (rows: readonly ChainRow[]) => void) => {
  let waiting: ChainRow[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const rows = waiting
    waiting = []
    if (rows.length > 0) show(rows)
  }
  return {
    add: (row: ChainRow): void => {
      waiting.push(row)
      if (waiting.length >= QUEUE_MAX) flush()
      else timer ??= setTimeout(flush, GATHER_MS)
    },
    flush,
  }
}

/**
 * Ends when a stream is to be given up: it is silent beyond its heartbeats, as one is whose other end is gone without a
 * word, or nobody sees it. Browsers have six connections for a node, and each tab's stream takes one.
 */
const watchOver = (signal: AbortSignal) => {
  const over = new AbortController()
  const give = (): void => over.abort()
  let silence = setTimeout(give, SILENCE_MS_MAX)
  let unseen: ReturnType<typeof setTimeout> | undefined
  const look = (): void => {
    clearTimeout(unseen)
    if (document.hidden) unseen = setTimeout(give, UNSEEN_MS_MAX)
  }
  look()
  document.addEventListener('visibilitychange', look)
  return {
    signal: AbortSignal.any([signal, over.signal]),
    /** The answer, whose every byte is a sign of life. */
    alive: ({ body }: Response): Response => {
      const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform: (bytes, out) => {
          clearTimeout(silence)
          silence = setTimeout(give, SILENCE_MS_MAX)
          out.enqueue(bytes)
        },
      })
      return new Response(body?.pipeThrough(heard) ?? null)
    },
    end: (): void => {
      clearTimeout(silence)
      clearTimeout(unseen)
      document.removeEventListener('visibilitychange', look)
    },
  }
}

/** Follows the stream after an entry until it ends. @returns the number of the last entry that came. */
const follow = async (reader: Reader, last: number): Promise<number> => {
  const { session, slug, show } = reader
  const headers = { Accept: 'text/event-stream', ...(last >= 0 && { 'Last-Event-ID': String(last) }) }
  const watch = watchOver(reader.signal)
  const { signal } = watch
  try {
    const response = await session.request(callOf('GET /api/chain/{slug}/explore/sse', { slug }), { headers, signal })
    return await gather(watch.alive(response), { show, signal, last })
  } catch (error) {
    if (reader.signal.aborted || !signal.aborted) throw error
    return last
  } finally {
    watch.end()
  }
}

interface Gathering extends Pick<Reader, 'show' | 'signal'> {
  readonly last: number
}

const gather = async (response: Response, { show, signal, last }: Gathering): Promise<number> => {
  show((old) => ({ ...old, link: 'live', problem: undefined }))
  const rows = gatherer((more) => show((old) => ({ ...old, feed: withRows(old.feed, more) })))
  let reached = last
  try {
    for await (const { event, data } of framesOf<ChainRow>(response, signal)) {
      if (event === 'error') throw new ApiProblem(0, data as unknown as Record<string, unknown>)
      if (event !== 'entry') continue
      reached = Math.max(reached, data.seq)
      rows.add(data)
    }
  } catch (error) {
    // What came before the break is kept; the stream is taken up behind it.
    if (!(error instanceof NodeGone) && !signal.aborted) throw error
  } finally {
    rows.flush()
  }
  return reached
}

const run = async (reader: Reader): Promise<void> => {
  const { signal, show } = reader
  let last: number | undefined
  while (!signal.aborted) {
    try {
      if (last === undefined) {
        const feed = await readNewest(reader)
        last = feed.size - 1
        show((old) => ({ ...old, feed }))
      }
      last = await follow(reader, last)
    } catch (error) {
      if (signal.aborted) return
      const problem = error instanceof Error ? error : new Error(String(error))
      if (isFinal(error)) return show((old) => ({ ...old, link: 'refused', problem }))
    }
    if (signal.aborted) return
    show((old) => ({ ...old, link: 'lost', resumed: old.resumed + 1 }))
    await sleep(RETRY_MS, signal)
    await seen(signal)
  }
}

/** The newest entries of a machine's chain, as they happen. A stream that breaks off is taken up where it was. */
export const useFeed = (session: PageSession, slug: string): LiveFeed => {
  const [live, show] = useState<LiveFeed>({ feed: emptyFeed, link: 'opening', resumed: 0, problem: undefined })
  const { key = session.self.kind } = session.self
  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    const showHere = (change: (old: LiveFeed) => LiveFeed): void => {
      if (!signal.aborted) show(change)
    }
    show({ feed: emptyFeed, link: 'opening', resumed: 0, problem: undefined })
    void run({ session, slug, signal, show: showHere })
    return () => over.abort()
  }, [session, slug, key])
  return live
}
