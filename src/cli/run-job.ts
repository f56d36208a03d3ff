import type { ResultOf } from '#api/result-of.ts'
import { type Client, NodeRefusal, NodeUnreachable } from '#gateway/client.ts'
import { exits } from './exit.ts'
import { CliError } from './problem.ts'
import type { JobProgress } from './progress.ts'

/** A job as the node tells of it: how far it is, without its answer. */
export type FollowedJob = ResultOf<'compute.job-events'>

/** An answer of a computation. */
export type ComputeAnswer = NonNullable<ResultOf<'compute.job'>['answer']>

/** A computation to run. */
export interface JobOrder {
  readonly client: Client
  readonly path: string
  readonly input: unknown
  readonly idempotencyKey?: string
  /** Preferences beside that of a job, as the header says them (RFC 7240). */
  readonly prefer?: string
}

/** How a job is watched. */
export interface FollowOptions {
  readonly client: Client
  readonly signal: AbortSignal
  readonly tell: (now: JobProgress) => void
  /** How long; the job goes on without its watcher after that. Without a limit when left out. */
  readonly waitMs?: number
  /** Whether an interruption cancels the job, or only ends the watching. */
  readonly cancels: boolean
}

/** Longest time for one attempt at cancelling: whoever interrupts does not want to wait. */
const CANCEL_TIMEOUT_MS = 5_000

const progressOf = ({ state, fraction, step, steps, eta }: FollowedJob): JobProgress => ({
  state,
  fraction: state === 'queued' ? null : fraction,
  step,
  steps: steps === 0 ? null : steps,
  eta,
})

/** The answer of a job that is over, or its refusal under the code that the node gave. */
const answerOf = ({ id, state, answer, problem, reason }: ResultOf<'compute.job'>): ComputeAnswer => {
  if (state === 'done' && answer !== null) return answer
  const code = problem?.code ?? `JOB_${state.toUpperCase()}`
  const detail = problem?.detail ?? reason ?? `The job is ${state}.`
  throw new CliError(exits.failure, `${code}: ${detail}`, {
    code,
    details: { job: id, ...(problem?.details as object | undefined) },
  })
}

/** A job by its id. @throws NodeRefusal NOT_FOUND for none of this caller's. */
export const readJob = (client: Client, id: string, signal?: AbortSignal): Promise<ResultOf<'compute.job'>> =>
  client.call('compute.job', { id }, signal === undefined ? {} : { signal })

/** Cancels a job. @returns what became of it, in words. */
const cancel = async (client: Client, id: string): Promise<string> => {
  try {
    await client.call('compute.job-cancel', { id }, { timeoutMs: CANCEL_TIMEOUT_MS })
    return 'the job is cancelled and nothing was charged'
  } catch (error) {
    if (!(error instanceof NodeRefusal && error.code === 'JOB_FINISHED')) {
      return `job ${id} could not be cancelled: ${error instanceof Error ? error.message : String(error)}`
    }
    const { token_id: token } = await readJob(client, id)
    return token === null ? 'the job was over already' : `the job was done already and sealed envelope ${token}`
  }
}

/** The reason of an interruption, with what came of it. */
const interrupted = ({ reason }: AbortSignal, what: string, details: object): unknown => {
  if (!(reason instanceof CliError)) return reason
  return new CliError(reason.exit, `${reason.message}: ${what}`, { code: reason.code, details: { ...details } })
}

/** How to come back to a job that goes on. */
const reattach = (id: string): string => `job ${id} goes on; come back to it with: tickmesh jobs wait ${id}`

/** What came of a call: a job, or the answer at once. */
type Begun =
  | { readonly job: FollowedJob; readonly answer?: undefined }
  | { readonly job?: undefined; readonly answer: ComputeAnswer }

/**
 * Begins a computation as a job. The call is not tied to a signal: one that is cut off may have begun a job, and one
 * without a known id runs on.
 *
 * @returns the job, or the answer of a call that was done at once.
 */
export const beginJob = async ({ client, path, input, idempotencyKey, prefer: more }: JobOrder): Promise<Begun> => {
  const named = idempotencyKey === undefined ? {} : { idempotencyKey }
  const prefer = ['respond-async', ...(more === undefined ? [] : [more])].join(', ')
  const { status, body } = await client.send('POST', path, input, { prefer, ...named })
  return status === 202 ? { job: body as FollowedJob } : { answer: body as ComputeAnswer }
}

const isOver = ({ state }: FollowedJob): boolean => state !== 'queued' && state !== 'running'

/** Why a node tells no more of a job that is not over: it stops, or can write no more; the job is begun anew. */
const brokenOff = async (client: Client, id: string, signal: AbortSignal): Promise<CliError> => {
  const { checks } = await client.call('explorer.health', {}, { signal })
  const why = checks.filter(({ ok }) => !ok).map(({ detail }) => detail)
  const message = [`job ${id} was broken off`, ...why, 'It runs again when the node is started again.'].join('. ')
  return new CliError(exits.failure, message.replaceAll('..', '.'), { code: 'JOB_BROKEN_OFF', details: { job: id } })
}

/** Tells of a job until it is over. Frames tell how far it is; the answer, which may be large, is fetched once. */
const watch = async (
  job: FollowedJob,
  { client, tell }: FollowOptions,
  signal: AbortSignal,
): Promise<ComputeAnswer> => {
  const { id } = job
  tell(progressOf(job))
  if (!isOver(job)) {
    for await (const { data } of client.stream('compute.job-events', { id }, { signal })) {
      const now = data as FollowedJob
      tell(progressOf(now))
      if (isOver(now)) break
    }
  }
  const end = await readJob(client, id, signal)
  if (!isOver(end)) throw await brokenOff(client, id, signal)
  return answerOf(end)
}

/**
 * Follows a job to its end.
 *
 * @throws CliError for a job that failed, was interrupted, or goes on without its watcher (`STILL_RUNNING`).
 */
export const followJob = async (job: FollowedJob, watching: FollowOptions): Promise<ComputeAnswer> => {
  const { client, signal, waitMs, cancels } = watching
  const { id } = job
  const late = waitMs === undefined ? undefined : AbortSignal.timeout(waitMs)
  try {
    return await watch(job, watching, late === undefined ? signal : AbortSignal.any([signal, late]))
  } catch (error) {
    if (signal.aborted) throw interrupted(signal, cancels ? await cancel(client, id) : reattach(id), { job: id })
    if (late?.aborted === true)
      throw new CliError(exits.tryLater, reattach(id), { code: 'STILL_RUNNING', details: { job: id } })
    if (!(error instanceof NodeUnreachable)) throw error
    const message = `${error.message}; the job goes on when the node is back: /api/jobs/${id}`
    throw new CliError(exits.network, message, { code: 'UNREACHABLE', details: { job: id } })
  }
}

/** Attempts to fetch a bundle before its tick must long have been sealed. */
const BUNDLE_ATTEMPTS_MAX = 8

/** The bundle of an envelope, waiting for the checkpoint that covers it. */
export const fetchBundle = async (client: Client, token: string, signal: AbortSignal): Promise<unknown> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.call('compute.bundle', { token_id: token }, { signal })
    } catch (error) {
      if (signal.aborted) throw interrupted(signal, `envelope ${token} is sealed all the same`, { token_id: token })
      const early = error instanceof NodeRefusal && error.code === 'NOT_SEALED_YET'
      if (!early || attempt >= BUNDLE_ATTEMPTS_MAX) throw error
    }
  }
}
