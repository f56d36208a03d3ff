import { type Client, NodeRefusal } from '#gateway/client.ts'
import { exits } from './exit.ts'
import { CliError } from './problem.ts'
import type { JobProgress } from './progress.ts'

/** A job as the node shows it, as far as the command line reads it. */
export interface JobDocument {
  readonly id: string
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'lost'
  readonly fraction: number
  readonly step: number
  readonly steps: number
  readonly eta_seconds: number | null
  readonly reason: string | null
  readonly problem: { readonly code: string; readonly detail: string; readonly details: unknown } | null
  readonly answer: Readonly<Record<string, unknown>> & {
    readonly envelope?: {
      readonly token_id: string
      readonly hash: string
      readonly state: string
      readonly face_value: number
      readonly funding: string
    } | null
    readonly check?: { readonly measured: number; readonly against: string } | null
  }
}

export interface JobOrder {
  readonly client: Client
  readonly path: string
  readonly input: unknown
  readonly signal: AbortSignal
  readonly tell: (now: JobProgress) => void
}

const told = ({ state, fraction, step, steps, eta_seconds }: JobDocument): JobProgress => ({
  state,
  fraction: state === 'queued' ? null : fraction,
  step,
  steps,
  eta: eta_seconds,
})

/** The end of a job, or its refusal under the code that the node gave. */
const ended = (job: JobDocument): JobDocument => {
  if (job.state === 'done') return job
  throw new CliError(exits.failure, job.problem?.detail ?? job.reason ?? `the job is ${job.state}`, {
    code: job.problem?.code ?? job.state.toUpperCase(),
    job: job.id,
    ...(typeof job.problem?.details === 'object' ? job.problem.details : {}),
  })
}

/**
 * Starts a compute call as a job and follows it to its end. When the signal aborts, the job is cancelled: nothing is
 * charged.
 *
 * @throws CliError for a job that failed, NodeRefusal for a call that was refused at once.
 */
export const runAsJob = async ({ client, path, input, signal, tell }: JobOrder): Promise<JobDocument> => {
  const { status, body } = await client.send('POST', path, input, { signal, prefer: 'respond-async' })
  if (status !== 202) return { answer: body, state: 'done' } as JobDocument
  let job = body as JobDocument
  const cancel = (): void => void client.send('DELETE', `/api/jobs/${job.id}`).catch(() => undefined)
  signal.addEventListener('abort', cancel, { once: true })
  try {
    for await (const frame of client.stream('compute.job-events', { id: job.id }, { signal })) {
      job = frame.data as JobDocument
      tell(told(job))
      if (job.state !== 'queued' && job.state !== 'running') break
    }
    // Frames tell how far it is; the answer, which may be large, is fetched once.
    return ended((await client.send('GET', `/api/jobs/${job.id}`, undefined, { signal })).body as JobDocument)
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Attempts to fetch a bundle before its tick must long have been sealed. */
const BUNDLE_ATTEMPTS_MAX = 8

/** The bundle of an envelope, waiting for the checkpoint that covers it. */
export const fetchBundle = async (client: Client, token: string, signal: AbortSignal): Promise<unknown> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await client.send('GET', `/api/envelopes/${token}/bundle`, undefined, { signal })).body
    } catch (error) {
      const early = error instanceof NodeRefusal && error.retryable
      if (!early || attempt >= BUNDLE_ATTEMPTS_MAX) throw error
    }
  }
}
