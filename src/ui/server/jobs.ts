import { type FaultCode, faults } from '#core/fault.ts'
import type { Session } from '#ui/session.ts'
import { ApiProblem, framesOf, jsonOf, NodeGone } from './api.ts'
import { freshName } from './fresh-name.ts'
import { pause } from './pause.ts'
import type { Answer } from './shapes.ts'

/** A job as the node shows it, as far as the page reads it. */
export interface Job {
  readonly id: string
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'lost'
  readonly fraction: number
  readonly step: number
  readonly steps: number
  readonly eta: number | null
  readonly reason: string | null
  readonly problem: { readonly code: string; readonly detail: string; readonly details: object } | null
  readonly answer: Answer | null
}

export interface JobOrder {
  readonly path: string
  readonly input: unknown
  readonly session: Session
  /** Aborting it cancels the job at the node: nothing is charged. */
  readonly signal: AbortSignal
  readonly tell: (job: Job) => void
}

/** A run that its caller ended. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** Attempts to reach a node that went away, and the time between them: a restart takes seconds. */
const ATTEMPTS_MAX = 120
const PAUSE_MS = 1000

const isOver = ({ state }: Job): boolean => state !== 'queued' && state !== 'running'

/** Makes a call until the node answers it. A call with an Idempotency-Key is made once however often it is sent. */
export const untilAnswered = async <T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof NodeGone) || attempt >= ATTEMPTS_MAX || signal.aborted) throw error
      await pause(PAUSE_MS, signal)
    }
  }
}

const begin = ({ path, input, session, signal }: JobOrder): Promise<Job & Answer> => {
  const headers = { Prefer: 'respond-async', 'Idempotency-Key': freshName() }
  return untilAnswered(() => session.send<Job & Answer>(path, { method: 'POST', body: input, headers }), signal)
}

/** Tells of a job until it is over. A stream that breaks off is taken up where it was. */
const follow = async (own: string, { session, signal, tell }: JobOrder): Promise<void> => {
  let last: string | undefined
  await untilAnswered(async () => {
    const headers = { Accept: 'text/event-stream', ...(last !== undefined && { 'Last-Event-ID': last }) }
    const response = await session.request(`${own}/events`, { headers })
    for await (const { id, event, data } of framesOf<Job>(response)) {
      last = id ?? last
      if (event !== 'progress' && event !== 'state') continue
      tell(data)
      if (isOver(data)) return
    }
    throw new NodeGone('The stream of events ended before the job.')
  }, signal)
}

const statusOf = (code: string): number => (Object.hasOwn(faults, code) ? faults[code as FaultCode].status : 500)

/** The answer of a job that is over. @throws ApiProblem under the code that the node gave, or Cancelled. */
const answerOf = ({ state, answer, problem, reason }: Job): Answer => {
  if (state === 'done' && answer !== null) return answer
  if (state === 'cancelled') throw new Cancelled('The run was cancelled; nothing was charged.')
  const code = problem?.code ?? state.toUpperCase()
  const detail = problem?.detail ?? reason ?? `The job is ${state}.`
  throw new ApiProblem(statusOf(code), { ...problem?.details, code, detail })
}

/** Runs a computation as a job and follows it. @throws ApiProblem, NodeGone, Cancelled */
export const runJob = async (order: JobOrder): Promise<Answer> => {
  const { session, signal } = order
  const begun = await begin(order)
  // An answer that was there at once has no state.
  if (begun.state === undefined) return begun
  const own = `/api/jobs/${begun.id}`
  const cancel = (): void => void session.request(own, { method: 'DELETE' }).catch(() => undefined)
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    await follow(own, order)
    const ended = await untilAnswered(() => session.request(own), signal)
    return answerOf(await jsonOf<Job>(ended))
  } catch (error) {
    throw signal.aborted && error instanceof NodeGone ? new Cancelled('The run was given up.') : error
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
