import type { Plot } from '#numerics/plot/plot.ts'
import { courseOf } from '#numerics/runtime/course.ts'
import { solver } from '#numerics/runtime/solver.ts'
import { checkLotka } from './check/check.ts'
import { cycleOf, periodOf } from './cycle.ts'
import { lotkaGuide } from './guide.ts'
import { farthestOf, LOG_MAX, refuseLotka, substepsOf } from './limits.ts'
import { createLotka, type LotkaMotion } from './run/motion.ts'
import { type LotkaInput, type LotkaOutput, lotkaInput, lotkaOutput } from './schema.ts'

/** Floating-point operations of a step of DOPRI8, of a composition step, and of keeping an output. */
const ADAPTIVE_OPERATIONS = 2_500
const COMPOSED_OPERATIONS = 2_500
const OUTPUT_OPERATIONS = 2_000
/** Steps of DOPRI8 that a cycle takes at least, and for each unit that it reaches in the logarithm. */
const CYCLE_STEPS = 24
const REACH_STEPS = 4

const workOf = (input: LotkaInput): number => {
  const kept = input.outputs * OUTPUT_OPERATIONS
  if (input.method === 'symplectic') return (input.outputs * substepsOf(input) * COMPOSED_OPERATIONS + kept) / 1e6
  const cycle = cycleOf(input)
  // What reaches beyond doubles is refused; its period is not sought.
  if (!(farthestOf(cycle) <= LOG_MAX)) return kept / 1e6
  const reach = cycle.sReach[1] - cycle.sReach[0] + (cycle.wReach[1] - cycle.wReach[0])
  const cycles = input.t_max / periodOf(input, cycle.height)
  const steps = 2 * input.outputs + cycles * (CYCLE_STEPS + REACH_STEPS * reach)
  return (steps * ADAPTIVE_OPERATIONS + kept) / 1e6
}

const plotsOf = (input: LotkaInput, output: LotkaOutput): readonly Plot[] => {
  const { times, prey, predators, preyEquilibrium, predatorsEquilibrium } = output
  const [x, y] = [
    { name: 'prey', unit: '1' },
    { name: 'predators', unit: '1' },
  ]
  const rest = { name: 'fixed point', x: [preyEquilibrium], y: [predatorsEquilibrium], style: 'points' as const }
  return [
    {
      kind: 'curves',
      title: `Prey and predators over ${input.t_max} yr`,
      x,
      y,
      curves: [{ name: 'course', x: prey, y: predators }, rest],
    },
    {
      kind: 'curves',
      title: 'Populations over time',
      x: { name: 't', unit: 'yr' },
      y: { name: 'population', unit: '1' },
      curves: [
        { name: 'prey', x: times, y: prey },
        { name: 'predators', x: times, y: predators },
      ],
    },
  ]
}

/** Predator and prey. */
export const lotka = solver<typeof lotkaInput, typeof lotkaOutput, null, LotkaMotion>({
  name: 'lotka',
  revision: 1,
  title: 'Predator and prey',
  summary:
    'The Lotka–Volterra equations: both populations over time, their first integral and the period of the cycle.',
  domain: 'population-dynamics',
  method: 'DOPRI8(5,3) in the logarithms of the populations, begun afresh at every output; or a composition of order 8',
  operators: ['LOTKA_INVARIANT'],
  unit: '1',
  kernels: ['math'],
  input: lotkaInput,
  output: lotkaOutput,
  guide: lotkaGuide,
  work: workOf,
  refuse: refuseLotka,
  run: courseOf(
    ({ outputs }) => outputs,
    createLotka,
    (_, motion) => ({ output: motion.output(), evidence: null }),
  ),
  check: (input, { output }) => checkLotka(input, output),
  value: ({ preyEnd }) => preyEnd,
  plots: plotsOf,
  continued: (input, { preyEnd, predatorsEnd }) => ({ ...input, x0: preyEnd, y0: predatorsEnd }),
})
