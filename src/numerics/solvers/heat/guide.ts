import type { Guide } from '#numerics/runtime/guide.ts'
import type { HeatInput, HeatOutput } from './schema.ts'

/** Bodies that warm and cool to begin with, and what is read off first. */
export const heatGuide: Guide<HeatInput, HeatOutput> = {
  presets: [
    {
      name: 'Concrete wall overnight',
      about:
        'A wall of 40 cm at 20 °C, its faces at 0 °C for eight hours (α = 8.4e-7 m²/s): its middle is still at ' +
        '5.7 °C in the morning, which is why thick walls feel warm.',
      input: {
        dim: 1,
        alpha: 8.4e-7,
        nx: 256,
        lx: 0.4,
        dt: 60,
        steps: 480,
        initial: { kind: 'box', amplitude: 20, x: 0.5, width: 1 },
        boundary: { temperature: 273.15 },
      },
    },
    {
      name: 'Laser spot on a copper sheet',
      about:
        'A spot of 5 mm, 100 K hot, on copper (1.17e-4 m²/s): half of its height is gone after a tenth of a ' +
        'second. The edges of the 10 cm sheet are held.',
      input: {
        alpha: 1.17e-4,
        nx: 160,
        ny: 160,
        lx: 0.1,
        ly: 0.1,
        dt: 0.0025,
        steps: 200,
        initial: { amplitude: 100, x: 0.5, y: 0.5, sigma: 0.05 },
        boundary: { temperature: 293.15 },
      },
    },
    {
      name: 'Steel billet in water',
      about:
        'A bar of 20 × 20 cm comes red hot, 800 K above the bath: its skin is cold at once, its core needs ' +
        'minutes (α = 1.2e-5 m²/s).',
      input: {
        alpha: 1.2e-5,
        lx: 0.2,
        ly: 0.2,
        dt: 1,
        steps: 240,
        initial: { kind: 'box', amplitude: 800, x: 0.5, y: 0.5, width: 1, height: 1 },
        boundary: { temperature: 293.15 },
      },
    },
    {
      name: 'Rod between ice and steam',
      about:
        'Iron (2.3e-5 m²/s), 50 cm, one end at 100 °C, the other at 0: a bulge of 40 K on the steady line has ' +
        'sunk to 13 K after twenty minutes.',
      input: {
        dim: 1,
        alpha: 2.3e-5,
        nx: 128,
        lx: 0.5,
        dt: 5,
        steps: 240,
        initial: { kind: 'mode', amplitude: 40, m: 1 },
        boundary: { temperature: 373.15, right: 273.15 },
      },
    },
    {
      name: 'Hot spot on an insulated chip',
      about:
        'Silicon (8.8e-5 m²/s), 10 mm square: nothing leaves, so the mean stays and the peak runs down to it ' +
        'within some tenths of a second.',
      input: {
        alpha: 8.8e-5,
        lx: 0.01,
        ly: 0.01,
        dt: 5e-5,
        steps: 200,
        initial: { amplitude: 60, x: 0.3, y: 0.35, sigma: 0.1 },
        boundary: { kind: 'insulated', temperature: 293.15 },
      },
    },
  ],
  headline: [
    { member: 'centreTemperature', label: 'Temperature in the middle' },
    { member: 'maxTemperature', label: 'Highest temperature' },
    { member: 'meanTemperature', label: 'Mean temperature' },
    { member: 'time', label: 'Time' },
  ],
  advanced: ['scheme', 'start', 'initial.values'],
}
