import type { Plot } from '#numerics/plot/plot.ts'
import { courseOf } from '#numerics/runtime/course.ts'
import { solver } from '#numerics/runtime/solver.ts'
import { checkLorenz } from './check/check.ts'
import { lorenzGuide } from './guide.ts'
import { isPredictable, refuseLorenz } from './limits.ts'
import { rateAt } from './problem.ts'
import { createCourse, type LorenzCourse, stepsOf } from './run/course.ts'
import {
  BATCH_STEPS,
  type LorenzEvidence,
  type LorenzInput,
  type LorenzOutput,
  lorenzInput,
  lorenzOutput,
} from './schema.ts'

/** Floating-point operations of a step of DOPRI8 and of a step with tangent vectors. */
const STEP_OPERATIONS = 900
const TANGENT_OPERATIONS = 330
/** Steps of DOPRI8 for each unit of time of the fastest rate, and for each output. */
const RATE_STEPS = 2
const OUTPUT_STEPS = 2

const workOf = (input: LorenzInput): number => {
  const course = RATE_STEPS * input.t_max * rateAt(input, input.x0) + OUTPUT_STEPS * input.outputs
  return (course * STEP_OPERATIONS + input.batches * BATCH_STEPS * TANGENT_OPERATIONS) / 1e6
}

const plotsOf = ({ t_max }: LorenzInput, output: LorenzOutput): readonly Plot[] => {
  const { times, x, y, z, convergence, exponents, exponentTime } = output
  const axis = (name: string) => ({ name, unit: '1' })
  const count = convergence.length
  const lengths = Float64Array.from({ length: count }, (_, k) => ((k + 1) * exponentTime) / count)
  const largest = exponents[0] as number
  return [
    {
      kind: 'curves',
      title: `Lorenz attractor, t = 0 to ${t_max}`,
      x: axis('x'),
      y: axis('z'),
      curves: [{ name: 'course', x, y: z, shade: { name: 't', unit: '1', values: times } }],
    },
    {
      kind: 'curves',
      title: 'Course over time',
      x: axis('t'),
      y: axis('state'),
      curves: [
        { name: 'x', x: times, y: x },
        { name: 'y', x: times, y },
        { name: 'z', x: times, y: z },
      ],
    },
    {
      kind: 'curves',
      title: 'Largest Lyapunov exponent by the time measured',
      x: axis('t'),
      y: axis('exponent'),
      curves: [
        { name: 'so far', x: lengths, y: convergence },
        { name: 'all', x: [0, exponentTime], y: [largest, largest], style: 'dashes' },
      ],
    },
  ]
}

/** The Lorenz system. */
export const lorenz = solver<typeof lorenzInput, typeof lorenzOutput, LorenzEvidence, LorenzCourse>({
  name: 'lorenz',
  revision: 2,
  title: 'Lorenz system',
  summary: 'A course of the Lorenz system, how far it can be predicted, and the Lyapunov spectrum with error bars.',
  domain: 'dynamical-systems',
  method: 'DOPRI8(5,3), begun afresh at every output; exponents by tangent vectors under RK4, by batch means',
  operators: ['LORENZ_DIVERGENCE'],
  unit: '1',
  kernels: ['math'],
  input: lorenzInput,
  output: lorenzOutput,
  guide: lorenzGuide,
  work: workOf,
  refuse: refuseLorenz,
  sealable: isPredictable,
  run: courseOf(stepsOf, createCourse, (_, course) => course.finish()),
  check: checkLorenz,
  value: ({ shadowOrbit, distance }) => (shadowOrbit ? null : distance),
  plots: plotsOf,
  continued: (input, { end }) => ({ ...input, x0: Array.from(end) }),
})
