import type { Guide } from '#numerics/runtime/guide.ts'
import type { OptInput, OptOutput } from './schema.ts'

/** Functions to minimise to begin with, and what is read off first. */
export const optGuide: Guide<OptInput, OptOutput> = {
  presets: [
    {
      name: 'The cheapest tin of one litre',
      about:
        'Surface of a can of radius x1 cm: 2πr² + 2·1000/r. Least at r = 5.42 cm, as high as it is wide, with ' +
        '554 cm² of tin; the bound is proved.',
      input: {
        function: 'expression',
        dimension: 1,
        lower: [1],
        upper: [20],
        expression: { f: '2*pi*x1^2 + 2000/x1' },
      },
    },
    {
      name: 'Economic order quantity',
      about:
        'Twelve thousand pieces a year, 100 for each order, 2.40 a year to keep one: order 1,000 at a time ' +
        '(Harris 1913), for 2,400 a year.',
      input: {
        function: 'expression',
        dimension: 1,
        lower: [100],
        upper: [5000],
        expression: { f: '12000*100/x1 + 2.4*x1/2' },
      },
    },
    {
      name: 'Rosenbrock’s banana valley',
      about:
        'A curved valley with a flat floor in ten coordinates: the test for methods that follow curvature. ' +
        'Rosenbrock, Computer J. 3 (1960) 175.',
      input: {},
    },
    {
      name: 'Rastrigin’s egg box',
      about:
        'A hundred pits and only one is deepest: any descent from a random start ends in the wrong one, and a ' +
        'wrong one is never sealed.',
      input: { function: 'rastrigin', dimension: 2 },
    },
    {
      name: 'Where two argon atoms rest',
      about: 'The Lennard-Jones pair: least at 2^(1/6) = 1.1225 σ, at a depth of exactly one ε.',
      input: {
        function: 'expression',
        dimension: 1,
        lower: [0.8],
        upper: [3],
        expression: { f: '4*(x1^(-12) - x1^(-6))' },
      },
    },
  ],
  headline: [
    { member: 'minimum', label: 'Least value' },
    { member: 'point.0', label: 'at x1' },
    { member: 'point.1', label: 'at x2' },
    { member: 'lowerBound', label: 'Proved bound from below' },
    { member: 'evaluations', label: 'Evaluations' },
  ],
  advanced: ['method', 'evaluations', 'seed', 'shift'],
}
