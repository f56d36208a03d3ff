/** An operator as somebody proposes it, with reference cases that it meets. */
export const proposed = {
  row: {
    ...{ id: 'XP1', name: 'Kinetic energy of a body', domain: 'mechanics', equation: 'E = m*v^2/2' },
    variables: {
      E: { name: 'energy', unit: 'J' },
      m: { name: 'mass', unit: 'kg', positive: true },
      v: { name: 'speed', unit: 'm/s' },
    },
    ...{ solves_for: ['E', 'm'], source: 'A textbook, section 7.2' },
    example: { inputs: { m: 2, v: 3 }, output: 'E', value: 9, unit: 'J' },
  },
  cases: [
    { inputs: { m: 2, v: 3 }, output: 'E', value: 9, unit: 'J' },
    { inputs: { m: 1, v: 10 }, output: 'E', value: 50, unit: 'J' },
    { inputs: { E: 8, v: 4 }, output: 'm', value: 1, unit: 'kg' },
  ],
}
