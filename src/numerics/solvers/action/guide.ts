import type { Guide } from '#numerics/runtime/guide.ts'
import type { ActionInput, ActionOutput } from './schema.ts'

/** Orbits, pendulums and a star to begin with, and what is read off first. */
export const actionGuide: Guide<ActionInput, ActionOutput> = {
  presets: [
    {
      name: 'Halley’s comet, ten returns',
      about:
        'Between 0.59 and 35 astronomical units: most of the 75 years pass far out, and all of the difficulty ' +
        'lies in the months near the Sun. Orbit of 1986, JPL Small-Body Database.',
      input: { kepler: { mu: 1.32712440018e20, a: 2.66793e12, e: 0.96714 }, stepsPerPeriod: 12000, periods: 10 },
    },
    {
      name: 'Mercury for a century',
      about:
        'Newton’s ellipse closes: 415 turns, and the perihelion stays where it was. The 43 arc seconds that are ' +
        'missing stand with the solver blackhole. NASA planetary fact sheet.',
      input: { kepler: { mu: 1.32712440018e20, a: 5.790905e10, e: 0.20563 }, stepsPerPeriod: 100, periods: 415 },
    },
    {
      name: 'Grandfather clock',
      about:
        'A seconds pendulum of 0.994 m that swings 5° to either side: its period is 0.05 % longer than for the ' +
        'smallest swings, which is 41 seconds a day.',
      input: { system: 'pendulum', pendulum: { length: 0.994, angle: 0.0872664626 }, periods: 30 },
    },
    {
      name: 'Pendulum from almost upright',
      about:
        'Let go one degree off the top, a pendulum of 1 m takes 7.8 s for a swing in place of 2.0 s, and spends ' +
        'most of them near the top.',
      input: { system: 'pendulum', pendulum: { angle: 3.12413936107 }, stepsPerPeriod: 400, periods: 10 },
    },
    {
      name: 'Star in a galaxy, E = 1/12',
      about:
        'At this energy nearly all orbits of Hénon and Heiles (1964) are still regular: the star winds round a ' +
        'torus, and the energy shows that the steps keep it there.',
      input: { system: 'henon-heiles', henonHeiles: { x: 0, y: 0.1, px: 0.396653, py: 0 }, periods: 50 },
    },
  ],
  headline: [
    { member: 'period', label: 'Period' },
    { member: 'place', label: 'Place at the end' },
    { member: 'energyDriftPct', label: 'Energy drift of this method' },
    { member: 'rk4EnergyDriftPct', label: 'Energy drift of Runge–Kutta' },
    { member: 'motion', label: 'Kind of motion' },
  ],
  advanced: ['order', 'stepsPerPeriod', 'outputs', 'initial'],
}
