import { sqrt } from '#numerics/math.ts'
import { omegaOf, orderOf, periodOf, terminalOf } from '#numerics/solvers/solve/problem.ts'
import type { Root, SolveInput, SolveOutput } from '#numerics/solvers/solve/schema.ts'
import type { Engine } from './engine.ts'

const sizeOf = (of: Float64Array, from: 0 | 3): number =>
  sqrt(of[from] * of[from] + of[from + 1] * of[from + 1] + of[from + 2] * of[from + 2])

/** A typed array where the schema says numbers: it enters digests by its bytes. */
const numbers = (values: Float64Array): readonly number[] => values as unknown as readonly number[]

const NONE = {
  energy: null,
  fall: null,
  omega: null,
  mu: null,
  period: null,
  terminalSpeed: null,
  dt: null,
  tEval: null,
  solution: null,
  velocities: null,
} as const

/** The answer of an algebraic problem. */
export const foundRoot = (algebraic: Root): SolveOutput => ({
  ...NONE,
  mode: 'algebraic',
  finalPosition: null,
  steps: 0,
  substeps: 0,
  order: 0,
  algebraic,
})

/** The answer of a motion from the rows of its engine. */
export const reportOf = (input: SolveInput, { motion, rows }: Engine): SolveOutput => {
  const { law, fall, omega2, mu, steps, substeps, dt } = motion
  const { referenceMode: mode, mass } = input
  const tEval = new Float64Array(rows.length)
  const solution = new Float64Array(3 * rows.length)
  const velocities = new Float64Array(3 * rows.length)
  let energy = 0
  rows.forEach(({ step, state }, k) => {
    tEval[k] = step * dt
    solution.set(state.subarray(0, 3), 3 * k)
    velocities.set(state.subarray(3), 3 * k)
    const [r, v] = [sizeOf(state, 0), sizeOf(state, 3)]
    const potential = law === 'centre' ? -mu / r : law === 'spring' ? (omega2 * r * r) / 2 : fall * state[2]
    energy += mass * ((v * v) / 2 + potential)
  })
  const last = rows[rows.length - 1]?.state ?? motion.start
  return {
    mode,
    finalPosition: law === 'centre' ? sizeOf(last, 0) : law === 'spring' ? last[0] : last[2],
    energy: energy / rows.length,
    fall: mode === 'free-fall' || mode === 'model' ? fall : null,
    omega: law === 'spring' ? omegaOf(input) : null,
    mu: law === 'centre' ? mu : null,
    period: periodOf(motion),
    terminalSpeed: terminalOf(motion),
    steps,
    substeps,
    order: orderOf(motion),
    dt,
    tEval: numbers(tEval),
    solution: numbers(solution),
    velocities: numbers(velocities),
    algebraic: null,
  }
}
