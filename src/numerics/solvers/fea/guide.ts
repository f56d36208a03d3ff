import type { Guide } from '#numerics/runtime/guide.ts'
import type { FeaInput, FeaOutput } from './schema.ts'

/** Bodies under load to begin with, and what is read off first. */
export const feaGuide: Guide<FeaInput, FeaOutput> = {
  presets: [
    {
      name: 'Steel bracket with 100 kg',
      about:
        'A flat bar 100 × 10 mm, 1 m long, upright, with 981 N at its tip: 1.9 mm down, and 59 MPa at the root, ' +
        'a quarter of what S235 takes.',
      input: { P: 981 },
    },
    {
      name: 'Shelf board held in a wall',
      about:
        'Beech (12 GPa), 30 cm deep, 22 mm thick, 80 cm wide, with 200 N at the edge: a held root is a little ' +
        'stiffer than beam theory, and no number is honest for its corner.',
      input: { E: 1.2e10, nu: 0.3, L: 0.3, h: 0.022, t: 0.8, P: 200, root: 'clamp' },
    },
    {
      name: 'Concrete balcony',
      about:
        'A slab of 1.5 m, 20 cm thick, per metre of width, with 5 kN at its edge (E = 30 GPa, ν = 0.2, EN 1992): ' +
        '0.28 mm by the load alone.',
      input: { E: 3e10, nu: 0.2, L: 1.5, h: 0.2, t: 1, P: 5000 },
    },
    {
      name: 'Rivet hole in an aircraft skin',
      about:
        'Aluminium 2024, 1.6 mm, a hole of 4.8 mm under 100 MPa: Kirsch’s threefold stress, 300 MPa, stands at ' +
        'its edge. That is where cracks begin.',
      input: { problem: 'hole', E: 7.3e10, nu: 0.33, t: 0.0016, plate: { radius: 0.0024, width: 0.012, stress: 1e8 } },
    },
  ],
  headline: [
    { member: 'deflection', label: 'Deflection' },
    { member: 'reference', label: 'the same by theory' },
    { member: 'maxVonMises', label: 'Largest equivalent stress' },
    { member: 'concentration', label: 'Stress concentration' },
    { member: 'energy', label: 'Strain energy' },
  ],
  advanced: ['nx', 'ny', 'plate.radial', 'plate.around', 'plate.grading'],
}
