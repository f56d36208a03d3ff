import type { Guide } from '#numerics/runtime/guide.ts'
import type { WaveInput, WaveOutput } from './schema.ts'

/** Things that sound, and light to begin with, and what is read off first. */
export const waveGuide: Guide<WaveInput, WaveOutput> = {
  presets: [
    {
      name: 'Drum head struck in the middle',
      about:
        'A square skin of 40 cm with waves at 100 m/s: the blow runs out, turns at the rim and comes back within ' +
        '4 ms.',
      input: { c: 100, nx: 128, ny: 128, lx: 0.4, ly: 0.4, t_max: 0.003, initial: { amplitude: 0.002, sigma: 0.08 } },
    },
    {
      name: 'Low E string of a guitar',
      about:
        'Scale of 65 cm, 107.1 m/s: 82.4 Hz. A bump of 2 mm near the bridge splits in two, and each half comes ' +
        'back turned over.',
      input: { dim: 1, c: 107.1, nx: 512, lx: 0.65, t_max: 0.004, initial: { amplitude: 0.002, x: 0.8, sigma: 0.04 } },
    },
    {
      name: 'Light meets glass',
      about:
        'A bump at rest splits in two; of the half that meets a pane of permittivity 2.25 (index 1.5) a fifth ' +
        'comes back, turned over, and four fifths go on more slowly.',
      input: {
        mode: 'maxwell',
        dim: 1,
        c: 299792458,
        nx: 1024,
        lx: 1,
        t_max: 2e-9,
        slab: { from: 0.6, to: 0.85, permittivity: 2.25 },
        initial: { x: 0.3, sigma: 0.03 },
      },
    },
    {
      name: 'Chladni figure (3, 2)',
      about: 'One mode of a square plate of sand: three half waves along, two across, and lines that never move.',
      input: {
        c: 100,
        nx: 128,
        ny: 128,
        lx: 0.4,
        ly: 0.4,
        t_max: 0.003,
        initial: { kind: 'mode', amplitude: 0.001, m: 3, n: 2 },
      },
    },
    {
      name: 'Ring on a pond',
      about:
        'A drop on shallow water, 4 cm deep (√(g·h) = 0.63 m/s), in a basin that reflects without loss: after a ' +
        'second the ring has 63 cm of radius.',
      input: {
        c: 0.626,
        nx: 160,
        ny: 160,
        lx: 2,
        ly: 2,
        t_max: 1,
        boundary: 'free',
        initial: { amplitude: 0.005, sigma: 0.04 },
      },
    },
  ],
  headline: [
    { member: 'maximum', label: 'Greatest value' },
    { member: 'centre', label: 'Value in the middle' },
    { member: 'rms', label: 'Root mean square' },
    { member: 'energy', label: 'Mean energy' },
    { member: 'time', label: 'Time' },
  ],
  advanced: ['nx', 'ny', 'courant', 'dt', 'order', 'initial.values', 'initial.velocities', 'initial.flux'],
}
