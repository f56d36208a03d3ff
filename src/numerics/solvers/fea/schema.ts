import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, orNull, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

/** Elements at most: along a cantilever and over its height, along a ray of a plate; and its largest grading. */
export const NX_MAX = 4_096
export const NY_MAX = 64
export const RADIAL_MAX = 48
export const GRADING_MAX = 1e3

const length = (initial: number, description: string) =>
  finite({ ...within(1e-6, 1e6, initial), description, 'x-unit': 'm' })

/** Everything that states a plane-stress problem, with its default: `{}` is the documented case. */
export const feaInput = closed({
  problem: oneOf(['cantilever', 'hole'], {
    default: 'cantilever',
    description: 'cantilever: a beam with a shear load at its tip; hole: a quarter of a pulled plate with a hole.',
  }),
  E: finite({ ...within(1, 1e15, 210e9), description: 'Young’s modulus.', 'x-unit': 'Pa' }),
  nu: finite({ ...within(0, 0.499, 0.3), description: 'Poisson’s ratio.' }),
  t: length(0.01, 'Thickness.'),
  L: length(1, 'Length of the cantilever.'),
  h: length(0.1, 'Height of the cantilever.'),
  P: finite({
    ...within(-1e12, 1e12, 1_000),
    description: 'Load at the tip, downwards, spread as the parabola of beam theory.',
    'x-unit': 'N',
  }),
  nx: integer({ ...within(1, NX_MAX, 40), description: 'Elements along the cantilever.' }),
  ny: integer({ ...within(1, NY_MAX, 4), description: 'Elements over its height.' }),
  root: oneOf(['elastic', 'clamp'], {
    default: 'elastic',
    description:
      'elastic: the root moves as in plane elasticity, the whole field is checked; clamp: it is held, with two bounds.',
  }),
  plate: closed(
    {
      radius: length(1, 'Radius of the hole.'),
      width: length(5, 'Half the side of the plate.'),
      stress: finite({ ...within(-1e15, 1e15, 1e6), description: 'Stress along x far from the hole.', 'x-unit': 'Pa' }),
      radial: integer({ ...within(2, RADIAL_MAX, 24), description: 'Elements from the hole to the edge.' }),
      around: integer({ ...within(2, 96, 48), description: 'Elements around the quarter, even.' }),
      grading: finite({
        ...within(1, GRADING_MAX, 40),
        description: 'Radial length of the outermost element over that of the innermost.',
      }),
    },
    { default: {}, description: 'The plate with a hole; without meaning for a cantilever.' },
  ),
})

const metres = (description: string) => finite({ description, 'x-unit': 'm' })
const perNode = (unit: string, description: string) => series({ unit, shape: ['nodes'], description })

/** The answer: the whole field of displacements and what is read off it. */
export const feaOutput = closed({
  problem: oneOf(['cantilever', 'hole'], { description: 'The problem.' }),
  root: oneOf(['elastic', 'clamp', 'symmetry'], { description: 'What held the body.' }),
  elements: integer({ description: 'Quadratic elements of eight nodes.' }),
  nodes: integer({ description: 'Nodes.' }),
  dof: integer({ description: 'Unknowns that are free to move.' }),
  deflection: metres(
    'Deflection along the load: of the tip’s middle (elastic), weighted by the load (clamp), of the edge (hole).',
  ),
  reference: metres('The same by P·L³/3EI + P·L/(k·G·A) with k = 5/6, or by Kirsch.'),
  deflectionRatio: finite({ description: 'deflection / reference.' }),
  energy: finite({ description: 'Strain energy.', 'x-unit': 'J' }),
  maxVonMises: orNull(finite(), {
    description:
      'Largest equivalent stress of a node; null for a held root, whose corners have no finite stress in theory.',
    'x-unit': 'Pa',
  }),
  concentration: Type.Optional(
    finite({ description: 'Largest stress at the hole over the stress far from it; the plate only.' }),
  ),
  x: perNode('m', 'Abscissas of the nodes, line of nodes by line of nodes from the root (from the upright axis).'),
  y: perNode('m', 'Ordinates of the nodes.'),
  u: perNode('m', 'Displacements along x.'),
  v: perNode('m', 'Displacements along y.'),
  vonMises: Type.Optional(
    perNode(
      'Pa',
      'Equivalent stress, extrapolated from 2 × 2 points of each element and averaged; left out for a held root.',
    ),
  ),
})

/** A full input of the elasticity solver. */
export type FeaInput = Static<typeof feaInput>
/** What it answers. */
export type FeaOutput = Static<typeof feaOutput>
