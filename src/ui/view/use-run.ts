import { useRef, useState } from 'preact/hooks'
import type { JobAnswer } from '#ui/server/answer.ts'
import { Cancelled, runJob, type ShownJob } from '#ui/server/jobs.ts'
import { remember } from '#ui/server/remembered.ts'
import type { PageSession } from '#ui/session.ts'

/** A run that came to an answer, and what it was started with. */
export interface Done {
  readonly answer: JobAnswer
  readonly input: object
}

/** A run that was refused, and what it was started with. */
export interface Refused {
  readonly problem: Error
  readonly input: object
}

/** Where a run stands: its job while it goes on, then its answer, its refusal, or that it was cancelled. */
export interface RunState {
  readonly busy: boolean
  readonly job?: ShownJob
  /** The newest answer; it stays while another run goes on, and when that one is refused. */
  readonly done?: Done
  /** The answer before it. */
  readonly earlier?: Done
  readonly refused?: Refused
  readonly cancelled?: boolean
}

export interface Running extends RunState {
  /** @param at another path than that of the form. */
  start(input: object, at?: string): void
  /** Ends the run at the node; nothing is charged. */
  cancel(): void
}

/** Answers without what only the last run said. */
const answersOf = ({ done, earlier }: RunState): Pick<RunState, 'done' | 'earlier'> => ({
  ...(done !== undefined && { done }),
  ...(earlier !== undefined && { earlier }),
})

/** Runs of one computation, one at a time. */
export const useRun = (session: PageSession, path: string): Running => {
  const [run, show] = useState<RunState>({ busy: false })
  const stop = useRef<AbortController>(undefined)
  const start = async (input: object, at: string): Promise<void> => {
    const over = new AbortController()
    stop.current = over
    show((old) => ({ ...answersOf(old), busy: true }))
    try {
      const { signal } = over
      const tell = (job: ShownJob): void => show((old) => ({ ...answersOf(old), busy: true, job }))
      const answer = await runJob({ path: at, input, session, signal, tell })
      if (session.self.kind === 'demo') remember(answer, session.node)
      show(({ done }) => ({ busy: false, done: { answer, input }, ...(done !== undefined && { earlier: done }) }))
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error))
      show((old) => ({
        ...answersOf(old),
        busy: false,
        ...(problem instanceof Cancelled ? { cancelled: true } : { refused: { problem, input } }),
      }))
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
