import { solver } from '#numerics/runtime/solver.ts'
import { checkFea } from './check/check.ts'
import { feaGuide } from './guide.ts'
import { refuseFea, workOfFea } from './limits.ts'
import { meshOf } from './mesh.ts'
import { fieldOf, plotsOf } from './plots.ts'
import { reportOf } from './run/report.ts'
import { solveFea } from './run/solve.ts'
import { feaInput, feaOutput } from './schema.ts'

/** Plane-stress elasticity of a cantilever or a plate with a hole. */
export const fea = solver<typeof feaInput, typeof feaOutput, null>({
  name: 'fea',
  revision: 2,
  title: 'Finite elements in plane stress',
  summary:
    'A cantilever beam or a plate with a hole in plane stress, by quadratic elements; displacements, stresses, energy.',
  domain: 'structural-mechanics',
  method: 'Eight-node elements at 3 × 3 points, applied one by one; conjugate gradients on a factor made by halving',
  operators: ['BEAM_DEFLECTION', 'STRESS_VON_MISES'],
  unit: 'm',
  unitOf: ({ problem }) => (problem === 'hole' ? '1' : 'm'),
  operatorsOf: ({ problem }) => (problem === 'hole' ? ['STRESS_VON_MISES'] : ['BEAM_DEFLECTION', 'STRESS_VON_MISES']),
  kernels: ['condense', 'fft', 'math'],
  input: feaInput,
  output: feaOutput,
  guide: feaGuide,
  work: workOfFea,
  refuse: refuseFea,
  run: {
    kind: 'whole',
    solve: (input, progress) => {
      const mesh = meshOf(input)
      return { output: reportOf(input, mesh, solveFea(input, mesh, progress)), evidence: null }
    },
  },
  check: (input, { output }) => checkFea(input, output),
  field: (input, { output }) => fieldOf(input, output),
  value: ({ concentration, deflection }) => concentration ?? deflection,
  plots: plotsOf,
})
