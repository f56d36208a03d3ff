import type { Guide } from '#numerics/runtime/guide.ts'
import type { LotkaInput, LotkaOutput } from './schema.ts'

/** Predators and prey to begin with, and what is read off first. */
export const lotkaGuide: Guide<LotkaInput, LotkaOutput> = {
  presets: [
    {
      name: 'Lynx and hare of Hudson Bay',
      about:
        'Pelts of 1900 to 1920 in thousands, with the rates that Carpenter (Stan case study, 2018) fitted: a ' +
        'cycle of ten years, the lynx a year or two behind.',
      input: { alpha: 0.55, beta: 0.028, delta: 0.024, gamma: 0.8, x0: 34, y0: 5.9, t_max: 40 },
    },
    {
      name: 'Pond pike and roach',
      about:
        'Four pike per hundred roach, roughly: the roach swing between a handful and dozens over six or seven ' +
        'years, though nothing comes in from outside.',
      input: { alpha: 1.1, beta: 0.2, delta: 0.03, gamma: 0.9, x0: 40, y0: 4, t_max: 30 },
    },
    {
      name: 'Adriatic, fished',
      about:
        'Fishing takes 0.3 a year of both kinds: Volterra’s paradox. Prey stand higher on average and predators ' +
        'lower than without; compare with the next.',
      input: { alpha: 0.7, beta: 0.1, delta: 0.02, gamma: 0.8, x0: 30, y0: 9, t_max: 60 },
    },
    {
      name: 'Adriatic in the war years',
      about:
        'No boats from 1915 to 1918: the growth rate of the prey rises by 0.3, the death rate of the predators ' +
        'falls by it, and the share of sharks rises.',
      input: { alpha: 1, beta: 0.1, delta: 0.02, gamma: 0.5, x0: 30, y0: 9, t_max: 60 },
    },
    {
      name: 'Near the balance',
      about:
        'A start 2 % off the fixed point: the cycle is small and its period is 2π/√(α·γ) = 9.47 years, as for a ' +
        'pendulum with small swings.',
      input: { x0: 4.08, y0: 2.75, t_max: 60 },
    },
  ],
  headline: [
    { member: 'period', label: 'Period of the cycle' },
    { member: 'preyEquilibrium', label: 'Prey on average' },
    { member: 'predatorsEquilibrium', label: 'Predators on average' },
    { member: 'preyEnd', label: 'Prey at the end' },
    { member: 'predatorsEnd', label: 'Predators at the end' },
  ],
  advanced: ['method', 'dt', 'outputs'],
}
