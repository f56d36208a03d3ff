import type { ResultAt } from '#api/result-of.ts'
import { type FaultCode, faults } from '#core/fault.ts'
import { sleep } from '#core/wait.ts'
import type { PageSession } from '#ui/session.ts'
import type { JobAnswer } from './answer.ts'
import { ApiProblem, callOf, framesOf, jsonOf, NodeGone } from './api.ts'
import { freshName } from './fresh-name.ts'

/** A job as the node tells of it: how far it is, without its answer. */
export type ShownJob = ResultAt<'GET /api/jobs/{id}/events'>

export interface PageOrder {
  readonly path: string
  readonly input: unknown
  readonly session: PageSession
  /** Aborting it cancels the job at the node: nothing is charged. */
  readonly signal: AbortSignal
  readonly tell: (job: ShownJob) => void
}

/** A run that its caller ended. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** Attempts to reach a node that went away, and the time between them: a restart takes seconds. */
const ATTEMPTS_MAX = 120
const PAUSE_MS = 1000

const isOver = ({ state }: ShownJob): boolean => state !== 'queued' && state !== 'running'

/** Makes a call until the node answers it. A call with an Idempotency-Key is made once however often it is sent. */
export const untilAnswered = async <T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof NodeGone) || attempt >= ATTEMPTS_MAX || signal.aborted) throw error
      await sleep(PAUSE_MS, signal)
    }
  }
}

/** What a call comes to at once: the job that it has become, or the answer, which has no state. */
type Begun = ShownJob | (JobAnswer & { readonly state?: never })

const begin = async ({ path, input, session, signal }: PageOrder): Promise<Begun> => {
  const headers = { Prefer: 'respond-async', 'Idempotency-Key': freshName() }
  return jsonOf<Begun>(
    await untilAnswered(() => session.request({ method: 'POST', path, body: input }, { headers }), signal),
  )
}

/** Tells of a job until it is over. A stream that breaks off is taken up where it was. */
const follow = async (id: string, { session, signal, tell }: PageOrder): Promise<void> => {
  let last: string | undefined
  await untilAnswered(async () => {
    const headers = { Accept: 'text/event-stream', ...(last !== undefined && { 'Last-Event-ID': last }) }
    const response = await session.request(callOf('GET /api/jobs/{id}/events', { id }), { headers })
    for await (const { id: at, event, data } of framesOf<ShownJob>(response)) {
      last = at ?? last
      if (event !== 'progress' && event !== 'state') continue
      tell(data)
      if (isOver(data)) return
    }
    throw new NodeGone('The stream of events ended before the job.')
  }, signal)
}

const statusOf = (code: string): number => (Object.hasOwn(faults, code) ? faults[code as FaultCode].status : 500)

/** The answer of a job that is over. @throws ApiProblem under the code that the node gave, or Cancelled. */
const answerOf = ({ state, answer, problem, reason }: ResultAt<'GET /api/jobs/{id}'>): JobAnswer => {
  if (state === 'done' && answer !== null) return answer
  if (state === 'cancelled') throw new Cancelled('The run was cancelled; nothing was charged.')
  const code = problem?.code ?? state.toUpperCase()
  const detail = problem?.detail ?? reason ?? `The job is ${state}.`
  throw new ApiProblem(statusOf(code), { ...(problem?.details as object | undefined), code, detail })
}

/** Runs a computation as a job and follows it. @throws ApiProblem, NodeGone, Cancelled */
export const runJob = async (order: PageOrder): Promise<JobAnswer> => {
  const { session, signal } = order
  const begun = await begin(order)
  // An answer that was there at once has no state.
  if (begun.state === undefined) return begun
  const { id } = begun
  const cancel = (): void => void session.call('DELETE /api/jobs/{id}', { id }).catch(() => undefined)
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    await follow(id, order)
    return answerOf(await untilAnswered(() => session.call('GET /api/jobs/{id}', { id }), signal))
  } catch (error) {
    throw signal.aborted && error instanceof NodeGone ? new Cancelled('The run was given up.') : error
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
