import { solver } from '#numerics/runtime/solver.ts'
import { checkSchrodinger } from './check/check.ts'
import { schrodingerGuide } from './guide.ts'
import { refuseSchrodinger } from './limits.ts'
import { schrodingerPlots } from './plots.ts'
import { solveSchrodinger } from './run/solve.ts'
import { type SchrodingerInput, schrodingerInput, schrodingerOutput } from './schema.ts'

/** Operations per cube of the points: reduction, rotations of the vectors; the reflections undone per level. */
const CUBE_OPERATIONS = 8
const LEVEL_OPERATIONS = 4

const workOf = ({ points, levels }: SchrodingerInput): number =>
  (points * points * (CUBE_OPERATIONS * points + LEVEL_OPERATIONS * levels)) / 1e6

/** Bound states of one particle. */
export const schrodinger = solver<typeof schrodingerInput, typeof schrodingerOutput, null>({
  name: 'schrodinger',
  revision: 4,
  title: 'Bound states',
  summary:
    'Levels and states of a particle: oscillator, walls, finite, Morse and double well, hydrogen, an own potential.',
  domain: 'quantum-mechanics',
  method:
    'discrete variable representation (sinc, sine, Laguerre, elements); Householder, bisection, inverse iteration',
  operators: ['QM1', 'QM5'],
  unit: 'J',
  kernels: ['math', 'spectrum', 'tridiagonal'],
  input: schrodingerInput,
  output: schrodingerOutput,
  guide: schrodingerGuide,
  work: workOf,
  refuse: refuseSchrodinger,
  run: { kind: 'whole', solve: solveSchrodinger },
  check: (input, { output }) => checkSchrodinger(input, output),
  value: ({ groundState }) => groundState,
  plots: (_, output) => schrodingerPlots(output),
})
