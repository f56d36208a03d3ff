import type { ResultAt } from '#api/result-of.ts'
import { call } from '#ui/server/api.ts'
import { isVisitor } from '#ui/server/self.ts'
import type { PageSession } from '#ui/session.ts'
import { leavesByMinute } from './rate.ts'

/** Checkpoints that are read for the chart: a busy node signs one a tick. */
const SEALS = 200
/** Rows of a list here; the rest is behind its link. */
export const ROWS = 5

/** What a node does now. */
export interface NodeNow {
  readonly status: ResultAt<'GET /api/daemon/status'>
  readonly minutes: readonly number[]
  readonly moved: ResultAt<'GET /api/chain/recent'>['rows']
}

/** Reads what the node does now. @throws ApiProblem, NodeGone, the signal's reason */
export const readNode = async (signal: AbortSignal): Promise<NodeNow> => {
  const [status, { seals }, { rows }] = await Promise.all([
    call('GET /api/daemon/status', {}, { signal }),
    call('GET /api/chain/seal', { seals: SEALS }, { signal }),
    call('GET /api/chain/recent', { limit: SEALS }, { signal }),
  ])
  const newest = new Map(rows.toReversed().map((it) => [it.slug, it]))
  const moved = [...newest.values()].toSorted((a, b) => b.tickNumber - a.tickNumber).slice(0, ROWS)
  return { status, minutes: leavesByMinute(seals, status.tick), moved }
}

/** What is this browser's own: its receipts, its jobs, its machines, its credits. */
export interface OwnNow {
  readonly credits: ResultAt<'GET /api/credits/status'>
  readonly receipts: ResultAt<'GET /api/tally/envelopes/{zid}'>
  readonly jobs: readonly ResultAt<'GET /api/jobs'>['jobs'][number][]
}

/** The shared demo key has neither jobs nor receipts of its own. */
const SHARED: Pick<OwnNow, 'jobs'> = { jobs: [] }

/** Reads what is this browser's own; nothing for a visitor. @throws ApiProblem, NodeGone, the signal's reason */
export const readOwn = async (session: PageSession, signal: AbortSignal): Promise<OwnNow | undefined> => {
  const { self } = session
  if (isVisitor(self)) return undefined
  const credits = await session.call('GET /api/credits/status', {}, { signal })
  const shared = credits.calls_left_today !== null
  // Together, so that none of them fails unheard when the view is left.
  const [receipts, { jobs }] = await Promise.all([
    session.call('GET /api/tally/envelopes/{zid}', { zid: self.zid, limit: ROWS }, { signal }),
    shared ? SHARED : session.call('GET /api/jobs', { limit: ROWS, offset: 0 }, { signal }),
  ])
  return { credits, receipts, jobs }
}
