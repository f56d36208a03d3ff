import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, orNull, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

export const PAIRS = ['cavity', 'cleft', 'ring'] as const
export type PairName = (typeof PAIRS)[number]

/** Atoms of the largest receptor and ligand. */
export const RECEPTOR_MAX = 5_000
export const LIGAND_MAX = 200

const ELEMENTS = ['H', 'C', 'N', 'O', 'F', 'Na', 'Mg', 'P', 'S', 'Cl', 'K', 'Ca', 'Fe', 'Zn', 'Br', 'I'] as const
export type Element = (typeof ELEMENTS)[number]

const coordinates = (description: string) =>
  Type.Array(finite({ minimum: -1e4, maximum: 1e4 }), { minItems: 3, maxItems: 3, description, 'x-unit': 'angstrom' })

const atom = closed({
  element: oneOf(ELEMENTS, { default: 'C', description: 'Gives σ and ε by the Universal Force Field.' }),
  position: coordinates('Place, as in columns 31 to 54 of a PDB atom record.'),
  charge: Type.Optional(
    finite({ minimum: -10, maximum: 10, description: 'Partial charge; every atom needs one.', 'x-unit': 'e' }),
  ),
  sigma: Type.Optional(
    finite({ minimum: 0.5, maximum: 10, description: 'σ in place of the element’s.', 'x-unit': 'angstrom' }),
  ),
  epsilon: Type.Optional(
    finite({ minimum: 0, maximum: 100, description: 'ε in place of the element’s.', 'x-unit': 'kJ/mol' }),
  ),
})

/** Everything that states a docking, with its default: `{}` is the documented case. */
export const dockInput = closed({
  pair: oneOf(PAIRS, {
    default: 'cavity',
    description: 'Built-in receptor and ligand with a planted pose; without meaning with own atoms.',
  }),
  receptor: Type.Optional(
    Type.Array(atom, { minItems: 1, maxItems: RECEPTOR_MAX, description: 'Own receptor; then an own ligand, too.' }),
  ),
  ligand: Type.Optional(Type.Array(atom, { minItems: 3, maxItems: LIGAND_MAX, description: 'Own ligand, rigid.' })),
  starts: integer({ ...within(1, 1_024, 64), description: 'Random poses that are minimised.' }),
  seed: integer({ minimum: 0, default: 1, description: 'Key of the starts.' }),
  dielectric: finite({ ...within(1, 100, 4), description: 'Relative permittivity, everywhere.' }),
  centre: Type.Optional(coordinates('Middle of the ball of starts; of the pair’s site, or of the receptor.')),
  radius: finite({
    ...within(0, 1e3, 4),
    description: 'Radius of the ball that the starts’ middles lie in.',
    'x-unit': 'angstrom',
  }),
})

const energy = (description: string) => finite({ description, 'x-unit': 'kJ/mol' })

/** The answer. The pose is that of the least energy. */
export const dockOutput = closed({
  receptorAtoms: integer({ description: 'Atoms of the receptor.' }),
  ligandAtoms: integer({ description: 'Atoms of the ligand.' }),
  starts: integer({ description: 'Poses that were minimised.' }),
  hits: integer({ description: 'Starts that ended at the least energy.' }),
  evaluations: integer({ description: 'Energies and gradients that were worked out.' }),
  energy: energy('Least energy of interaction: the sealed value.'),
  lennardJones: energy('Its part by dispersion and repulsion.'),
  coulomb: energy('Its part by charges.'),
  translation: series({ unit: 'angstrom', shape: [3], description: 'Middle of the ligand.' }),
  quaternion: series({ unit: '1', shape: [4], description: 'Rotation of the ligand as given: w, x, y, z; w ≥ 0.' }),
  positions: series({
    unit: 'angstrom',
    shape: ['ligandAtoms', 3],
    axes: ['atom', 'axis'],
    description: 'Places of the ligand’s atoms.',
  }),
  energies: series({
    unit: 'kJ/mol',
    shape: ['starts'],
    axes: ['start'],
    description: 'Energy that each start fell to.',
  }),
  gyration: finite({ description: 'Radius of gyration of the ligand.', 'x-unit': 'angstrom' }),
  rmsd: orNull(finite({ 'x-unit': 'angstrom' }), {
    description: 'Root mean square distance from the planted pose, over the ligand’s symmetries; of built-in pairs.',
  }),
})

/** A full input of the solver. */
export type DockInput = Static<typeof dockInput>
/** What it answers. */
export type DockOutput = Static<typeof dockOutput>

/** What the check sees beside the answer. */
export interface DockEvidence {
  /** The pose that each start fell to: place, then quaternion, seven numbers each. */
  readonly poses: Float64Array
  /** Evaluations and hits, as counted. */
  readonly tally: Float64Array
}
