import type { Guide } from '#numerics/runtime/guide.ts'
import type { DockInput, DockOutput } from './schema.ts'

/** Pairs to dock to begin with, and what is read off first. */
export const dockGuide: Guide<DockInput, DockOutput> = {
  presets: [
    {
      name: 'Ligand in a closed cavity',
      about:
        'Twenty atoms that five hundred surround: most starts end in wrong pockets, and the energy tells which. ' +
        'The pose that was planted must come out.',
      input: { pair: 'cavity' },
    },
    {
      name: 'Ligand in an open cleft',
      about:
        'Sixteen atoms and a site that is open on one side: fewer contacts hold it, so the energy is smaller and ' +
        'the ways in are more.',
      input: { pair: 'cleft' },
    },
    {
      name: 'Benzene in its pocket',
      about:
        'The ring may turn onto itself in twelve ways; the distance from the planted pose is the least over all ' +
        'of them.',
      input: { pair: 'ring' },
    },
    {
      name: 'Water at formamide',
      about:
        'One water molecule (TIP3P) finds the hydrogen bonds of an amide group (charges and radii of OPLS) in ' +
        'vacuum, Jorgensen and Swenson (1985): it ends in a ring of two bonds, one to the oxygen and one from ' +
        'N–H.',
      input: {
        receptor: [
          { element: 'C', position: [0, 0, 0], charge: 0.5, sigma: 3.75, epsilon: 0.4393 },
          { element: 'O', position: [1.219, 0, 0], charge: -0.5, sigma: 2.96, epsilon: 0.8786 },
          { element: 'N', position: [-0.776, 1.111, 0], charge: -0.85, sigma: 3.25, epsilon: 0.7113 },
          { element: 'H', position: [-0.37, 2.027, 0], charge: 0.425, sigma: 0.5, epsilon: 0 },
          { element: 'H', position: [-1.776, 1.015, 0], charge: 0.425, sigma: 0.5, epsilon: 0 },
          { element: 'H', position: [-0.562, -0.95, 0], charge: 0, sigma: 2.42, epsilon: 0.0628 },
        ],
        ligand: [
          { element: 'O', position: [0, 0, 0], charge: -0.834, sigma: 3.1507, epsilon: 0.6364 },
          { element: 'H', position: [0.9572, 0, 0], charge: 0.417, sigma: 0.5, epsilon: 0 },
          { element: 'H', position: [-0.23999, 0.92663, 0], charge: 0.417, sigma: 0.5, epsilon: 0 },
        ],
        dielectric: 1,
        centre: [0.3, 1.2, 0],
        radius: 6,
      },
    },
  ],
  headline: [
    { member: 'energy', label: 'Least energy of interaction' },
    { member: 'lennardJones', label: 'of it by dispersion and repulsion' },
    { member: 'coulomb', label: 'of it by charges' },
    { member: 'rmsd', label: 'Distance from the planted pose' },
    { member: 'hits', label: 'Starts that found it' },
  ],
  advanced: ['starts', 'seed', 'centre', 'radius', 'receptor', 'ligand'],
}
