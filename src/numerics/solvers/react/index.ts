import { strideOf } from '#core/states.ts'
import { figure } from '#numerics/plot/figures.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import { courseOf } from '#numerics/runtime/course.ts'
import { type Field, solver } from '#numerics/runtime/solver.ts'
import { checkReact } from './check/check.ts'
import { reactGuide } from './guide.ts'
import { createLattice, type Lattice } from './lattice.ts'
import { refuseReact } from './limits.ts'
import { startOf } from './problem.ts'
import { reportOf } from './run/report.ts'
import { type ReactEvidence, type ReactInput, type ReactOutput, reactInput, reactOutput } from './schema.ts'

/** Floating-point operations of a step and of one state digest (its bytes hashed), each per node. */
const STEP_OPERATIONS = 100
const DIGEST_OPERATIONS = 40

const workOf = ({ n, steps }: ReactInput): number =>
  (n * n * (STEP_OPERATIONS * steps + DIGEST_OPERATIONS * Math.ceil(steps / strideOf(steps)))) / 1e6

const fieldOf = ({ model, n, dx }: ReactInput, { u, v }: ReactOutput): Field => ({
  values: Float64Array.from(model === 'gray-scott' ? v : u),
  shape: [n, n],
  spacing: [dx, dx],
  boundary: 'periodic',
  name: model === 'gray-scott' ? 'v' : 'u',
  unit: '1',
  dissipative: true,
})

/** The pattern, and how the two means went. */
const plotsOf = ({ model, n, dx }: ReactInput, output: ReactOutput): readonly Plot[] => {
  const side = (name: string) => ({ name, unit: 'm', low: 0, high: (n - 1) * dx })
  const gray = model === 'gray-scott'
  const pattern: Plot = {
    kind: 'map',
    title: `${gray ? 'v' : 'u'} after ${figure(output.time)} s`,
    name: gray ? 'v' : 'u',
    unit: '1',
    values: gray ? output.v : output.u,
    rows: n,
    columns: n,
    x: side('x'),
    y: side('y'),
    palette: gray ? 'sequential' : 'diverging',
  }
  const curves = [
    { name: 'u', x: output.times, y: output.meanU },
    { name: 'v', x: output.times, y: output.meanV },
  ]
  const means: Plot = {
    kind: 'curves',
    title: 'Means over the lattice',
    x: { name: 'time', unit: 's' },
    y: { name: 'mean', unit: '1' },
    curves,
  }
  return [pattern, means]
}

/** The same lattice from the fields that it ended with. */
const continuedOf = (input: ReactInput, { u, v }: ReactOutput): ReactInput => ({
  ...input,
  initial: { ...input.initial, kind: 'values', u, v },
})

/** Reaction and diffusion of two substances on a periodic lattice. */
export const react = solver<typeof reactInput, typeof reactOutput, ReactEvidence, Lattice>({
  name: 'react',
  revision: 3,
  title: 'Reaction and diffusion',
  summary: 'Gray–Scott or FitzHugh–Nagumo on a periodic square lattice; the lattice equations are what is solved.',
  domain: 'chemistry',
  method: 'classical Runge–Kutta of fourth order on the lattice equations; D·dt/dx² <= 0.25',
  operators: ['THIELE_MODULUS'],
  unit: 'm2',
  unitOf: ({ model }) => (model === 'gray-scott' ? 'm2' : '1'),
  kernels: ['fft', 'fields', 'math', 'reaction', 'retrace'],
  input: reactInput,
  output: reactOutput,
  guide: reactGuide,
  work: workOf,
  refuse: refuseReact,
  run: courseOf(
    ({ steps }) => steps,
    (input, origin) => createLattice(input, startOf(input), origin),
    (input, lattice) => {
      const evidence = lattice.evidence()
      return { output: reportOf(input, lattice.fields(), evidence), evidence }
    },
  ),
  check: checkReact,
  value: ({ model, integralV, activity }) => (model === 'gray-scott' ? integralV : activity),
  field: (input, { output }) => fieldOf(input, output),
  plots: plotsOf,
  continued: continuedOf,
})
