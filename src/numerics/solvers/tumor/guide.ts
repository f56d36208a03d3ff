import type { Guide } from '#numerics/runtime/guide.ts'
import type { TumorInput, TumorOutput } from './schema.ts'

/** Spreading populations of cells and others to begin with, and what is read off first. */
export const tumorGuide: Guide<TumorInput, TumorOutput> = {
  presets: [
    {
      name: 'Glioblastoma, half a year',
      about:
        'D = 0.13 mm² and ρ = 0.012 a day, means of Swanson’s patients: a nodule of 6 mm spreads at about ' +
        '2·√(D·ρ), 29 mm a year in the end.',
      input: {
        lx: 0.15,
        nx: 1000,
        dt: 86400,
        steps: 180,
        initial: { kind: 'gaussian', x: 0.5, sigma: 0.02, amplitude: 0.5 },
      },
    },
    {
      name: 'Low-grade glioma, five years',
      about:
        'A tenth of both rates: the same wave, ten times slower. What grows 3 mm a year is watched, not cut. ' +
        'Harpold and others (2007).',
      input: {
        D: 1.5e-13,
        rho: 1.4e-8,
        lx: 0.15,
        nx: 1000,
        dt: 864000,
        steps: 183,
        initial: { kind: 'gaussian', x: 0.5, sigma: 0.02, amplitude: 0.5 },
      },
    },
    {
      name: 'The exact travelling wave',
      about:
        'Ablowitz and Zeppetella’s front moves at 5·√(D·ρ/6): the one wave that has a closed form, and what the ' +
        'solver is held to.',
      input: {},
    },
    {
      name: 'Muskrats in Bohemia',
      about:
        'Five animals escaped in 1905; Skellam (1951) read 11 km a year off the map. The same equation with D = ' +
        '27 km² and ρ = 1.1 a year, ten years.',
      input: {
        D: 0.8715,
        rho: 3.486e-8,
        lx: 600000,
        nx: 1200,
        dt: 1577880,
        steps: 200,
        initial: { kind: 'gaussian', x: 0.5, sigma: 0.01, amplitude: 0.5 },
      },
    },
  ],
  headline: [
    { member: 'front', label: 'Place of the front' },
    { member: 'frontSpeed', label: 'Mean speed of the front' },
    { member: 'mass', label: 'Amount of cells' },
    { member: 'maxDensity', label: 'Greatest density' },
    { member: 'time', label: 'Time' },
  ],
  advanced: ['nx', 'ny', 'dt', 'walls', 'initial.values'],
}
