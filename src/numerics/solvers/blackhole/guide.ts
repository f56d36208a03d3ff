import type { Guide } from '#numerics/runtime/guide.ts'
import type { BlackholeInput, BlackholeOutput } from './schema.ts'

/** Falls, orbits and an end to begin with, and what is read off first. */
export const blackholeGuide: Guide<BlackholeInput, BlackholeOutput> = {
  presets: [
    {
      name: 'Fall into the centre of the Milky Way',
      about:
        'From rest at ten radii of Sagittarius A* (4.297 million suns, GRAVITY 2022) to its horizon: 35 minutes ' +
        'by one’s own clock. From far away it never ends.',
      input: { M: 8.5464e36, r0: 10 },
    },
    {
      name: 'Mercury’s 43 arc seconds',
      about:
        'The turn of the ellipse at each orbit is 5.02e-7 rad; times 415 orbits a century that is 43″, the first ' +
        'test of general relativity. Orbit as in NASA’s fact sheet.',
      input: { mode: 'orbit', M: 1.98841e30, r0: 15576520, orbit: { l: 6128.53, turns: 3 } },
    },
    {
      name: 'Star S2 about Sagittarius A*',
      about:
        'It comes within 120 astronomical units of the hole every 16 years; its ellipse turns by 12 arc minutes ' +
        '(3.5e-3 rad) each time, as GRAVITY measured in 2020.',
      input: { mode: 'orbit', M: 8.5464e36, r0: 1398.2, orbit: { l: 72.6, turns: 2 } },
    },
    {
      name: 'Orbit that whirls',
      about:
        'Close to the hole Newton’s ellipse becomes a zoom and a whirl: the particle goes round more than once ' +
        'at each nearest approach.',
      input: { mode: 'orbit', r0: 12, orbit: { l: 3.85, turns: 5 } },
    },
    {
      name: 'Primordial hole that ends today',
      about:
        'A hole of 1.73e11 kg, a small mountain, radiates its mass away within the age of the universe, 13.8 ' +
        'billion years, by photons alone. Hawking (1974).',
      input: { mode: 'hawking', M: 1.73e11 },
    },
  ],
  headline: [
    { member: 'properTime', label: 'Time by its own clock' },
    { member: 'precession', label: 'Turn of the ellipse per orbit' },
    { member: 'schwarzschildRadius', label: 'Schwarzschild radius' },
    { member: 'hawkingTemperature', label: 'Hawking temperature' },
    { member: 'evaporationTime', label: 'Time until it has evaporated' },
  ],
  advanced: ['state'],
}
