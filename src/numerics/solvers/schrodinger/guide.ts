import type { Guide } from '#numerics/runtime/guide.ts'
import type { SchrodingerInput, SchrodingerOutput } from './schema.ts'

/** Wells and atoms to begin with, and what is read off first. */
export const schrodingerGuide: Guide<SchrodingerInput, SchrodingerOutput> = {
  presets: [
    {
      name: 'Hydrogen atom',
      about:
        'The s levels of one electron: −13.6 eV/n² (2.18e-18 J), here with the electron’s own mass, so without ' +
        'the 0.05 % of the moving nucleus.',
      input: { potential: 'hydrogen', levels: 4, points: 64 },
    },
    {
      name: 'Electron in a box of 1 nm',
      about:
        'Levels go as n²: 0.376 eV, 1.5 eV, 3.4 eV. The first model of a dye: the gap is what colour it takes ' +
        'from light.',
      input: { potential: 'well', levels: 6 },
    },
    {
      name: 'Vibration of H₂ (Morse)',
      about:
        'Depth 4.75 eV, a = 1.943e10 1/m, reduced mass of two protons: the levels close up towards dissociation ' +
        'as in Huber and Herzberg’s tables.',
      input: {
        potential: 'morse',
        levels: 10,
        mass: 8.3676e-28,
        morse: { depth: 7.607e-19, a: 1.9426e10, centre: 7.41e-11 },
      },
    },
    {
      name: 'Quantum well GaAs in AlGaAs',
      about:
        'Ten nanometres, 0.3 eV deep, an effective mass of 0.067: three levels, the lowest at 34 meV above the ' +
        'bottom. Davies, Low-Dimensional Semiconductors, ch. 4.',
      input: { potential: 'finite-well', levels: 3, mass: 6.1033e-32, finiteWell: { width: 1e-8, depth: 4.8065e-20 } },
    },
    {
      name: 'Ammonia turns inside out',
      about:
        'Nitrogen tunnels through the plane of the hydrogens: levels come in pairs. Barrier 2,020 cm⁻¹, 38 pm; ' +
        'the lowest pair is 1.4 cm⁻¹ apart in this simple well, 0.8 as measured in the first maser.',
      input: {
        potential: 'double-well',
        levels: 4,
        mass: 4.1291e-27,
        doubleWell: { barrier: 4.0127e-20, distance: 3.8e-11 },
      },
    },
  ],
  headline: [
    { member: 'groundState', label: 'Lowest level' },
    { member: 'energies.1', label: 'Second level' },
    { member: 'energies.2', label: 'Third level' },
    { member: 'highestLevel', label: 'Highest level asked for' },
  ],
  advanced: ['points', 'expression.edges'],
}
