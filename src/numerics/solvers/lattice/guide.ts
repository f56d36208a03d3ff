import type { Guide } from '#numerics/runtime/guide.ts'
import type { LatticeInput, LatticeOutput } from './schema.ts'

/** Values seen from several nodes to begin with, and what is read off first. */
export const latticeGuide: Guide<LatticeInput, LatticeOutput> = {
  presets: [
    {
      name: 'Eight nodes and one force',
      about:
        'Five kilograms at 2 m/s² are 10 N at every node; what differs is the stamp, by at most a thousandth, as ' +
        'each clock stands elsewhere in its tick.',
      input: {},
    },
    {
      name: 'Two nodes half a tick apart',
      about: 'Their stamps lie on opposite sides of the value, so their mean is the value itself whatever the moment.',
      input: { nodeCount: 2 },
    },
    {
      name: 'Orbit of the space station, sixteen nodes',
      about: 'The period at 408 km is 92.6 minutes at each of them (ORBIT_PERIOD_ALTITUDE).',
      input: {
        nodeCount: 16,
        spec: { operators: ['ORBIT_PERIOD_ALTITUDE'], inputs: { M: 5.9722e24, R: '6371 km', h: '408 km' } },
      },
    },
    {
      name: 'Ten times the amplitude',
      about:
        'With a manual amplitude of 1 % the spread of the stamps grows tenfold and the coherence falls with it; ' +
        'the value stays.',
      input: { mode: 'manual', beta: 0.01 },
    },
  ],
  headline: [
    { member: 'specValue', label: 'Value' },
    { member: 'coherenceScore', label: 'Coherence' },
    { member: 'meanRt', label: 'Mean of the stamps' },
    { member: 'sdRt', label: 'Spread of the stamps' },
  ],
  advanced: ['tick', 'phaseNs', 'genesis', 'mode', 'beta', 'spec.bracket', 'spec.domain'],
}
