import type { ResultAt } from '#api/result-of.ts'
import type { WorkToDo } from '#core/proof-of-work.ts'
import { type LaneReply, type StartLane, type WorkProgress, workAndAnswer } from '#core/work-crew.ts'
import { ApiProblem } from '#ui/server/api.ts'
import type { PageSession } from '#ui/session.ts'

/** Workers of one search at most. */
const WORKERS_MAX = 16

const startWorker: StartLane = (order, { reply, failed }) => {
  const worker = new Worker(new URL('./claim-worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<LaneReply>) => reply(data)
  worker.onerror = (event) => failed(new Error(event.message || 'The work could not be done here.'))
  worker.postMessage(order)
  return { end: () => worker.terminate() }
}

/** One processor stays for the page. */
const workers = (): number => Math.min(WORKERS_MAX, Math.max(1, (navigator.hardwareConcurrency || 1) - 1))

/** How the work on a challenge goes. */
export interface Working extends WorkProgress {
  readonly bits: number
}

/** The claim is not open any more: another tab or program was first. */
const CLOSED = 'The claim is not open now.'

/**
 * Claims the credits of the day for whoever the page acts as: asks, works in workers, answers.
 *
 * @returns nothing when challenge after challenge lapsed.
 * @throws ApiProblem, NodeGone, the signal's reason, or an error that says why nothing is to be claimed.
 */
export const claimHere = (
  session: PageSession,
  { signal, tell }: { readonly signal: AbortSignal; readonly tell: (now: Working) => void },
): Promise<ResultAt<'POST /api/credits/claim'> | undefined> => {
  let bits = 0
  const ask = async (): Promise<WorkToDo> => {
    const { challenge } = (await session.call('GET /api/credits/status', {}, { signal })).claim
    if (challenge === null) throw new Error(CLOSED)
    bits = challenge.bits
    return challenge
  }
  return workAndAnswer({
    ask,
    answer: (found) => session.call('POST /api/credits/claim', found),
    refusalOf: (error) => (error instanceof ApiProblem ? error.members : undefined),
    after: (ms) => AbortSignal.timeout(ms),
    search: { lanes: workers(), start: startWorker, signal, tell: (now) => tell({ bits, ...now }) },
  })
}
