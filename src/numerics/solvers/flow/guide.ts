import type { Guide } from '#numerics/runtime/guide.ts'
import type { FlowInput, FlowOutput } from './schema.ts'

/** Flows to begin with, and what is read off first. */
export const flowGuide: Guide<FlowInput, FlowOutput> = {
  presets: [
    {
      name: 'Lid-driven cavity, Re 100',
      about:
        'The test that every flow code passes first: the least speed on the upright centre line is −0.21404 of ' +
        'the lid’s (Botella and Peyret 1998).',
      input: { case: 'cavity', re: 100, nx: 64 },
    },
    {
      name: 'Vortices carried by a stream',
      about:
        'Taylor and Green’s vortices at Re 100 drift with the stream and lose two per cent of their speed to ' +
        'viscosity in the time shown.',
      input: {},
    },
    {
      name: 'Vortices that die out, Re 20',
      about:
        'Five times as viscous, the same vortices lose a tenth of their speed; their energy falls twice as fast ' +
        'as the speed, exp(−4νk²t).',
      input: { re: 20, nx: 128, ny: 128 },
    },
    {
      name: 'Water set in motion between plates',
      about:
        'A gap of 1 mm, at last 5 cm/s in the middle (ν = 1e-6 m²/s, so Re 50): after 0.1 s the mean speed is at ' +
        '63 % of the 3.3 cm/s of its parabola.',
      input: { case: 'channel', re: 50, speed: 0.05, length: 0.001 },
    },
    {
      name: 'Olive oil in a gap of 5 mm',
      about:
        'Oil at 20 °C (ν = 8.4e-5 m²/s) at 10 cm/s: Re 6. After 30 ms it is where water in 1 mm is after 100: ' +
        'time goes with length²/ν.',
      input: { case: 'channel', re: 6, speed: 0.1, length: 0.005 },
    },
  ],
  headline: [
    { member: 'vortexSpeed', label: 'Speed of the vortices' },
    { member: 'bulkSpeed', label: 'Mean speed in the channel' },
    { member: 'uMin', label: 'Least speed on the upright line' },
    { member: 'psiMin', label: 'Stream function in the vortex' },
    { member: 'viscosity', label: 'Kinematic viscosity' },
  ],
  advanced: ['nx', 'ny', 'dt', 'steps', 'start'],
}
