import type { Guide } from '#numerics/runtime/guide.ts'
import type { EvolveInput, EvolveOutput } from './schema.ts'

/** Argon in its phases to begin with, and what is read off first. */
export const evolveGuide: Guide<EvolveInput, EvolveOutput> = {
  presets: [
    {
      name: 'Liquid argon near its triple point',
      about:
        'Verlet’s state of 1967: density 0.8442, and half of the 1.44 that the lattice starts with becomes ' +
        'melting. For argon σ = 0.34 nm, ε/k = 120 K: 1.4 g/cm³, 85 K or so.',
      input: {},
    },
    {
      name: 'Argon gas',
      about:
        'For argon 307 K and 22 bar: pressure is density times temperature but for one per cent, and g(r) shows ' +
        'the pair potential alone.',
      input: { density: 0.02, temperature: 2.5, dt: 0.004, steps: 1500 },
    },
    {
      name: 'Argon above its critical point',
      about:
        'Density 0.35 and temperature near 2: neither gas nor liquid, with clusters that come and go. The ' +
        'critical point lies near 1.3.',
      input: { density: 0.35, temperature: 1.7, steps: 1500 },
    },
    {
      name: 'Solid argon',
      about:
        'Density 1.05 and a temperature that stays near 0.5: the lattice holds and g(r) keeps its separate ' +
        'shells.',
      input: { density: 1.05, temperature: 1, steps: 1500 },
    },
  ],
  headline: [
    { member: 'meanTemperature', label: 'Mean temperature' },
    { member: 'meanPressure', label: 'Mean pressure' },
    { member: 'energyPerAtom', label: 'Energy per atom' },
    { member: 'energyDriftPct', label: 'Energy drift' },
  ],
  advanced: ['cutoff', 'skin', 'samples', 'seed', 'initial'],
}
