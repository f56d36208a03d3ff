import type { Guide } from '#numerics/runtime/guide.ts'
import type { ReactInput, ReactOutput } from './schema.ts'

/** Patterns to begin with, and what is read off first. */
export const reactGuide: Guide<ReactInput, ReactOutput> = {
  presets: [
    {
      name: 'Spots that divide',
      about:
        'Gray and Scott’s chemistry at F = 0.0367, k = 0.0649: spots grow, neck and split like cells. Pearson, ' +
        'Science 261 (1993) 189.',
      input: { n: 72, F: 0.0367, k: 0.0649, initial: { size: 0.2 } },
    },
    {
      name: 'Coral',
      about: 'At F = 0.0545, k = 0.062 the front branches into a labyrinth that fills the plane.',
      input: { n: 72, F: 0.0545, k: 0.062 },
    },
    {
      name: 'Solitons that do not touch',
      about: 'At F = 0.03, k = 0.062 stripes and spots keep their distance: each has eaten the feed around it.',
      input: { n: 72, F: 0.03, k: 0.062, steps: 1500 },
    },
    {
      name: 'Pulse in heart muscle',
      about:
        'FitzHugh–Nagumo below its threshold: a spot that is stimulated sends one ring outwards, and what lies ' +
        'behind rests for a while.',
      input: { model: 'fitzhugh-nagumo', n: 96, current: 0, Du: 0.5, Dv: 0, rate: 1, dt: 0.2, steps: 300 },
    },
  ],
  headline: [
    { member: 'integralV', label: 'Amount of v' },
    { member: 'integralU', label: 'Amount of u' },
    { member: 'activity', label: 'Distance from rest' },
    { member: 'time', label: 'Time' },
  ],
  advanced: ['dt', 'dx', 'initial.noise', 'initial.seed', 'initial.u', 'initial.v'],
}
