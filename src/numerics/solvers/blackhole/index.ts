import { cos, sin, TAU } from '#numerics/math.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import { solver } from '#numerics/runtime/solver.ts'
import { checkBlackhole } from './check/check.ts'
import { blackholeGuide } from './guide.ts'
import { refuseBlackhole } from './limits.ts'
import { fateOf, particleOf } from './problem.ts'
import { solveBlackhole } from './run/infall.ts'
import {
  type BlackholeEvidence,
  type BlackholeInput,
  type BlackholeOutput,
  blackholeInput,
  blackholeOutput,
} from './schema.ts'

/** Floating-point operations of a step, and steps of a fall and of a radial period. */
const STEP_OPERATIONS = 3_000
const FALL_STEPS = 200
const TURN_STEPS = 100

const workOf = ({ mode, orbit }: BlackholeInput): number =>
  mode === 'hawking' ? 0.01 : ((FALL_STEPS + (mode === 'orbit' ? TURN_STEPS * orbit.turns : 0)) * STEP_OPERATIONS) / 1e6

/** Points of a circle in a picture. */
const CIRCLE_POINTS = 181

const circle = (name: string, radius: number) => {
  const at = (of: (angle: number) => number) =>
    Float64Array.from({ length: CIRCLE_POINTS }, (_, k) => radius * of((TAU * k) / (CIRCLE_POINTS - 1)))
  return { name, x: at(cos), y: at(sin), style: 'dashes' as const }
}

const holePlot = (output: BlackholeOutput): Plot => ({
  kind: 'bars',
  title: 'Radii of the black hole',
  name: 'radius',
  unit: 'm',
  about: 'orbit',
  labels: ['horizon', 'photon sphere', 'marginally bound', 'innermost stable'],
  values: [output.schwarzschildRadius, output.photonSphereRadius, output.marginallyBoundRadius, output.iscoRadius],
})

const plotsOf = (_: BlackholeInput, output: BlackholeOutput): readonly Plot[] => {
  const { mode, radii, angles, properTimes, coordinateTimes, schwarzschildRadius } = output
  if (radii === null || angles === null || properTimes === null) return [holePlot(output)]
  const radius = { name: 'r', unit: 'm' }
  const times: Plot = {
    kind: 'curves',
    title: 'Radius by the clock that falls and by the one far away',
    x: { name: 't', unit: 's' },
    y: radius,
    curves: [
      { name: 'proper time', x: properTimes, y: radii },
      ...(coordinateTimes === null || coordinateTimes.length < 2
        ? []
        : [{ name: 'coordinate time', x: coordinateTimes, y: Array.from(radii).slice(0, coordinateTimes.length) }]),
    ],
  }
  if (mode === 'radial') return [times, holePlot(output)]
  const along = (of: (angle: number) => number) => Float64Array.from(radii, (r, k) => r * of(angles[k] as number))
  const path: Plot = {
    kind: 'curves',
    title: 'Path about the black hole',
    x: { name: 'x', unit: 'm' },
    y: { name: 'y', unit: 'm' },
    equal: true,
    curves: [
      { name: 'path', x: along(cos), y: along(sin) },
      circle('horizon', schwarzschildRadius),
      circle('innermost stable orbit', 3 * schwarzschildRadius),
    ],
  }
  return [path, times]
}

/** Whether the value is an angle: that of a bound or a scattered particle. */
const isAngle = (input: BlackholeInput): boolean => input.mode === 'orbit' && fateOf(particleOf(input)) !== 'captured'

const unitOf = (input: BlackholeInput): string => {
  if (input.mode === 'hawking') return 'K'
  return isAngle(input) ? 'rad' : 's'
}

const sealedOf = ({ mode, precession, sweep, properTime, hawkingTemperature }: BlackholeOutput): number | null =>
  mode === 'hawking' ? hawkingTemperature : (precession ?? sweep ?? properTime)

/** Black holes without spin: what falls, what goes round, what they radiate. */
export const blackhole = solver<typeof blackholeInput, typeof blackholeOutput, BlackholeEvidence | null>({
  name: 'blackhole',
  revision: 1,
  title: 'Black hole',
  summary: 'A fall or orbit about a black hole without spin, by its own clock and one far away; Hawking radiation.',
  domain: 'relativity',
  method:
    'DOPRI8(5,3) in proper time on all components of the geodesic equation, in coordinates regular at the horizon',
  operators: ['GR37'],
  operatorsOf: ({ mode }) => (mode === 'hawking' ? ['APX10', 'HAWKING_LIFETIME'] : ['GR37']),
  unit: 's',
  unitOf,
  kernels: ['math'],
  input: blackholeInput,
  output: blackholeOutput,
  guide: blackholeGuide,
  work: workOf,
  refuse: refuseBlackhole,
  run: { kind: 'whole', solve: solveBlackhole },
  check: checkBlackhole,
  value: sealedOf,
  plots: plotsOf,
  continued: (input, { end, radii, schwarzschildRadius }) => {
    if (end === null || radii === null) return input
    const [r, phi, v, rRate, phiRate] = end as readonly [number, number, number, number, number]
    // An infall goes on by the same ratio of radii, inwards for ever.
    const ratio = (input.end * schwarzschildRadius) / (radii[0] as number)
    const captured = fateOf(particleOf(input)) === 'captured'
    return {
      ...input,
      end: captured ? Math.max(1e-3, input.end * ratio) : input.end,
      state: { r, phi, v, rRate, phiRate },
    }
  },
})
