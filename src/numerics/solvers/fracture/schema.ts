import Type, { type Static } from 'typebox'
import { closed, count, finite, integer, oneOf, pair, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

/** Everything that states a fracture problem, with its default: `{}` is the documented case. */
export const fractureInput = closed({
  mode: oneOf(['plate', 'bar'], {
    default: 'plate',
    description: 'plate: a peridynamic strip with a crack between grips; bar: a bar with a cohesive section.',
  }),
  E: finite({ ...within(1, 1e15, 72e9), description: 'Young’s modulus.', 'x-unit': 'Pa' }),
  nu: finite({
    ...within(-1, 0.5, 1 / 3),
    description: 'Poisson’s ratio: bonds that pull in pairs allow 1/3 alone; without meaning for a bar.',
  }),
  Gc: finite({ ...within(1e-9, 1e12, 3.8), description: 'Fracture energy.', 'x-unit': 'J/m2' }),
  rho: finite({ ...within(1e-3, 1e6, 2_440), description: 'Density.', 'x-unit': 'kg/m3' }),
  width: finite({
    ...within(1e-6, 1e4, 0.1),
    description: 'Width of the plate; its height is width·ny/nx.',
    'x-unit': 'm',
  }),
  thickness: finite({ ...within(1e-9, 1e4, 1e-3), description: 'Thickness.', 'x-unit': 'm' }),
  nx: integer({ ...within(8, 1_000, 100), description: 'Nodes across the width.' }),
  ny: integer({ ...within(12, 1_000, 50), description: 'Nodes over the height, grips included.' }),
  horizon: finite({ ...within(1.5, 4.05, 3.015), description: 'Reach of a bond in spacings of the nodes.' }),
  crack: finite({
    ...within(0, 1, 0.5),
    description: 'Length of the crack from the left edge at half the height, as a share of the width.',
  }),
  strain: finite({ ...within(0, 0.1, 7e-5), description: 'Uniform strain along the height at time 0.' }),
  gripSpeed: finite({
    ...within(-1e3, 1e3, 0),
    description: 'Speed of each grip outwards: the upper one up, the lower one down.',
    'x-unit': 'm/s',
  }),
  damping: finite({ ...within(0, 1e9, 0), description: 'Drag of each node per mass and speed.', 'x-unit': '1/s' }),
  courant: finite({
    ...within(1e-3, 10, 0.05),
    description: 'Time step over the longest stable one; the longer the run, the smaller it has to be.',
  }),
  time: finite({ ...within(1e-12, 1e6, 10e-6), description: 'Length of the run.', 'x-unit': 's' }),
  start: Type.Optional(
    closed(
      {
        ux: series({ unit: 'm', shape: ['ny', 'nx'], description: 'Displacements along x, x fastest.' }),
        uy: series({ unit: 'm', shape: ['ny', 'nx'], description: 'Displacements along y.' }),
        vx: series({ unit: 'm/s', shape: ['ny', 'nx'], description: 'Velocities along x; grips have none.' }),
        vy: series({ unit: 'm/s', shape: ['ny', 'nx'], description: 'Velocities along y.' }),
        bonds: series({
          unit: '1',
          type: 'i32',
          shape: ['ny', 'nx'],
          description: 'Whole bonds of each node, a bit for each offset of the half neighbourhood.',
        }),
      },
      { description: 'A state to begin from in place of uniform strain and a crack: that of another run’s end.' },
    ),
  ),
  bar: closed(
    {
      length: finite({ ...within(1e-6, 1e4, 1), description: 'Length.', 'x-unit': 'm' }),
      area: finite({ ...within(1e-12, 1e6, 1e-4), description: 'Cross-section.', 'x-unit': 'm2' }),
      strength: finite({
        ...within(1, 1e12, 30e6),
        description: 'Stress at which the cohesive section begins to open.',
        'x-unit': 'Pa',
      }),
      law: oneOf(['linear', 'exponential'], { default: 'linear', description: 'How the section softens.' }),
      opening: finite({
        ...within(1e-3, 30, 2),
        description: 'Opening at the end over Gc/strength; the linear law is through at 2.',
      }),
      elements: integer({ ...within(2, 1_000, 20), description: 'Elements, even.' }),
      increments: integer({ ...within(4, 100_000, 400), description: 'Increments of load.' }),
    },
    { default: {}, description: 'The bar; without meaning for a plate.' },
  ),
})

const joule = (description: string) => finite({ description, 'x-unit': 'J' })
const metres = (description: string) => finite({ description, 'x-unit': 'm' })
const nodal = (unit: string, description: string) => Type.Optional(series({ unit, shape: ['ny', 'nx'], description }))
const sampled = (unit: string, description: string) => series({ unit, shape: ['samples'], description })

/** The answer: the state at the end, the budget of energy on the way, and what is read off them. */
export const fractureOutput = closed({
  mode: oneOf(['plate', 'bar'], { description: 'The problem.' }),
  dissipated: joule('Energy that broken bonds, or the opened section, took.'),
  propagated: Type.Boolean({ description: 'Whether the crack grew (the section opened).' }),
  spannedDomain: Type.Boolean({ description: 'Whether the crack reaches the other side.' }),
  criticalStrain: finite({ description: 'Stretch at which a bond breaks, or strain of the bar at its strength.' }),
  crackTipX: metres('Abscissa of the crack’s tip: a multiple of half the spacing. Reported, not gated to 0.1 %.'),
  crackPath: Type.Array(pair('x and y in metres.'), {
    maxItems: 1_000,
    description: 'Places of the crack from column to column of nodes.',
    'x-unit': 'm',
  }),
  crackLengthAlongPath: metres('Length of that path.'),
  maxDeflection: metres('Largest displacement of a node; of a bar its greatest elongation.'),
  brokenBonds: count({ description: 'Bonds broken by the run.' }),
  steps: integer({ description: 'Steps or increments taken.' }),
  dt: finite({ description: 'Time step; 0 for a bar.', 'x-unit': 's' }),
  initialEnergy: joule('Strain and kinetic energy at the start.'),
  progress: sampled('1', 'Shares of the run at which the budget was read.'),
  strainEnergy: sampled('J', 'Strain energy then.'),
  kineticEnergy: sampled('J', 'Kinetic energy then, grips left out; zero for a bar.'),
  brokenEnergy: sampled('J', 'Energy that fracture had taken by then.'),
  dampedEnergy: sampled('J', 'Energy that drag had taken by then.'),
  externalWork: sampled('J', 'Work that the grips had done by then.'),
  ux: nodal('m', 'Displacements along x, x fastest, from below.'),
  uy: nodal('m', 'Displacements along y.'),
  vx: nodal('m/s', 'Velocities along x.'),
  vy: nodal('m/s', 'Velocities along y.'),
  damage: nodal('1', 'Share of a node’s bonds that are broken.'),
  bonds: Type.Optional(
    series({
      unit: '1',
      type: 'i32',
      shape: ['ny', 'nx'],
      description: 'Whole bonds of each node, a bit for each offset of the half neighbourhood.',
    }),
  ),
  opening: Type.Optional(sampled('m', 'Opening of the bar’s section at each sample.')),
  elongation: Type.Optional(sampled('m', 'Elongation of the bar.')),
  force: Type.Optional(sampled('N', 'Force on the bar.')),
})

/** A full input of the fracture solver. */
export type FractureInput = Static<typeof fractureInput>
/** What it answers. */
export type FractureOutput = Static<typeof fractureOutput>
