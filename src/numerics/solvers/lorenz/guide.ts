import type { Guide } from '#numerics/runtime/guide.ts'
import type { LorenzInput, LorenzOutput } from './schema.ts'

/** Convection, calm and chaotic to begin with, and what is read off first. */
export const lorenzGuide: Guide<LorenzInput, LorenzOutput> = {
  presets: [
    {
      name: 'The butterfly of 1963',
      about:
        'Lorenz’s own start (0, 1, 0) with σ = 10, ρ = 28, β = 8/3: two wings, a largest exponent of 0.906 ' +
        '(Sprott 2003) and a dimension of 2.06.',
      input: { x0: [0, 1, 0], t_max: 30 },
    },
    {
      name: 'A start to be changed by a millionth',
      about:
        'Run it, then again from x = −7.999999: the two courses are one to the eye up to t = 13, and strangers ' +
        'from 14 on. That is what an exponent of 0.9 means.',
      input: { x0: [-8, 8, 27], t_max: 20 },
    },
    {
      name: 'Convection that settles',
      about:
        'At ρ = 20 a fluid that turned this way and that comes to rest in a steady roll: the course spirals into ' +
        'one of two fixed points.',
      input: { rho: 20, x0: [8, 8, 15], t_max: 20 },
    },
    {
      name: 'A limit cycle among chaos',
      about:
        'At ρ = 160 the system is periodic again (Sparrow 1982): the largest exponent is zero within its error, ' +
        'so no dimension is told.',
      input: { rho: 160, x0: [1, 1, 100], t_max: 10 },
    },
  ],
  headline: [
    { member: 'exponents.0', label: 'Largest Lyapunov exponent' },
    { member: 'exponentErrors.0', label: 'Its standard error' },
    { member: 'dimension', label: 'Dimension of the attractor' },
    { member: 'distance', label: 'Distance from the origin at the end' },
  ],
  advanced: ['outputs', 'batches'],
}
