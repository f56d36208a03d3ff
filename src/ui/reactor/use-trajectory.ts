import { useEffect, useState } from 'preact/hooks'
import { sleep } from '#core/wait.ts'
import { isFinal } from '#ui/server/final.ts'
import { seen } from '#ui/server/seen.ts'
import type { PageSession } from '#ui/session.ts'
import type { Reactor, ReactorStep, Trajectory } from './reactor.ts'

/** Rows of one reading. */
const PAGE_ROWS = 500
/** Seconds that one question for the next step waits at the node. */
const WAIT_SECONDS = 25
/** Least time between two readings: the node grants 120 a minute. */
const GATHER_MS = 700
/** Time between attempts while the node does not answer. */
const RETRY_MS = 1_000

/** `live`: steps come as they are taken. `lost`: the node is asked again. `over`: no more come. */
export interface LiveTrajectory {
  readonly link: 'opening' | 'live' | 'lost' | 'over' | 'refused'
  readonly reactor?: Reactor
  readonly rows: readonly ReactorStep[]
  readonly verified?: Trajectory['verified']
  readonly problem?: Error
}

const opening: LiveTrajectory = { link: 'opening', rows: [] }

interface Reader {
  readonly session: PageSession
  readonly id: string
  readonly signal: AbortSignal
}

/** The steps after those that are there; from the beginning where the node's do not go on from them. */
const readOn = async (reader: Reader, before: readonly ReactorStep[]): Promise<LiveTrajectory> => {
  const { session, id, signal } = reader
  let rows = before
  for (;;) {
    const after = rows.length === 0 ? undefined : rows.length - 1
    const asked = { reactor: id, limit: PAGE_ROWS, after }
    const page = await session.call('GET /api/svc/reactor/trajectory', asked, { signal })
    const [first] = page.rows
    // A node whose data are older than what was read begins anew, and so does this.
    const follows = rows.length === 0 || (first?.previous ?? page.reactor.state) === rows.at(-1)?.state
    if (!follows) return readOn(reader, [])
    rows = [...rows, ...page.rows]
    if (page.next_after !== null) continue
    const { reactor, verified } = page
    return { link: reactor.ended === null ? 'live' : 'over', reactor, verified, rows }
  }
}

/** Waits at the node until there is a further step, or nothing more can come. */
const awaitNext = async ({ session, id, signal }: Reader, { rows }: LiveTrajectory): Promise<void> => {
  const after = rows.length - 1
  await session.call('GET /api/svc/reactor/next', { reactor: id, after, wait: WAIT_SECONDS }, { signal })
}

type Show = (change: (old: LiveTrajectory) => LiveTrajectory) => void

const follow = async (reader: Reader, show: Show): Promise<void> => {
  const { signal } = reader
  let rows: readonly ReactorStep[] = []
  while (!signal.aborted) {
    try {
      const found = await readOn(reader, rows)
      rows = found.rows
      show(() => found)
      if (found.link === 'over') return
      await awaitNext(reader, found)
      await sleep(GATHER_MS, signal)
      await seen(signal)
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error))
      if (isFinal(error)) return show((old) => ({ ...old, link: 'refused', problem }))
      show((old) => ({ ...old, link: 'lost', problem }))
      await sleep(RETRY_MS, signal)
    }
  }
}

/** A reactor's trajectory from its beginning, and on as steps are taken, here or by anyone else. */
export const useTrajectory = (session: PageSession, id: string): LiveTrajectory => {
  const [live, show] = useState(opening)
  const { key = session.self.kind } = session.self
  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    show(opening)
    void follow({ session, id, signal }, (change) => {
      if (!signal.aborted) show(change)
    })
    return () => over.abort()
  }, [session, id, key])
  return live
}
