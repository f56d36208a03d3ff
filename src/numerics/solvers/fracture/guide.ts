import type { Guide } from '#numerics/runtime/guide.ts'
import type { FractureInput, FractureOutput } from './schema.ts'

/** Cracks to begin with, and what is read off first. */
export const fractureGuide: Guide<FractureInput, FractureOutput> = {
  presets: [
    {
      name: 'Glass plate with a crack',
      about:
        'Soda-lime glass, 10 × 5 cm, cracked half through and stretched by 60 millionths: 1.3 times what ' +
        'Griffith asks for, so the crack runs.',
      input: { nx: 80, ny: 40, strain: 6e-5, time: 6e-6 },
    },
    {
      name: 'Acrylic plate with a crack',
      about:
        'Acrylic is 24 times softer and eighty times tougher: it takes 0.3 % of strain, and its crack is three ' +
        'times slower. E = 3 GPa, Gc = 300 J/m².',
      input: { E: 3e9, Gc: 300, rho: 1190, nx: 80, ny: 40, strain: 0.003, time: 2.5e-5 },
    },
    {
      name: 'Concrete bar in tension',
      about:
        'Hillerborg’s softening crack: 3 MPa, 100 J/m², 30 GPa (fib Model Code). A bar of 30 cm tears steadily; ' +
        'all of Gc times the section is used up.',
      input: { mode: 'bar', E: 3e10, Gc: 100, rho: 2400, bar: { length: 0.3, area: 0.01, strength: 3e6 } },
    },
    {
      name: 'Long concrete bar that snaps',
      about:
        'The same concrete at 2 m, beyond 2·E·Gc/f² = 0.67 m: it holds more energy than tearing takes, so its ' +
        'elongation falls while it tears.',
      input: { mode: 'bar', E: 3e10, Gc: 100, rho: 2400, bar: { length: 2, area: 0.01, strength: 3e6 } },
    },
  ],
  headline: [
    { member: 'dissipated', label: 'Energy that fracture took' },
    { member: 'criticalStrain', label: 'Critical strain' },
    { member: 'crackLengthAlongPath', label: 'Length of the crack' },
    { member: 'brokenBonds', label: 'Bonds broken' },
    { member: 'maxDeflection', label: 'Largest displacement' },
  ],
  advanced: ['nx', 'ny', 'horizon', 'courant', 'damping', 'start', 'bar.elements', 'bar.increments'],
}
