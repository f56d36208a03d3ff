import { useEffect, useRef, useState } from 'preact/hooks'
import type { JobAnswer } from '#ui/server/answer.ts'
import { ApiProblem } from '#ui/server/api.ts'
import { type EndedBatch, runBatch } from '#ui/server/batch.ts'
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
  /** Gives what proves that none of the runs is missing; absent until all are over. */
  readonly ended?: EndedBatch
}

/** Runs that differ in one input, opened together: each is sealed and charged by itself, and none can be left out. */
export const useSweep = (session: PageSession, path: string) => {
  const [state, show] = useState<SweepState>({ busy: false, runs: [], said: '' })
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const put = (at: number, came: Pick<SweepRun, 'answer' | 'problem'>): void =>
    show((old) => ({ ...old, runs: old.runs.map((it, i) => (i === at ? { ...it, ...came } : it)) }))
  const start = async (runs: readonly SweepRun[]): Promise<void> => {
    const over = new AbortController()
    stop.current = over
    show({ busy: true, runs, said: '' })
    const end = (last: Pick<SweepState, 'said' | 'ended'>): void => show((old) => ({ ...old, busy: false, ...last }))
    try {
      const inputs = runs.map(({ input }) => input)
      const ended = await runBatch({ path, inputs, session, signal: over.signal, tell: put })
      end({ said: 'Done.', ended })
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error))
      // Of one run that is refused before the first, the others are not run either.
      const at = problem instanceof ApiProblem ? problem.members['index'] : undefined
      if (typeof at === 'number') put(at, { problem })
      end({
        said: over.signal.aborted ? 'The rest goes on; you find it among your receipts.' : `Ended: ${problem.message}`,
      })
    } finally {
      session.settled()
    }
  }
  return {
    ...state,
    start: (runs: readonly SweepRun[]) => {
      if (!state.busy) void start(runs)
    },
    leave: () => stop.current?.abort(),
  }
}
