import { type Field, type Outcome, type Progress, solver } from '#numerics/runtime/solver.ts'
import { checkDevice } from './check/check.ts'
import { checkJunction } from './check/junction.ts'
import { deviceGuide } from './guide.ts'
import { junctionOf } from './junction-schema.ts'
import { isJunction, refuseDevice } from './limits.ts'
import { plotsOf } from './plots.ts'
import { electrodesOf } from './problem.ts'
import { solveJunction } from './run/junction.ts'
import { solveDevice } from './run/report.ts'
import { type DeviceEvidence, type DeviceInput, type DeviceOutput, deviceInput, deviceOutput } from './schema.ts'

/** Floating-point operations of both solves per cell, and of a junction per interval. */
const CELL_OPERATIONS = 4_500
const INTERVAL_OPERATIONS = 2_000

/** Newton's method takes about this many steps: what progress is told in until it is over. */
const NEWTON_STEPS = 200

const solve = (input: DeviceInput, progress: Progress): Outcome<DeviceOutput, DeviceEvidence> => {
  if (!isJunction(input)) return solveDevice(input, progress)
  const solved = solveJunction(junctionOf(input), (step) =>
    progress({ step: Math.min(step, NEWTON_STEPS - 1), steps: NEWTON_STEPS }),
  )
  progress({ step: NEWTON_STEPS, steps: NEWTON_STEPS })
  const { x, potential, field, charge, junction } = solved
  const numbers = (it: Float64Array): readonly number[] => it as unknown as readonly number[]
  return {
    output: {
      mode: 'junction',
      x: numbers(x),
      potential: numbers(potential),
      field: numbers(field),
      charge: numbers(charge),
      junction,
    },
    evidence: null,
  }
}

/** The potential as the equations of a field take it. */
const fieldOf = (input: DeviceInput, { potential }: DeviceOutput): Field => ({
  values: Float64Array.from(potential),
  shape: [input.ny + 1, input.nx + 1],
  spacing: [input.ly / input.ny, input.lx / input.nx],
  boundary: Object.values(input.sides).every((it) => it === null) ? 'insulated' : 'fixed',
  name: 'potential',
  unit: 'V',
  dissipative: false,
})

const modeOf = (input: DeviceInput): 'capacitance' | 'energy' | 'junction' => {
  if (isJunction(input)) return 'junction'
  if (input.charge.kind !== 'none') return 'energy'
  const levels = [...Object.values(input.sides), ...electrodesOf(input).map((it) => it.potential)]
  return new Set(levels.filter((it) => it !== null)).size === 2 ? 'capacitance' : 'energy'
}

const UNITS = { capacitance: 'F/m', energy: 'J/m', junction: 'V/m' } as const

/** Electrostatics in a plane, and the equilibrium of a PN junction. */
export const device = solver<typeof deviceInput, typeof deviceOutput, DeviceEvidence>({
  name: 'device',
  revision: 3,
  title: 'Device electrostatics',
  summary: 'Potential, charges and capacitance of electrodes and dielectrics in a plane; or a PN junction with dim 1.',
  domain: 'electromagnetism',
  method:
    'bilinear elements and finite volumes, conjugate gradients with multigrid; junction: Newton on Poisson–Boltzmann',
  operators: ['EM2', 'EM11'],
  unit: UNITS.capacitance,
  unitOf: (input) => UNITS[modeOf(input)],
  operatorsOf: (input) => (modeOf(input) === 'junction' ? ['EM2'] : ['EM2', 'EM11']),
  kernels: ['fft', 'math', 'multigrid'],
  input: deviceInput,
  output: deviceOutput,
  guide: deviceGuide,
  work: (input) =>
    isJunction(input)
      ? (INTERVAL_OPERATIONS * input.junction.points) / 1e6
      : (CELL_OPERATIONS * input.nx * input.ny) / 1e6,
  refuse: refuseDevice,
  run: { kind: 'whole', solve },
  check: (input, { output, evidence }) =>
    isJunction(input) ? checkJunction(input, output) : checkDevice(input, output, evidence),
  value: ({ capacitance, energy, junction }) => junction?.peakField ?? capacitance ?? energy ?? null,
  // A junction's grid is uneven in general.
  field: (input, { output }) => (isJunction(input) ? undefined : fieldOf(input, output)),
  plots: plotsOf,
})
