import { judgeFea } from '#numerics/elasticity/judge.ts'
import { meshOf } from '#numerics/elasticity/mesh.ts'
import { fieldOf, plotsOf } from '#numerics/elasticity/plots.ts'
import { refuseFea, workOfFea } from '#numerics/elasticity/pose.ts'
import { reportOf } from '#numerics/elasticity/report.ts'
import { feaInput, feaOutput } from '#numerics/elasticity/schema.ts'
import { solveFea } from '#numerics/elasticity/solve.ts'
import { solver } from '#numerics/solver.ts'

/** Plane-stress elasticity of a cantilever or a plate with a hole. */
export const fea = solver<typeof feaInput, typeof feaOutput, null>({
  name: 'fea',
  revision: 1,
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
  limits: { workAnonymousMax: 5_000, workMax: 500_000 },
  work: workOfFea,
  refuse: refuseFea,
  run: {
    kind: 'whole',
    solve: (input, progress) => {
      const mesh = meshOf(input)
      return { output: reportOf(input, mesh, solveFea(input, mesh, progress)), evidence: null }
    },
  },
  check: (input, { output }) => judgeFea(input, output),
  field: (input, { output }) => fieldOf(input, output),
  value: ({ concentration, deflection }) => concentration ?? deflection,
  plots: plotsOf,
})
