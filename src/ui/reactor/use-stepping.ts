import { useEffect, useRef, useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import type { JobAnswer } from '#ui/server/answer.ts'
import { Cancelled, runJob, type ShownJob, untilAnswered } from '#ui/server/jobs.ts'
import type { PageSession } from '#ui/session.ts'

/** A step that was taken here: what it began with, and the answer of the solver. */
export interface TakenStep {
  readonly step: number
  readonly input: object
  readonly answer: JobAnswer
}

interface State {
  readonly busy: boolean
  /** Steps to take, and those taken. */
  readonly wanted: number
  readonly done: number
  readonly job?: ShownJob
  readonly taken?: TakenStep
  readonly problem?: Error
  readonly stopped?: boolean
}

export interface Stepping extends State {
  /** Takes steps one after the other, from the one after `from`. */
  start(from: number, wanted: number): void
  /** Ends the step that is under way, for which nothing is charged, and takes no further one. */
  stop(): void
}

type StepAnswer = JobAnswer & Pick<ResultAt<'POST /api/svc/reactor/step'>, 'reactor'>

interface Order {
  readonly session: PageSession
  readonly id: string
  readonly step: number
  readonly signal: AbortSignal
  readonly tell: (job: ShownJob) => void
}

/** Takes one step of a given number: asked again after a restart of the node, it is not taken twice. */
const takeStep = async ({ session, id, step, signal, tell }: Order) => {
  const state = await untilAnswered(
    () => session.call('GET /api/svc/reactor/state', { reactor: id }, { signal }),
    signal,
  )
  const input = state.input as object
  const order = { path: '/api/svc/reactor/step', input: { reactor: id, step }, session, signal, tell }
  const answer = (await runJob(order)) as StepAnswer
  return { taken: { step, input, answer }, goesOn: answer.reactor?.status === 'ready' }
}

/** Steps of one reactor that are taken from here. They end with the view. */
export const useStepping = (session: PageSession, id: string): Stepping => {
  const [state, show] = useState<State>({ busy: false, wanted: 0, done: 0 })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [id])
  const run = async (from: number, wanted: number): Promise<void> => {
    const over = new AbortController()
    running.current = over
    const { signal } = over
    let now: State = { busy: true, wanted, done: 0 }
    const set = (change: Partial<State>): void => {
      now = { ...now, ...change }
      show(now)
    }
    set({})
    try {
      for (let done = 0; done < wanted && !signal.aborted; ) {
        const tell = (job: ShownJob): void => set({ job })
        const { taken, goesOn } = await takeStep({ session, id, step: from + done + 1, signal, tell })
        done += 1
        set({ done, taken })
        if (!goesOn) break
      }
      set({ busy: false, stopped: signal.aborted })
    } catch (error) {
      const stopped = signal.aborted || error instanceof Cancelled
      const problem = error instanceof Error ? error : new Error(String(error))
      set(stopped ? { busy: false, stopped } : { busy: false, problem })
    }
    session.settled()
  }
  return {
    ...state,
    start: (from, wanted) => {
      if (!state.busy) void run(from, wanted)
    },
    stop: () => running.current?.abort(),
  }
}
