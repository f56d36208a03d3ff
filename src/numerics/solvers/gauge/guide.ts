import type { Guide } from '#numerics/runtime/guide.ts'
import type { GaugeInput, GaugeOutput } from './schema.ts'

/** Lattices from strong to weak coupling to begin with, and what is read off first. */
export const gaugeGuide: Guide<GaugeInput, GaugeOutput> = {
  presets: [
    {
      name: 'Strong coupling, beta = 1',
      about: 'Plaquettes are nearly random: the mean is I₁(1)/I₀(1) = 0.446, and sweeps hardly remember each other.',
      input: { L: 32, beta: 1, sweeps: 8000 },
    },
    {
      name: 'The documented case, beta = 4',
      about:
        'Half way to the continuum: the exact mean on this torus is 0.8635, and four standard errors lie within ' +
        '0.1 % of it.',
      input: {},
    },
    {
      name: 'Weak coupling, beta = 8',
      about:
        'Near the continuum limit plaquettes are almost 1, less 1/(2·beta), and the topological charge moves ' +
        'seldom.',
      input: { L: 32, beta: 8, sweeps: 1500 },
    },
    {
      name: 'Small torus, beta = 2',
      about:
        'Eight sites a side: the finite size shows in the exact sum, and the charge hops freely. Wilson (1974); ' +
        'Rusakov (1990) for the torus.',
      input: { L: 8, beta: 2, sweeps: 60000 },
    },
  ],
  headline: [
    { member: 'plaquette', label: 'Mean plaquette' },
    { member: 'sigma', label: 'Its standard error' },
    { member: 'tau', label: 'Autocorrelation time' },
    { member: 'topologicalCharge', label: 'Topological charge at the end' },
  ],
  advanced: ['thermal', 'seed', 'start', 'first', 'links'],
}
