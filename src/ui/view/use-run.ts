import { useRef, useState } from 'preact/hooks'
import type { JobAnswer } from '#ui/server/answer.ts'
import { Cancelled, runJob, type ShownJob } from '#ui/server/jobs.ts'
import { remember } from '#ui/server/remembered.ts'
import type { PageSession } from '#ui/session.ts'

/** Where a run stands: its job while it goes on, then its answer, its refusal, or that it was cancelled. */
export interface RunState {
  readonly busy: boolean
  readonly job?: ShownJob
  readonly answer?: JobAnswer
  /** What it was started with. */
  readonly input?: object
  readonly problem?: Error
  readonly cancelled?: boolean
}

export interface Running extends RunState {
  /** @param at another path than that of the form. */
  start(input: object, at?: string): void
  /** Ends the run at the node; nothing is charged. */
  cancel(): void
}

/** Runs of one computation, one at a time. */
export const useRun = (session: PageSession, path: string): Running => {
  const [run, show] = useState<RunState>({ busy: false })
  const stop = useRef<AbortController>(undefined)
  const start = async (input: object, at: string): Promise<void> => {
    const over = new AbortController()
    stop.current = over
    show({ busy: true })
    try {
      const { signal } = over
      const answer = await runJob({ path: at, input, session, signal, tell: (job) => show({ busy: true, job }) })
      if (session.self.kind === 'demo') remember(answer, session.node)
      show({ busy: false, answer, input })
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error))
      show(problem instanceof Cancelled ? { busy: false, cancelled: true } : { busy: false, problem })
    }
    session.settled()
  }
  return {
    ...run,
    start: (input, at = path) => {
      if (!run.busy) void start(input, at)
    },
    cancel: () => stop.current?.abort(),
  }
}
