import type { Guide } from '#numerics/runtime/guide.ts'
import type { ClimateInput, ClimateOutput } from './schema.ts'

/** Water to set in motion to begin with, and what is read off first. */
export const climateGuide: Guide<ClimateInput, ClimateOutput> = {
  presets: [
    {
      name: 'Tsunami over a deep ocean',
      about:
        'A hump of 1 m and 200 km spreads for an hour over 4 km of water: its front runs at √(g·h) = 198 m/s, as ' +
        'an airliner. Depths as of the Pacific.',
      input: {
        mode: 'general',
        nx: 96,
        ny: 96,
        lx: 3e6,
        ly: 3e6,
        depth: 4000,
        coriolis: 0,
        t_max: 3600,
        initial: { amplitude: 1, sigma: 0.067 },
      },
    },
    {
      name: 'Tsunami over a seamount',
      about:
        'A hump of 1 m meets a mountain that leaves 1.5 km of 4 km of water: the wave slows to 121 m/s above it, ' +
        'rises, and bends round behind it.',
      input: {
        mode: 'general',
        nx: 112,
        ny: 112,
        lx: 3e6,
        ly: 3e6,
        depth: 4000,
        coriolis: 0,
        t_max: 4800,
        bottom: { height: 2500, x: 0.7, y: 0.5, sigma: 0.06 },
        initial: { amplitude: 1, x: 0.4, sigma: 0.067 },
      },
    },
    {
      name: 'Lake at rest over a hill',
      about:
        'Three hundred metres of hill under a kilometre of water, and nothing moves: a scheme that is not well ' +
        'balanced makes storms here.',
      input: { mode: 'rest', nx: 64, ny: 64 },
    },
    {
      name: 'Jet in balance at 43° north',
      about:
        'Pressure against rotation: the water flows along the slope of its surface and not down it. f = 1e-4 ' +
        '1/s, a jet of 20 m/s in 1 km of water, half a day.',
      input: { speed: 20, t_max: 43200 },
    },
    {
      name: 'Hump of water on a turning plane',
      about:
        'Rossby’s adjustment: waves leave, and a lens of high water stays that turns with the clock, held by ' +
        'rotation. The radius of deformation is 990 km.',
      input: {
        mode: 'general',
        nx: 96,
        ny: 96,
        lx: 8e6,
        ly: 8e6,
        depth: 1000,
        coriolis: 1e-4,
        t_max: 43200,
        initial: { amplitude: 10, sigma: 0.08 },
      },
    },
  ],
  headline: [
    { member: 'maxSpeed', label: 'Greatest speed' },
    { member: 'maxDepth', label: 'Greatest depth' },
    { member: 'minDepth', label: 'Least depth' },
    { member: 'anomaly', label: 'Root mean square of depth less its mean' },
  ],
  advanced: ['courant', 'dt', 'nx', 'ny', 'bottom.values', 'initial.depth', 'initial.fluxX', 'initial.fluxY'],
}
