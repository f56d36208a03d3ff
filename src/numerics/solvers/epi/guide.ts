import type { Guide } from '#numerics/runtime/guide.ts'
import type { EpiInput, EpiOutput } from './schema.ts'

/** Epidemics to begin with, and what is read off first. */
export const epiGuide: Guide<EpiInput, EpiOutput> = {
  presets: [
    {
      name: 'Measles in an unvaccinated school',
      about:
        'One case infects 15 others among a thousand pupils who never had it; ten days latent, eight infectious ' +
        '(Anderson and May 1991). Nobody is left out.',
      input: { model: 'SEIR', beta: 1.875, gamma: 0.125, sigma: 0.1, N: 1000, I0: 1, t_max: 120 },
    },
    {
      name: 'Measles, 90 % vaccinated',
      about:
        'The same disease in a town of 100,000: 90 % are just below the 93 % of herd immunity, so ten cases ' +
        'still become thousands, only slowly.',
      input: {
        model: 'SEIR',
        beta: 1.875,
        gamma: 0.125,
        sigma: 0.1,
        N: 100000,
        I0: 10,
        t_max: 500,
        vaccination: { initialFraction: 0.9 },
      },
    },
    {
      name: 'Influenza at a boarding school, 1978',
      about:
        'The outbreak that textbooks fit: 763 boys, one ill at first, beds full on day 6 or 7 with nearly 300. ' +
        'Numbers of Murray, Mathematical Biology, 10.1.',
      input: { beta: 1.6633, gamma: 0.44036, N: 763, I0: 1, t_max: 15, outputs: 150 },
    },
    {
      name: 'Seasonal influenza in a city',
      about:
        'R₀ = 1.3 and three infectious days: a small number, a flat wave, and yet four in ten fall ill. ' +
        'Biggerstaff and others, BMC Infect. Dis. 14 (2014) 480.',
      input: { beta: 0.43333, gamma: 0.33333, N: 1e6, I0: 10, t_max: 300 },
    },
    {
      name: 'COVID-19 in 2020, nothing done',
      about:
        'R₀ = 2.5, three days latent, five infectious, ten million people and a hundred cases: when the peak ' +
        'would come and how high. Flaxman and others (2020) for R₀.',
      input: { model: 'SEIR', beta: 0.5, gamma: 0.2, sigma: 0.33333, N: 1e7, I0: 100, t_max: 240 },
    },
  ],
  headline: [
    { member: 'peakInfectious', label: 'Infectious at the peak' },
    { member: 'peakTime', label: 'Day of the peak' },
    { member: 'attackRate', label: 'Share infected in all' },
    { member: 'reproductionNumber', label: 'Basic reproduction number R₀' },
    { member: 'herdImmunityThreshold', label: 'Share immune that would stop it' },
  ],
  advanced: ['E0', 'R0', 'method', 'outputs', 'initial'],
}
