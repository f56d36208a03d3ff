import type { Guide } from '#numerics/runtime/guide.ts'
import type { MultibodyInput, MultibodyOutput } from './schema.ts'

/** Bodies in the sky to begin with, and what is read off first. */
export const multibodyGuide: Guide<MultibodyInput, MultibodyOutput> = {
  presets: [
    {
      name: 'Earth and Moon for a month',
      about:
        'From perigee, 363,300 km and 1.082 km/s, for 27.3 days: the Moon comes back, and the Earth has gone ' +
        'round a point 4,700 km from its centre. NASA fact sheets.',
      input: {
        bodies: [
          { mass: 5.9722e24, position: [0, 0, 0], velocity: [0, -13.3, 0] },
          { mass: 7.346e22, position: [3.633e8, 0, 0], velocity: [0, 1068.7, 0] },
        ],
        dt: 3600,
        t_max: 2360592,
        order: 4,
      },
    },
    {
      name: 'Sun, Jupiter and Saturn for 60 years',
      about:
        'Two turns of Saturn and five of Jupiter: nearly 5 : 2, the great inequality that Laplace explained. The ' +
        'Sun is moved by more than its own radius.',
      input: {
        bodies: [
          { mass: 1.98841e30, position: [0, 0, 0], velocity: [0, -12.47, 0] },
          { mass: 1.89813e27, position: [7.4052e11, 0, 0], velocity: [0, 13720, 0] },
          { mass: 5.6832e26, position: [0, 1.35255e12, 0], velocity: [-10180, 0, 0] },
        ],
        dt: 864000,
        t_max: 1.893456e9,
        order: 4,
      },
    },
    {
      name: 'Three suns on a figure of eight',
      about:
        'Chenciner and Montgomery’s orbit of 2000: three equal masses chase each other along one curve. Three ' +
        'periods of about one year each.',
      input: {},
    },
    {
      name: 'Pluto and Charon',
      about:
        'A double world: in 6.4 days both go round a point that lies outside Pluto. Masses and distance of New ' +
        'Horizons (2015).',
      input: {
        bodies: [
          { mass: 1.3025e22, position: [-2131300, 0, 0], velocity: [0, -24.27, 0] },
          { mass: 1.5897e21, position: [17462700, 0, 0], velocity: [0, 198.81, 0] },
        ],
        dt: 1800,
        t_max: 551856.67,
        order: 4,
      },
    },
    {
      name: 'Alpha Centauri A and B for a turn',
      about:
        'Two suns at 11 to 36 astronomical units in 79.8 years: they fall together fast and linger apart. Masses ' +
        'of Akeson and others (2021).',
      input: {
        bodies: [
          { mass: 2.1452e30, position: [0, 0, 0], velocity: [0, -4937.5, 0] },
          { mass: 1.8083e30, position: [1.6753e12, 0, 0], velocity: [0, 5857.6, 0] },
        ],
        dt: 864000,
        t_max: 2.5183e9,
        order: 6,
      },
    },
  ],
  headline: [
    { member: 'size', label: 'Distance from the barycentre, root mean square' },
    { member: 'energyDriftPct', label: 'Energy drift' },
    { member: 'initialEnergy', label: 'Energy' },
    { member: 'steps', label: 'Steps' },
  ],
  advanced: ['referenceMode', 'G', 'softening', 'dt', 'order', 'outputs', 'field'],
}
