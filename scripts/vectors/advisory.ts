/** A row whose condition alone matters. */
const row = (over: object): object => ({
  ...{ id: 'TM-2026-1', solver: 'heat', revisions: [1], where: { always: true } },
  ...{ says: 'a', off: 'b', successor: null, tick: 1 },
  ...over,
})

/** Conditions of the advisory list with inputs on both sides of each, and lists that a reader refuses. */
export const advisoryVectors = (): object => ({
  conditions: [
    { where: { always: true }, meets: [{}], misses: [] },
    {
      where: { member: 'mode', is: 'plate' },
      meets: [{ mode: 'plate' }],
      misses: [{ mode: 'bar' }, {}, { mode: ['plate'] }],
    },
    {
      where: { member: 'a.b', is: null },
      meets: [{ a: { b: null } }],
      misses: [{ a: null }, { a: { b: 0 } }, { 'a.b': null }],
    },
    { where: { member: 'n', above: 40 }, meets: [{ n: 41 }, { n: 40.5 }], misses: [{ n: 40 }, { n: '41' }, {}] },
    { where: { member: 'n', below: 42 }, meets: [{ n: 36 }], misses: [{ n: 42 }, { n: null }, {}] },
    {
      where: { member: 'bodies', longer: 2 },
      meets: [{ bodies: [1, 2, 3] }],
      misses: [{ bodies: [1, 2] }, { bodies: 'abc' }, {}],
    },
    {
      where: { member: 'electrodes', missing: true },
      meets: [{}, { sides: {} }],
      misses: [{ electrodes: [] }, { electrodes: null }],
    },
    {
      where: { all: [{ member: 'a', is: 1 }, { any: [{ member: 'b', is: true }, { not: { member: 'c', is: 2 } }] }] },
      meets: [{ a: 1, b: true, c: 2 }, { a: 1 }],
      misses: [{ a: 1, c: 2 }, { b: true }],
    },
    { where: { member: 'constructor', missing: true }, meets: [{}], misses: [] },
  ],
  refused: [
    {},
    [{ id: 'TM-2026-1' }],
    [row({ where: {} })],
    [row({ where: { member: 'a', like: 'b' } })],
    [row({ where: { member: 'a', is: 1, above: 0 } })],
    [row({ where: { member: 'a..b', is: 1 } })],
    [row({ where: { all: [] } })],
    [row({ where: { member: 'a', toString: 1 } })],
    [row({ where: { not: { not: { not: { not: { not: { not: { not: { not: { not: { always: true } } } } } } } } } } })],
    [row({ revisions: [2], successor: 'heat@2' })],
    [row({ successor: 'wave@2' })],
    [row({ says: '' })],
    [row({}), row({})],
  ],
})
