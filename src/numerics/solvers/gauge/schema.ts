import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

const SWEEPS_MIN = 400
const SWEEPS_MAX = 200_000
/** Lags of the history's correlation that are reported. */
export const LAGS = 40

/** A lattice and its simulation; `{}` is the documented case. */
export const gaugeInput = closed({
  L: integer({ ...within(8, 128, 32), description: 'Sites along each side of the torus; a multiple of 4.' }),
  beta: finite({ ...within(0.05, 50, 4), description: 'Inverse coupling of the Wilson action.' }),
  sweeps: integer({ ...within(SWEEPS_MIN, SWEEPS_MAX, 4_000), description: 'Sweeps that are measured.' }),
  thermal: integer({ ...within(0, 100_000, 200), description: 'Sweeps before them.' }),
  seed: integer({ minimum: 0, default: 1, description: 'Key of the random numbers.' }),
  start: oneOf(['cold', 'hot'], {
    default: 'cold',
    description: 'cold: every link 1; hot: angles at random; not read when links are given.',
  }),
  first: integer({ ...within(0, 4_000_000_000, 0), description: 'Number of the first sweep.' }),
  links: Type.Optional(
    series({
      unit: '1',
      shape: [2, 'L', 'L', 2],
      description: 'Links at the start: direction, row, column; real and imaginary part, of modulus 1.',
    }),
  ),
})

/** The answer: the mean plaquette with its error, its history, and the field at the end. */
export const gaugeOutput = closed({
  L: integer({ description: 'Sites along each side.' }),
  beta: finite({ description: 'Inverse coupling.' }),
  sweeps: integer({ description: 'Sweeps measured.' }),
  plaquette: finite({ description: 'Mean of cos of the plaquette angle: the sealed value.' }),
  sigma: finite({ description: 'Its standard error, with the autocorrelation.' }),
  tau: finite({
    description: 'Integrated autocorrelation time of the history; 0.5 without correlation.',
    'x-unit': 'sweep',
  }),
  window: integer({ description: 'Lags that it was summed over.' }),
  finalPlaquette: finite({ description: 'Mean plaquette of the field at the end, by its links.' }),
  topologicalCharge: integer({ description: 'Sum of the plaquette angles in (−π, π] over 2π, at the end.' }),
  history: series({
    unit: '1',
    shape: ['sweeps'],
    axes: ['sweep'],
    description: 'Plaquette by sweep: each link replaced by its conditional mean when its turn comes.',
  }),
  correlation: series({
    unit: '1',
    shape: [LAGS],
    axes: ['lag'],
    description: 'Autocorrelation of the history at lags 1, 2, ….',
  }),
  links: series({
    unit: '1',
    shape: [2, 'L', 'L', 2],
    description: 'Links at the end: direction, row, column; real and imaginary part.',
  }),
})

/** A full input of the solver. */
export type GaugeInput = Static<typeof gaugeInput>
/** What it answers. */
export type GaugeOutput = Static<typeof gaugeOutput>
