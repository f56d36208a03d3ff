import { solver } from '#numerics/runtime/solver.ts'
import { checkAcoustic } from './check/check.ts'
import { acousticGuide } from './guide.ts'
import { refuseAcoustic } from './limits.ts'
import { plotsOf } from './plots.ts'
import { resonances } from './run/modes.ts'
import { acousticInput, acousticOutput } from './schema.ts'

/** Flops of an element in a factor, and how many factors and solves a mode takes. */
const ELEMENT_OPERATIONS = 60
const PASSES = 60

/** Modes of a pipe or horn. */
export const acoustic = solver<typeof acousticInput, typeof acousticOutput, null>({
  name: 'acoustic',
  revision: 1,
  title: 'Acoustic resonator',
  summary: 'Frequencies and pressures of the modes of a pipe or a horn with open or closed ends.',
  domain: 'acoustics',
  method:
    'Quadratic finite elements of Webster’s equation; eigenpairs by a count of negative pivots and inverse iteration',
  operators: ['AC2'],
  operatorsOf: ({ section, left, right }) => (section.kind === 'uniform' && left === right ? ['AC2'] : ['AC7']),
  unit: 'Hz',
  kernels: ['math'],
  input: acousticInput,
  output: acousticOutput,
  guide: acousticGuide,
  work: ({ elements, modes }) => (elements * modes * ELEMENT_OPERATIONS * PASSES) / 1e6,
  refuse: refuseAcoustic,
  run: { kind: 'whole', solve: (input, progress) => ({ output: resonances(input, progress), evidence: null }) },
  check: (input, { output }) => checkAcoustic(input, output),
  value: ({ fundamental }) => fundamental,
  plots: plotsOf,
})
