import type { Guide } from '#numerics/runtime/guide.ts'
import type { BucklingInput, BucklingOutput } from './schema.ts'

/** Columns to press to begin with, and what is read off first. */
export const bucklingGuide: Guide<BucklingInput, BucklingOutput> = {
  presets: [
    {
      name: 'Flagpole 6 m steel',
      about:
        'A tube of 76.1 × 2.9 mm (EN 10210) that stands free above: I = 0.447e-6 m⁴. It buckles at 6.4 kN, a ' +
        'tenth of the load at which it would yield.',
      input: { L: 6, I: 4.474e-7, lower: 'fixed', upper: 'free', area: 6.669e-4, yield: 2.35e8 },
    },
    {
      name: 'Timber prop 100 × 100 mm',
      about:
        'A post of 3 m in softwood C24 (EN 338: 11 GPa along the grain) between two hinges carries ten tonnes ' +
        'before it bows out.',
      input: { L: 3, E: 1.1e10, I: 8.333e-6, area: 0.01, yield: 2.1e7 },
    },
    {
      name: 'Column HEB 200 about its weak axis',
      about:
        'A storey of 4 m, fixed below and hinged above, steel S355: Euler’s stress lies above the yield stress, ' +
        'so the column yields before it buckles.',
      input: { L: 4, I: 2.003e-5, lower: 'fixed', area: 0.00781, yield: 3.55e8 },
    },
    {
      name: 'Plastic ruler pressed at its ends',
      about:
        'Thirty centimetres of acrylic, 30 × 2.5 mm, 3 GPa: 13 N, the weight of a litre and a third of water, ' +
        'bend it. Try it on a kitchen scale.',
      input: { L: 0.3, E: 3e9, I: 3.906e-11 },
    },
    {
      name: 'Telescopic mast of three tubes',
      about:
        'Each length of 2 m is thinner than the one below; the load is far below that of the stout foot alone. ' +
        'Aluminium, 70 GPa, on a fixed base.',
      input: {
        E: 7e10,
        lower: 'fixed',
        upper: 'free',
        elements: 24,
        segments: [
          { length: 2, I: 4e-7 },
          { length: 2, I: 2e-7 },
          { length: 2, I: 8e-8 },
        ],
      },
    },
  ],
  headline: [
    { member: 'criticalLoad', label: 'Critical load' },
    { member: 'criticalStress', label: 'Stress at that load' },
    { member: 'effectiveLength', label: 'Effective length' },
  ],
  advanced: ['elements', 'segments'],
}
