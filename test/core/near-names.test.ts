// Goal: a name that is a slip of a known one is answered with the known one, everywhere, and what is repeated of a
// wrong input stays small however large it is.
// Method: tables of slips; solver inputs, an endpoint and the router with wrong names, one and 20 000 of them.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { endpoints } from '#api/index.ts'
import { Fault } from '#core/fault.ts'
import { didYouMean, editDistance, membersAt, nearestNames, slipsOf, valueAt } from '#core/near-names.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { inputReader } from '#gateway/input.ts'
import { createRouter } from '#gateway/router.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { solverByName } from '#numerics/solvers/index.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/near-names')

const faultOf = (run: () => unknown): Fault => {
  try {
    run()
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  return assert.fail('nothing was refused')
}

test('edits: a distance, symmetric, exchanged neighbours one; slips are near and the nearest alone', () => {
  assert.deepEqual(
    [editDistance('', 'abc'), editDistance('heat', 'haet'), editDistance('het', 'heat'), editDistance('a', 'b')],
    [3, 1, 1, 1],
  )
  const short = fc.string({ maxLength: 12 })
  fc.assert(
    fc.property(short, short, (a, b) => {
      const it = editDistance(a, b)
      assert.equal(it, editDistance(b, a))
      assert.equal(it === 0, a === b)
      assert(it <= Math.max(a.length, b.length) && it >= Math.abs(a.length - b.length))
    }),
    { seed },
  )
  assert.deepEqual(slipsOf('het', ['wave', 'heat', 'heart']), ['heat'])
  assert.deepEqual(slipsOf('zzzz', ['wave', 'heat']), [])
  assert.deepEqual(nearestNames('alhpa', ['alpha', 'beta', 'lx'], 2), ['alpha', 'beta'].slice(0, 1))
  assert.equal(didYouMean([]), '')
  assert.equal(didYouMean(['nx', 'ny']), ' Did you mean nx or ny?')
})

test('members at a pointer are those of every alternative; a value is found by its pointer', () => {
  const schema = {
    properties: {
      a: { anyOf: [{ properties: { b: {} } }, { type: 'null' }] },
      list: { items: { properties: { mass: {} } } },
    },
  }
  assert.deepEqual(membersAt(schema, ''), ['a', 'list'])
  assert.deepEqual(membersAt(schema, '/a'), ['b'])
  assert.deepEqual(membersAt(schema, '/list/3'), ['mass'])
  assert.deepEqual(membersAt(schema, '/nowhere/x'), [])
  assert.equal(valueAt({ 'x/y': [1, 2] }, '/x~1y/1'), 2)
  assert.equal(valueAt({}, '/toString'), undefined)
})

const heat = solverByName('heat')
assert(heat !== undefined)
const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`wrong${i}`, 1]))

test('an unknown input, an unknown value of one, an unknown operator: the name that may be meant', () => {
  const unknown = faultOf(() => resolveInput(heat, { nxx: 5 }))
  assert(unknown.message.startsWith('/nxx: is not known here. Did you mean nx'), unknown.message)
  assert((unknown.details['suggestions'] as string[]).includes('nx'))
  const inner = faultOf(() => resolveInput(heat, { initial: { knid: 'box' } }))
  assert.equal(inner.message, '/initial/knid: is not known here. Did you mean kind?')
  const value = faultOf(() => resolveInput(heat, { scheme: 'fcts' }))
  assert.deepEqual(value.details['suggestions'], ['ftcs'])
  assert(value.message.endsWith('Did you mean ftcs?'))
  assert.equal(faultOf(() => resolveInput(heat, { scheme: 'quite another' })).details['suggestions'], undefined)
  assert.match(faultOf(() => loadRegistry().operator('NM91')).message, /Did you mean NM19/)
})

test('20 000 unknown members, or one of a megabyte: a path, a count, and a short message', () => {
  for (const given of [many, { ['x'.repeat(1_000_000)]: 1 }, { initial: many }]) {
    const fault = faultOf(() => resolveInput(heat, given))
    assert(fault.message.length < 200 && JSON.stringify(fault.details).length < 2000, fault.message.slice(0, 300))
    assert(String(fault.details['path']).startsWith('/'))
  }
  const fault = faultOf(() => resolveInput(heat, many))
  assert.equal(fault.details['unknown'], 20_000)
  assert(fault.message.includes('one of 20000 unknown members'), fault.message)
})

test('over HTTP: paths and members by their neighbours, and no more of them than fit', () => {
  const router = createRouter(endpoints)
  const path = faultOf(() => router.match('POST', '/api/svc/het'))
  assert.deepEqual([path.code, path.message], ['NOT_FOUND', 'There is no such path. Did you mean /api/svc/heat?'])
  assert.equal(faultOf(() => router.match('GET', '/zzzzzzzzzzzz')).message, 'There is no such path.')
  const quote = endpoints.find(({ id }) => id === 'compute.quote')
  assert(quote !== undefined)
  const read = inputReader(quote)
  const wrong = faultOf(() => read({ params: {}, query: '', body: { rout: 'x', route: 'y' } }))
  assert.deepEqual(wrong.details['errors'], [{ path: '/rout', message: 'is not known here. Did you mean route?' }])
  const flood = faultOf(() => read({ params: {}, query: '', body: { ...many, route: 'y' } }))
  assert((flood.details['errors'] as unknown[]).length <= 16)
  assert(flood.message.includes('one of 20000 unknown members'), flood.message)
  assert(JSON.stringify(flood.details).length < 2000)
})

test.run()
