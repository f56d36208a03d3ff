import { useEffect, useState } from 'preact/hooks'
import type { Simulation } from '#numerics/contracts/fire/simulation.ts'
import { askWorker } from '#ui/part/ask-worker.ts'
import type { JudgedText } from './judge.ts'
import type { Looked, PlanQuestion, Simulated } from './plan.ts'
import { nowSeconds } from './use-judged.ts'

const startPlan = (): Worker => new Worker(new URL('./plan-worker.ts', import.meta.url), { type: 'module' })
const missing = 'What plans contracts could not be loaded.'

const ask = <Found>(question: PlanQuestion, signal: AbortSignal): Promise<Found> =>
  askWorker<Found>(startPlan, question, { tell: () => undefined, signal, missing })

/** What is known of a version before it is deployed, and where that stands. */
export interface LookingAtPlan {
  readonly looked: Looked | undefined
  readonly version: string | undefined
  readonly problem: string | undefined
}

/** Looks ahead for a version: what can go wrong, what it costs, when it fires. An older look is given up. */
export const useLook = (contract: JudgedText['contract']): LookingAtPlan => {
  const [looking, show] = useState<LookingAtPlan>({ looked: undefined, version: undefined, problem: undefined })
  const version = contract?.version
  useEffect(() => {
    if (contract === undefined) return
    const over = new AbortController()
    const { signal } = over
    ask<Looked>({ kind: 'look', ...contract, now: nowSeconds() }, signal).then(
      (looked) => show({ looked, version, problem: undefined }),
      (error: Error) => {
        if (!signal.aborted) show((old) => ({ ...old, problem: error.message }))
      },
    )
    return () => over.abort()
  }, [version])
  return looking
}

export type Played = Simulation & { readonly from: number }

/** Simulates in a worker. @throws Error where it met a defect, or the signal's reason */
export const simulateThere = (it: Simulated, signal: AbortSignal): Promise<Played> =>
  ask<Played>({ kind: 'simulate', ...it }, signal)
