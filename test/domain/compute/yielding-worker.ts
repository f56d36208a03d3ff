import { BroadcastChannel } from 'node:worker_threads'
import Type from 'typebox'
import { closed, finite } from '#core/schema.ts'
import { jobOf } from '#domain/compute/job-run.ts'
import { partRunOf } from '#domain/compute/part-run.ts'
import { type Solver, solver } from '#numerics/runtime/solver.ts'
import { trialSolvers } from './trial-solvers.ts'

/** Where a thread tells that it is within a step. */
export const CHANNEL = 'yielding-worker'

const tell = (name: string): void => {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(name)
  channel.close()
}

/** A solver whose second step never ends; it tells of each moment, or of none. */
const endless = (name: string, listens: boolean) =>
  solver({
    name,
    revision: 1,
    title: name,
    summary: 'A step without end, for tests.',
    domain: 'test',
    method: 'none',
    operators: ['NM19'],
    unit: '1',
    kernels: ['math'],
    input: closed({}),
    output: Type.Object({ sum: finite() }),
    limits: { workAnonymousMax: 100, workMax: 1_000 },
    work: () => 1,
    refuse: () => undefined,
    value: ({ sum }) => sum,
    check: () => ({ against: 'nothing', errorPct: 0, figures: {} }),
    run: {
      kind: 'steps',
      steps: () => 2,
      init: () => 0,
      resume: () => 0,
      advance: (_, state, __, to, progress) => {
        if (to < 2) return state
        tell(name)
        for (;;) if (listens) progress({ step: 1, steps: 2 })
      },
      bytes: () => new Uint8Array(0),
      finish: () => ({ output: { sum: 1 }, evidence: null }),
    },
  })

const all = [...trialSolvers, endless('listening', true), endless('deaf', false)] as unknown as readonly Solver[]

/** The pool's entries. */
export const job = jobOf(all)
export const part = partRunOf(all)
