import type { Guide } from '#numerics/runtime/guide.ts'
import type { HeatInput, HeatOutput } from './schema.ts'

/** Problems of heat diffusion to begin with, and what is read off one. */
export const heatGuide: Guide<HeatInput, HeatOutput> = {
  presets: [
    {
      name: 'Hot spot on a steel plate',
      about: 'Carbon steel, 20 cm a side, edges kept at 20 °C, a spot 100 K hotter: what is left of it after a minute.',
      input: {
        alpha: 1.17e-5,
        lx: 0.2,
        ly: 0.2,
        dt: 0.3,
        initial: { amplitude: 100, x: 0.5, y: 0.5 },
        boundary: { temperature: 293.15 },
      },
    },
    {
      name: 'Copper rod between ice and steam',
      about:
        '1 m of copper, warm in the middle, its ends in ice and steam: in a quarter of an hour almost a straight line.',
      input: {
        dim: 1,
        alpha: 1.17e-4,
        nx: 256,
        dt: 4.5,
        initial: { amplitude: 50, x: 0.5 },
        boundary: { temperature: 273.15, right: 373.15 },
      },
    },
    {
      name: 'Brick out of the kiln, insulated',
      about: 'A hot block within brick that loses no heat: the mean stays, and the block evens out within hours.',
      input: {
        alpha: 5.2e-7,
        lx: 0.4,
        ly: 0.4,
        nx: 96,
        ny: 96,
        dt: 60,
        initial: { kind: 'box', amplitude: 600 },
        boundary: { kind: 'insulated', temperature: 293.15 },
      },
    },
    {
      name: 'One sine on a ring',
      about: 'The textbook case: a wave around a closed ring fades by exp(−α·k²·t) and keeps its shape.',
      input: { dim: 1, initial: { kind: 'mode', m: 2 }, boundary: { kind: 'periodic' } },
    },
  ],
  headline: [
    { member: 'maxTemperature', label: 'Highest temperature' },
    { member: 'meanTemperature', label: 'Mean temperature' },
    { member: 'centreTemperature', label: 'Temperature at the centre' },
    { member: 'time', label: 'After' },
  ],
  advanced: ['scheme', 'start'],
}
