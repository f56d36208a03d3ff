import type { Plot } from '#numerics/plot/plot.ts'
import { courseOf } from '#numerics/runtime/course.ts'
import { solver } from '#numerics/runtime/solver.ts'
import { checkEpi } from './check/check.ts'
import { epiGuide } from './guide.ts'
import { refuseEpi } from './limits.ts'
import { createEpi, type EpiMotion } from './run/motion.ts'
import { type EpiInput, type EpiOutput, epiInput, epiOutput } from './schema.ts'

/** Floating-point operations of a step, and steps for each unit of time of the fastest rate and for each output. */
const STEP_OPERATIONS = 2_000
const RATE_STEPS = 8
const OUTPUT_STEPS = 4

const workOf = ({ beta, gamma, sigma, vaccination, t_max, outputs }: EpiInput): number => {
  const fastest = Math.max(beta, gamma, sigma, vaccination.rate)
  return ((RATE_STEPS * fastest * t_max + OUTPUT_STEPS * outputs) * STEP_OPERATIONS) / 1e6
}

const plotsOf = ({ model, t_max }: EpiInput, output: EpiOutput): readonly Plot[] => {
  const { times, susceptible, exposed, infectious, recovered, vaccinated, peakTime, peakInfectious, vaccinatedEnd } =
    output
  const people = { name: 'people', unit: '1' }
  const curve = (name: string, y: readonly number[]) => ({ name, x: times, y })
  return [
    {
      kind: 'curves',
      title: `${model} over ${t_max} d`,
      x: { name: 't', unit: 'd' },
      y: people,
      curves: [
        curve('susceptible', susceptible),
        ...(model === 'SEIR' ? [curve('exposed', exposed)] : []),
        curve('infectious', infectious),
        curve('recovered', recovered),
        ...(vaccinatedEnd > 0 ? [curve('vaccinated', vaccinated)] : []),
        { name: 'peak', x: [peakTime], y: [peakInfectious], style: 'points' },
      ],
    },
    {
      kind: 'curves',
      title: 'Infectious against susceptible',
      x: { name: 'susceptible', unit: '1' },
      y: { name: 'infectious', unit: '1' },
      curves: [{ name: 'course', x: susceptible, y: infectious }],
    },
  ]
}

/** Epidemics in a population of fixed size. */
export const epi = solver<typeof epiInput, typeof epiOutput, null, EpiMotion>({
  name: 'epi',
  revision: 1,
  title: 'Epidemic',
  summary:
    'SIR or SEIR with vaccination before or during it: every compartment over time, the peak and the final size.',
  domain: 'population-dynamics',
  method: 'DOPRI5 or DOPRI8(5,3) in ln S and the shares of the others, begun afresh at every output',
  operators: ['SIR_INVARIANT'],
  unit: '1',
  kernels: ['math'],
  input: epiInput,
  output: epiOutput,
  guide: epiGuide,
  work: workOf,
  refuse: refuseEpi,
  run: courseOf(
    ({ outputs }) => outputs,
    createEpi,
    (_, motion) => ({ output: motion.output(), evidence: null }),
  ),
  check: (input, { output }) => checkEpi(input, output),
  value: ({ susceptibleEnd }) => susceptibleEnd,
  plots: plotsOf,
  continued: (input, output) => ({
    ...input,
    vaccination: { ...input.vaccination, initialFraction: 0 },
    initial: {
      S: output.susceptibleEnd,
      E: output.exposedEnd,
      I: output.infectiousEnd,
      R: output.recoveredEnd,
      V: output.vaccinatedEnd,
    },
  }),
})
