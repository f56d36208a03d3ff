import { useRef, useState } from 'preact/hooks'
import type { Answer } from '#ui/server/answer.ts'
import { Cancelled, type Job, runJob } from '#ui/server/jobs.ts'
import type { Session } from '#ui/session.ts'

/** Where a run stands: its job while it goes on, then its answer, its refusal, or that it was cancelled. */
export interface Run {
  readonly busy: boolean
  readonly job?: Job
  readonly answer?: Answer
  /** What it was started with. */
  readonly input?: object
  readonly problem?: Error
  readonly cancelled?: boolean
}

export interface Running extends Run {
  start(input: object): void
  /** Ends the run at the node; nothing is charged. */
  cancel(): void
}

/** Runs of one computation, one at a time. */
export const useRun = (session: Session, path: string): Running => {
  const [run, show] = useState<Run>({ busy: false })
  const stop = useRef<AbortController>(undefined)
  const start = async (input: object): Promise<void> => {
    const over = new AbortController()
    stop.current = over
    show({ busy: true })
    try {
      const { signal } = over
      const answer = await runJob({ path, input, session, signal, tell: (job) => show({ busy: true, job }) })
      show({ busy: false, answer, input })
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error))
      show(problem instanceof Cancelled ? { busy: false, cancelled: true } : { busy: false, problem })
    }
    session.settled()
  }
  return {
    ...run,
    start: (input) => {
      if (!run.busy) void start(input)
    },
    cancel: () => stop.current?.abort(),
  }
}
