// Goal: an operator is found by whatever a user has of it, best first. Method: queries with the row that must lead,
// filters that must leave out, pages that must neither overlap nor shift.
import assert from 'node:assert/strict'
import { PAGE_MAX, searchOperators } from '#numerics/operators/search.ts'
import { searches } from '../../../scripts/bench/operators/queries.ts'
import { suite } from '../../kit/suite.ts'
import { faultOf, registry } from './table.ts'

const test = suite('operator search')

const found = (query: Parameters<typeof searchOperators>[1]) =>
  searchOperators(registry, query).found.map((it) => it.row.id)

test('id, name, variable, alias and free words lead to the row', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['gr37', 'GR37'],
    ['schwarzschild', 'GR37'],
    ['kinetic energy', 'NM23'],
    ['hooke law', 'NM30'],
    ['de broglie', 'QM9'],
    ['tunnelling barrier', 'QM8'],
    ['uncertainty', 'QM2'],
    ['fermi occupation', 'QM15'],
  ]
  for (const [text, id] of cases) assert.equal(found({ text })[0], id, text)
  assert.ok(found({ text: 'spring constant' }).includes('NM30'))
  assert.deepEqual(found({ text: 'kinetic nonsense' }), [])
})

test('filters by domain, unit, symbol and kind', () => {
  const relativity = registry.operators.filter(({ row }) => row.domain === 'relativity').map(({ row }) => row.id)
  assert.deepEqual(found({ domain: 'relativity', limit: PAGE_MAX }), relativity)
  const lengths = found({ unit: 'km', domain: 'relativity', limit: PAGE_MAX })
  const hasLength = (id: string): boolean =>
    Object.values(registry.operator(id).row.variables).some(({ unit }) => unit === 'm')
  assert.deepEqual(lengths, relativity.filter(hasLength))
  const mechanics = { domain: 'classical-mechanics', limit: PAGE_MAX }
  assert.ok(
    found({ ...mechanics, symbol: 'K' }).includes('NM23') && !found({ ...mechanics, symbol: 'k' }).includes('NM23'),
  )
  assert.ok(!found({ refused: false, limit: PAGE_MAX }).includes('QM2'))
})

test('pages tile the whole and bad ones are refused', () => {
  const { total } = searchOperators(registry, {})
  assert.equal(total, registry.ids.length)
  const tiled = Array.from({ length: Math.ceil(total / 10) }, (_, i) => found({ limit: 10, offset: 10 * i })).flat()
  assert.deepEqual(tiled, registry.ids)
  for (const query of [
    { limit: 0 },
    { limit: PAGE_MAX + 1 },
    { offset: -1 },
    { text: 'x'.repeat(201) },
    { unit: 'nope' },
  ]) {
    assert.equal(faultOf(() => searchOperators(registry, query)).code, 'INVALID_INPUT')
  }
})

test('what people type leads to the row that they mean', () => {
  const reads = searches.map(([text, ...ids]) => ({ text, ids, top: found({ text, limit: 3 }) }))
  const misses = reads.filter(({ ids, top }) => !ids.includes(top[0] ?? ''))
  const lost = reads.filter(({ ids, top }) => !top.some((id) => ids.includes(id)))
  assert(searches.length >= 60)
  for (const { ids } of reads) for (const id of ids) assert(registry.has(id), id)
  assert(misses.length <= searches.length / 20, JSON.stringify(misses))
  assert(lost.length <= searches.length / 50, JSON.stringify(lost))
})

test('a slip, a plural, a Greek letter, another spelling or an accent change nothing; nonsense finds nothing', () => {
  const same: readonly (readonly [string, string])[] = [
    ['schwarzschild', 'schwarzchild'],
    ['torque of a motor', 'torques of motors'],
    ['omega', 'ω'],
    ['vapour pressure', 'vapor pressures'],
    ['tunnelling barrier', 'tunneling barrier'],
    ['ampere', 'Ampère'],
    ['magnetisation', 'magnetization'],
  ]
  for (const [a, b] of same) assert.equal(found({ text: a })[0], found({ text: b })[0], `${a}, ${b}`)
  for (const text of ['qqqqqq', 'kinetic qqqqqq', '!!', '=']) {
    assert.deepEqual(found({ text }), [], text)
  }
  const metres = found({ text: 'N m', limit: PAGE_MAX }).slice(0, 10)
  for (const id of metres) {
    const units = Object.values(registry.operator(id).row.variables).map(({ unit }) => unit)
    assert(units.includes('N*m'), id)
  }
})

test('a filter narrows what a text finds', () => {
  const all = found({ text: 'speed of sound', limit: PAGE_MAX })
  const some = found({ text: 'speed of sound', domain: 'acoustics', limit: PAGE_MAX })
  assert(some.length > 0 && some.length < all.length && some.every((id) => all.includes(id)))
})

test.run()
