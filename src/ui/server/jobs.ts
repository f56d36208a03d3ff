import { ApiProblem, type Credential, frames, send } from './api.ts'
import type { Answer } from './shapes.ts'

/** A job as the node shows it, as far as the page reads it. */
export interface Job {
  readonly id: string
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'lost'
  readonly fraction: number
  readonly step: number
  readonly steps: number
  readonly eta_seconds: number | null
  readonly reason: string | null
  readonly problem: { readonly code: string; readonly detail: string; readonly details: object } | null
  readonly answer: Answer | null
}

export interface JobOrder {
  readonly path: string
  readonly input: unknown
  readonly credential: Credential
  readonly signal: AbortSignal
  readonly tell: (job: Job) => void
}

const over = ({ state }: Job): boolean => state !== 'queued' && state !== 'running'

/** Runs a computation as a job and follows it. @throws ApiProblem under the code that the node gave. */
export const runJob = async ({ path, input, credential, signal, tell }: JobOrder): Promise<Answer> => {
  const begun = await send<Job & Answer>(path, {
    method: 'POST',
    body: input,
    credential,
    headers: { Prefer: 'respond-async', 'Idempotency-Key': crypto.randomUUID() },
  })
  // An answer that was there at once has no state.
  if (begun.state === undefined) return begun
  const own = `/api/jobs/${begun.id}`
  const cancel = (): void => void send(own, { method: 'DELETE', credential }).catch(() => undefined)
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    for await (const job of frames<Job>(`${own}/events`, { credential })) {
      tell(job)
      if (over(job)) break
    }
    const { state, answer, problem, reason } = await send<Job>(own, { credential })
    if (state === 'done' && answer !== null) return answer
    const code = problem?.code ?? state.toUpperCase()
    throw new ApiProblem(422, {
      code,
      detail: problem?.detail ?? reason ?? `The job is ${state}.`,
      ...problem?.details,
    })
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
