import { sqrt } from '#numerics/math.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import { omegaOf, orderOf, periodOf, terminalOf } from '#numerics/solvers/solve/problem.ts'
import type { SolveInput, SolveOutput } from '#numerics/solvers/solve/schema.ts'
import type { Engine } from './engine.ts'
import type { Root } from './relation.ts'

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

const column = (of: readonly number[] | null, axis: number): Float64Array =>
  Float64Array.from({ length: (of?.length ?? 0) / 3 }, (_, k) => of?.[3 * k + axis] as number)

const metres = (name: string) => ({ name, unit: 'm' })
const SECONDS = { name: 'time', unit: 's' }
const PER_SECOND = { name: 'velocity', unit: 'm/s' }

/** What a motion shows: the orbit, the phase portrait, or height and speed over time. */
export const motionPlots = ({ mode, tEval, solution, velocities }: SolveOutput): readonly Plot[] => {
  const times = tEval ?? []
  const at = (axis: number): Float64Array => column(solution, axis)
  const speed = (axis: number): Float64Array => column(velocities, axis)
  const over = (title: string, y: { name: string; unit: string }, values: Float64Array): Plot => ({
    kind: 'curves',
    title,
    x: SECONDS,
    y,
    curves: [{ name: y.name, x: times, y: values }],
  })
  if (mode === 'gravity') {
    const curves = [
      { name: 'path', x: at(0), y: at(1) },
      { name: 'centre', x: [0], y: [0], style: 'points' as const },
    ]
    const r = at(0).map((x, k) => {
      const [y, z] = [solution?.[3 * k + 1] as number, solution?.[3 * k + 2] as number]
      return sqrt(x * x + y * y + z * z)
    })
    return [
      { kind: 'curves', title: 'Path around the body', x: metres('x'), y: metres('y'), curves, equal: true },
      over('Distance from the centre', metres('distance'), r),
    ]
  }
  if (mode === 'shm') {
    const portrait = { name: 'orbit', x: at(0), y: speed(0) }
    return [
      over('Displacement', metres('displacement'), at(0)),
      { kind: 'curves', title: 'Phase portrait', x: metres('displacement'), y: PER_SECOND, curves: [portrait] },
    ]
  }
  const height = over('Height', metres('height'), at(2))
  const rising = over('Upward velocity', PER_SECOND, speed(2))
  const level = at(0).map((x, k) => sqrt(x * x + (solution?.[3 * k + 1] as number) * (solution?.[3 * k + 1] as number)))
  if (level.every((it) => it === level[0])) return [height, rising]
  const path = { name: 'path', x: level, y: at(2) }
  return [{ kind: 'curves', title: 'Path', x: metres('distance'), y: metres('height'), curves: [path] }, height, rising]
}
