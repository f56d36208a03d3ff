import Type from 'typebox'
import { Fault } from '#core/fault.ts'
import { closed, finite, integer } from '#core/schema.ts'
import { type Solver, solver } from '#numerics/runtime/solver.ts'

/** Solvers that behave as a test needs: they judge the gate, the pool and the jobs, not physics. */

const output = Type.Object({ sum: finite() })

const base = {
  revision: 1,
  title: 'Trial',
  summary: 'A sum, for tests.',
  domain: 'test',
  method: 'addition',
  operators: ['NM19'],
  unit: '1',
  kernels: ['math'],
  output,
  limits: { workAnonymousMax: 100, workMax: 1_000 },
  refuse: () => undefined,
  value: ({ sum }: { sum: number }) => sum,
} as const

const exact = (n: number): number => (n * (n + 1)) / 2

const judge = (n: number, sum: number) => ({
  against: 'the closed form of the sum',
  errorPct: (Math.abs(sum - exact(n)) / exact(n)) * 100,
  figures: { n },
})

/** 1 + 2 + … + n; `off` is added to every term, `blind` makes the check find nothing. */
const sum = solver({
  ...base,
  name: 'sum',
  input: closed({
    n: integer({ minimum: 1, maximum: 1e6, default: 100 }),
    off: finite({ default: 0 }),
    blind: Type.Boolean({ default: false }),
    work: finite({ default: 1 }),
  }),
  work: ({ work }) => work,
  refuse: ({ off }) => {
    if (off < 0) throw new Fault('UNSTABLE_STEP', 'off is below zero.', { measured: off, limit: 0, suggested: 0 })
  },
  run: {
    kind: 'whole',
    solve: ({ n, off }) => {
      let total = 0
      for (let i = 1; i <= n; i++) total += i + off
      return { output: { sum: total }, evidence: null }
    },
  },
  check: ({ n, blind }, { output: { sum: total } }) => ({
    ...judge(n, total),
    ...(blind ? { errorPct: Number.NaN } : {}),
  }),
})

/** Takes `seconds`, in steps of a millisecond, unless it is ended: a run that hears no signal. */
const slow = solver({
  ...base,
  name: 'slow',
  input: closed({ seconds: finite({ minimum: 0, maximum: 600, default: 600 }) }),
  work: () => 1,
  run: {
    kind: 'whole',
    solve: ({ seconds }, progress) => {
      const steps = Math.ceil(seconds * 1_000)
      const start = performance.now()
      for (let step = 1; step <= steps; step++) {
        while (performance.now() - start < step) {
          // Busy on purpose: nothing else may run on this thread.
        }
        progress({ step, steps, residual: 1 / step })
      }
      return { output: { sum: 1 }, evidence: null }
    },
  },
  check: () => ({ against: 'nothing', errorPct: 0, figures: {} }),
})

/** Ends its thread, throws a defect, or has nothing to seal. */
const odd = solver({
  ...base,
  name: 'odd',
  input: closed({ how: Type.Unsafe<'exit' | 'throw' | 'plain'>({ type: 'string', default: 'plain' }) }),
  work: () => 1,
  run: {
    kind: 'whole',
    solve: ({ how }) => {
      if (how === 'exit') process.exit(3)
      if (how === 'throw') throw new TypeError('a defect')
      return { output: { sum: 1 }, evidence: null, unsealed: 'There is nothing to seal.' }
    },
  },
  check: () => ({ against: 'nothing', errorPct: 0, figures: {} }),
})

export const trialSolvers = [sum, slow, odd] as unknown as readonly Solver[]
