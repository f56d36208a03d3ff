import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, orNull, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

const MODELS = ['SIR', 'SEIR'] as const
const METHODS = ['dopri5', 'dopri8'] as const
/** People of the largest population. */
export const PEOPLE_MAX = 1e12

const rate = (initial: number, description: string) =>
  finite({ ...within(0, 1e3, initial), description, 'x-unit': '1/d' })
const people = (description: string, initial = 0) =>
  finite({ ...within(0, PEOPLE_MAX, initial), description, 'x-unit': '1' })

/** Everything that states an epidemic, with its default: `{}` is the documented case. */
export const epiInput = closed({
  model: oneOf(MODELS, {
    default: 'SIR',
    description: 'SIR, or SEIR: a latent class between infection and infectiousness.',
  }),
  beta: rate(0.3, 'Transmission rate β: new infections per day of one infectious among susceptibles alone.'),
  gamma: rate(0.1, 'Recovery rate γ.'),
  sigma: rate(0.2, 'Rate σ at which the exposed become infectious; of SEIR alone.'),
  N: finite({ ...within(1e-6, PEOPLE_MAX, 1e6), description: 'Population.', 'x-unit': '1' }),
  I0: people('Infectious at time 0.', 10),
  E0: people('Exposed at time 0; of SEIR alone.'),
  R0: people('Recovered at time 0.'),
  t_max: finite({ ...within(1e-6, 1e7, 160), description: 'Time of the run.', 'x-unit': 'd' }),
  vaccination: closed(
    {
      rate: finite({
        ...within(0, 100, 0),
        description: 'Share of the susceptible vaccinated per day.',
        'x-unit': '1/d',
      }),
      initialFraction: finite({
        ...within(0, 1, 0),
        description: 'Share of the susceptible vaccinated before time 0.',
        'x-unit': '1',
      }),
    },
    { default: {}, description: 'Vaccination; it protects at once, wholly and for good.' },
  ),
  method: oneOf(METHODS, { default: 'dopri5', description: 'Integrator: order 5, or 8 with fewer derivatives.' }),
  outputs: integer({ ...within(1, 4_096, 320), description: 'Equal intervals between the answers.' }),
  initial: Type.Optional(
    closed(
      {
        S: people('Susceptible.'),
        E: people('Exposed.'),
        I: people('Infectious.'),
        R: people('Recovered.'),
        V: people('Vaccinated.'),
      },
      { description: 'All compartments at time 0, in place of I0, E0, R0 and the initial fraction; they add up to N.' },
    ),
  ),
})

const persons = (description: string) => finite({ description, 'x-unit': '1' })
const course = (description: string) =>
  series({ unit: '1', shape: ['outputs + 1'], axes: ['times'], description: `${description} at those times.` })

/** The answer: every compartment over time, the peak, and where it all ends. */
export const epiOutput = closed({
  model: oneOf(MODELS, { description: 'The model that ran.' }),
  N: persons('Population.'),
  t_max: finite({ description: 'Time of the last state.', 'x-unit': 'd' }),
  reproductionNumber: orNull(finite({ 'x-unit': '1' }), {
    description: 'Basic reproduction number β/γ; null without recovery.',
  }),
  herdImmunityThreshold: orNull(finite({ 'x-unit': '1' }), {
    description: 'Share of immune people above which an infection dies out, 1 − γ/β or 0; null without transmission.',
  }),
  susceptibleEnd: persons('Susceptible at t_max: the sealed value.'),
  exposedEnd: persons('Exposed at t_max.'),
  infectiousEnd: persons('Infectious at t_max.'),
  recoveredEnd: persons('Recovered at t_max.'),
  vaccinatedEnd: persons('Vaccinated at t_max.'),
  attackRate: finite({ description: 'Share of the population infected from time 0 to t_max.', 'x-unit': '1' }),
  susceptibleLimit: orNull(finite({ 'x-unit': '1' }), {
    description:
      'Susceptible that are left in the end (final-size relation); null with a vaccination rate or no recovery.',
  }),
  peakInfectious: persons('Largest number of infectious up to t_max.'),
  peakTime: finite({ description: 'Time of it.', 'x-unit': 'd' }),
  invariantDriftPct: orNull(finite({ 'x-unit': '%' }), {
    description: 'Largest drift of S + E + I − (γ/β)·N·ln S in percent of N; null where nothing keeps it.',
  }),
  times: series({ unit: 'd', shape: ['outputs + 1'], description: 'Times of the answers.' }),
  susceptible: course('Susceptible'),
  exposed: course('Exposed'),
  infectious: course('Infectious'),
  recovered: course('Recovered'),
  vaccinated: course('Vaccinated'),
})

/** A full input of the solver. */
export type EpiInput = Static<typeof epiInput>
/** What it answers. */
export type EpiOutput = Static<typeof epiOutput>
