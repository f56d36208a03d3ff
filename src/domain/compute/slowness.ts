import { secondsOf } from '#core/time.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import type { Paced } from './paces.ts'
import type { Pool } from './pool.ts'

/** Small computations of three makes: a kernel over a grid, many small steps, a run with its check; 2 s in all. */
const PROBES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  heat: { nx: 256, ny: 256, steps: 400 },
  lotka: { t_max: 1_000, outputs: 2_000 },
  react: { n: 64, steps: 200 },
}
/** The first run of a thread compiles; the best of the others is the machine's. */
const ROUNDS = 3

interface Probing {
  readonly solvers: readonly Solver[]
  readonly pool: Pool
  readonly now: () => bigint
  /** What is expected of a computation on the reference machine, in seconds. */
  readonly expect: (run: Paced) => number
}

/**
 * Measures how many times as long this machine takes as the reference machine: the mean over a few small computations,
 * in a thread like any other.
 *
 * @throws the signal's reason; Fault NODE_BUSY where others wait.
 */
export const measureSlowness = async (
  { solvers, pool, now, expect }: Probing,
  signal: AbortSignal,
): Promise<number> => {
  const shares: number[] = []
  for (const [kind, given] of Object.entries(PROBES)) {
    const solver = solvers.find((it) => it.name === kind)
    if (solver === undefined) continue
    const inputs = resolveInput(solver, given) as Paced['recipe']['inputs']
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUNDS; round++) {
      let from = now()
      await pool.run(
        { name: kind, inputs },
        {
          signal,
          onReport: ({ step }) => {
            if (step === 0) from = now() // waiting for a thread says nothing about how fast one is
          },
        },
      )
      best = Math.min(best, secondsOf(now() - from))
    }
    shares.push(best / expect({ kind, work: solver.work(inputs as never), recipe: { inputs } }))
  }
  return shares.reduce((sum, it) => sum + it, 0) / shares.length
}
