import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import type { JobRow, JobState } from '#store/rows/job.ts'
import type { Report } from './task.ts'
import type { JobView } from './views/jobs.ts'

/** Whether nothing more will happen to a job. */
export const isOver = (state: JobState): boolean => state !== 'queued' && state !== 'running'

/** Whose job it is: the paying account, a machine's own key, or the address bucket of who has neither. */
export const ownerOf = (caller: Caller): string => {
  if (caller.kind === 'anonymous' || caller.shared) return `${caller.kind}:${caller.bucket}`
  if (caller.kind === 'channel') return `channel:${caller.keyId}`
  return caller.kind === 'machine' ? `machine:${caller.keyId}` : caller.account
}

/** The last word of a job that ended with a throw. */
export const endingOf = (cause: unknown): Pick<JobRow, 'state' | 'reason' | 'problem'> => {
  if (!(cause instanceof Fault)) {
    const detail = 'The node met a defect of its own; nothing was charged.'
    return { state: 'failed', reason: detail, problem: { code: 'INTERNAL', detail, details: {} } }
  }
  if (cause.code === 'JOB_CANCELLED') return { state: 'cancelled', reason: cause.message, problem: null }
  const details = JSON.parse(JSON.stringify(cause.details)) as Json
  return { state: 'failed', reason: cause.message, problem: { code: cause.code, detail: cause.message, details } }
}

const etaOf = ({ step, steps, elapsedMs }: Report): number | null =>
  step === 0 ? null : (elapsedMs / 1_000) * ((steps - step) / step)

const WAITS = 'It waits for a worker thread.'

/** A job as its owner sees it. @param report the newest of the run in hand, if there is one. */
export const viewOf = (row: JobRow, report: Report | undefined): JobView => {
  const started = report !== undefined
  const state = row.state === 'queued' && started ? 'running' : row.state
  const done = state === 'done'
  return {
    id: row.id,
    state,
    route: row.route,
    kind: row.recipe.name,
    created_tick: row.created_tick,
    ended_tick: row.ended_tick,
    fraction: done ? 1 : started && report.steps > 0 ? report.step / report.steps : 0,
    step: (done ? report?.steps : report?.step) ?? 0,
    steps: report?.steps ?? 0,
    eta: isOver(state) || report === undefined ? null : etaOf(report),
    residual: report?.residual ?? null,
    reason: state === 'queued' ? (row.reason ?? WAITS) : row.reason,
    problem: row.problem,
    token_id: row.token_id,
  }
}
