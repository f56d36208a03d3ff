import { compositionOf } from '#numerics/methods/compositions.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import { courseOf } from '#numerics/runtime/course.ts'
import { solver } from '#numerics/runtime/solver.ts'
import { checkAction } from './check/check.ts'
import { actionGuide } from './guide.ts'
import { isPredictable, refuseAction } from './limits.ts'
import { type ActionCourse, createAction } from './run/course.ts'
import { type ActionInput, type ActionOutput, actionInput, actionOutput } from './schema.ts'

/** Floating-point operations of a stage and its share of RK4, and of the coarse steps. */
const STAGE_OPERATIONS = 80
const LADDER_OPERATIONS = 2e6

const stepsOf = ({ stepsPerPeriod, periods }: ActionInput): number => stepsPerPeriod * periods

const workOf = (input: ActionInput): number =>
  (stepsOf(input) * compositionOf(input.order).length * STAGE_OPERATIONS + LADDER_OPERATIONS) / 1e6

const units = { kepler: 'm', pendulum: 'rad', 'henon-heiles': '1' } as const
const laws = { kepler: 'KO87', pendulum: 'PENDULUM_ENERGY', 'henon-heiles': 'HENON_HEILES_ENERGY' } as const

/** Departures of the energy without sign, zeros left out: what a logarithmic axis shows. */
const sizes = (errors: readonly number[]): readonly number[] =>
  Array.from(errors, (error) => (error === 0 ? Number.NaN : Math.abs(error)))

const squared = (a: number, b: number): number => a * a + b * b

/** Points that a stretch between two outputs is drawn with. */
const DRAWN_POINTS = 8

/** Way at the larger speed over the chord, above which two outputs are too far apart to be joined but straight. */
const WAY_MAX = 1.5

/** A path between its outputs as Hermite's cubics have it: few outputs near the centre would make corners there. */
const pathOf = ({ times, x, y, u, v }: ActionOutput): { readonly x: Float64Array; readonly y: Float64Array } => {
  const spans = times.length - 1
  const at = (from: readonly number[], i: number): number => from[i] as number
  const through = (places: readonly number[], rates: readonly number[]): Float64Array =>
    Float64Array.from({ length: spans * DRAWN_POINTS + 1 }, (_, k) => {
      const i = Math.min(Math.floor(k / DRAWN_POINTS), spans - 1)
      const s = k / DRAWN_POINTS - i
      const span = at(times, i + 1) - at(times, i)
      const [dx, dy] = [at(x, i + 1) - at(x, i), at(y, i + 1) - at(y, i)]
      const faster = Math.max(squared(at(u, i), at(v, i)), squared(at(u, i + 1), at(v, i + 1)))
      const way = at(places, i + 1) - at(places, i)
      if (faster * span * span > WAY_MAX * WAY_MAX * squared(dx, dy)) return at(places, i) + s * way
      const [slope, end] = [span * at(rates, i), span * at(rates, i + 1)]
      return at(places, i) + s * (slope + s * (3 * way - 2 * slope - end + s * (slope + end - 2 * way)))
    })
  return { x: through(x, u), y: through(y, v) }
}

const plotsOf = ({ system, order }: ActionInput, output: ActionOutput): readonly Plot[] => {
  const { times, x, u, energyErrorPct, rk4EnergyErrorPct } = output
  const unit = units[system]
  const path =
    system === 'pendulum'
      ? ({
          kind: 'curves',
          title: 'Phase portrait of the pendulum',
          x: { name: 'angle', unit },
          y: { name: 'angular velocity', unit: 'rad/s' },
          curves: [{ name: 'course', x, y: u }],
        } as const)
      : ({
          kind: 'curves',
          title: system === 'kepler' ? 'Orbit' : 'Path of the star',
          x: { name: 'x', unit },
          y: { name: 'y', unit },
          equal: true,
          curves: [
            { name: 'path', ...pathOf(output) },
            { name: 'centre', x: [0], y: [0], style: 'points' },
          ],
        } as const)
  const rest = { x: times, style: 'line' as const }
  return [
    path,
    {
      kind: 'curves',
      title: `Energy error: order ${order} beside RK4 at as many forces`,
      x: { name: 't', unit: 's' },
      y: { name: 'energy error', unit: '%', scale: 'log' },
      curves: [
        { name: `symplectic, order ${order}`, ...rest, y: sizes(energyErrorPct) },
        { name: 'RK4', ...rest, y: sizes(rk4EnergyErrorPct) },
      ].filter(({ y: errors }) => errors.some(Number.isFinite)),
    },
  ]
}

/** Hamiltonian systems by symplectic compositions. */
export const action = solver<typeof actionInput, typeof actionOutput, null, ActionCourse>({
  name: 'action',
  revision: 1,
  title: 'Hamiltonian system',
  summary: 'Kepler orbit, pendulum or Hénon–Heiles star by a symplectic composition of order 4, 6 or 8, RK4 beside it.',
  domain: 'dynamical-systems',
  method: 'Symmetric compositions of kick–drift–kick: Yoshida (order 4), Kahan–Li (orders 6 and 8)',
  operators: ['KO87'],
  operatorsOf: ({ system }) => [laws[system]],
  unit: 'm',
  unitOf: ({ system }) => units[system],
  kernels: ['math', 'symplectic'],
  input: actionInput,
  output: actionOutput,
  guide: actionGuide,
  work: workOf,
  refuse: refuseAction,
  sealable: isPredictable,
  run: courseOf(stepsOf, createAction, (_, course) => course.finish()),
  check: (input, { output }) => checkAction(input, output),
  value: ({ place, shadowOrbit }) => (shadowOrbit ? null : place),
  plots: plotsOf,
  continued: (input, { end }) => ({ ...input, initial: Array.from(end) }),
})
