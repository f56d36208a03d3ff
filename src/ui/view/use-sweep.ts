import { useEffect, useRef, useState } from 'preact/hooks'
import type { JobAnswer } from '#ui/server/answer.ts'
import { ApiProblem } from '#ui/server/api.ts'
import { Cancelled, runJob } from '#ui/server/jobs.ts'
import type { PageSession } from '#ui/session.ts'

/** One run of a sweep: the varied number, the whole input, and what came of it. */
export interface SweepRun {
  readonly x: number
  readonly input: object
  readonly answer?: JobAnswer
  readonly problem?: Error
}

interface SweepState {
  readonly busy: boolean
  readonly runs: readonly SweepRun[]
  readonly said: string
}

/** Refusals that hold for every further run as well: going on would only repeat them. */
const endsAll = (problem: Error): boolean =>
  !(problem instanceof ApiProblem) || [401, 402, 403, 429, 503].includes(problem.status)

/** Runs that differ in one input, one after another, each sealed and charged by itself. */
export const useSweep = (session: PageSession, path: string) => {
  const [state, show] = useState<SweepState>({ busy: false, runs: [], said: '' })
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const put = (at: number, run: SweepRun): void =>
    show((old) => ({ ...old, runs: old.runs.map((it, i) => (i === at ? run : it)) }))
  const start = async (runs: readonly SweepRun[]): Promise<void> => {
    const over = new AbortController()
    stop.current = over
    show({ busy: true, runs, said: '' })
    let said = 'Done.'
    for (const [at, run] of runs.entries()) {
      try {
        const answer = await runJob({ path, input: run.input, session, signal: over.signal, tell: () => undefined })
        put(at, { ...run, answer })
      } catch (error) {
        const problem = error instanceof Error ? error : new Error(String(error))
        if (problem instanceof Cancelled || over.signal.aborted) {
          said = 'Cancelled; what is done stays.'
          break
        }
        put(at, { ...run, problem })
        if (!endsAll(problem)) continue
        said = `Ended: ${problem.message}`
        break
      } finally {
        session.settled()
      }
    }
    show((old) => ({ ...old, busy: false, said }))
  }
  return {
    ...state,
    start: (runs: readonly SweepRun[]) => {
      if (!state.busy) void start(runs)
    },
    cancel: () => stop.current?.abort(),
  }
}
