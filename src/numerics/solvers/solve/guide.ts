import type { Guide } from '#numerics/runtime/guide.ts'
import type { SolveInput, SolveOutput } from './schema.ts'

/** Motions, and an equation for one unknown to begin with, and what is read off first. */
export const solveGuide: Guide<SolveInput, SolveOutput> = {
  presets: [
    {
      name: 'Stone from the Leaning Tower',
      about:
        'From 56 m without air: it lands after 3.38 s. At 3 s it is still 12 m up; there is no ground in this ' +
        'law.',
      input: { height: 56, t_max: 3 },
    },
    {
      name: 'Hammer and feather on the Moon',
      about: 'Apollo 15, 2 August 1971: from 1.6 m both need 1.4 s, at 1.62 m/s².',
      input: { location: 'moon', height: 1.6, t_max: 1.4, dt: 0.01 },
    },
    {
      name: 'Skydiver, flat',
      about:
        'Eighty kilograms on 0.7 m² of drag area in air: after a minute from 4,000 m the speed stands at 43 m/s, ' +
        '155 km/h.',
      input: { referenceMode: 'model', medium: 'air', mass: 80, height: 4000, dragArea: 0.7, t_max: 60, dt: 0.05 },
    },
    {
      name: 'The space station, once round',
      about: 'At 408 km and 7,669 m/s the period is 92.6 minutes; 420,000 kg or one make no difference.',
      input: { referenceMode: 'gravity', mass: 420000, height: 408000, v0: 7669, t_max: 5560, dt: 5 },
    },
    {
      name: 'Friction factor of a pipe',
      about:
        'Colebrook’s equation holds the unknown on both sides; here it is solved, and its sign change shown at ' +
        '50 digits. Steel, 0.045 mm rough, 10 cm, Re 100,000.',
      input: {
        referenceMode: 'algebraic',
        relation: { operator: 'COLEBROOK', inputs: { eps: '0.045 mm', D: '10 cm', Re: 100000 }, solve_for: 'f' },
      },
    },
  ],
  headline: [
    { member: 'finalPosition', label: 'Where it is at the end' },
    { member: 'period', label: 'Period' },
    { member: 'terminalSpeed', label: 'Terminal speed' },
    { member: 'energy', label: 'Energy' },
    { member: 'algebraic.root', label: 'Root' },
  ],
  advanced: ['dt', 'position', 'velocity', 'density', 'volume', 'prompt', 'object', 'relation.bracket'],
}
