// Goal: the short way to a row's text gives the canonical text, so that digests and versions are what they were; a row
// that it would bend is refused. Method: every shipped row against the general way; rows spoilt one member at a time.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { canonical, type Json } from '#core/canonical.ts'
import { operatorOf, operatorRegistry } from '#numerics/operators/registry.ts'
import { seed } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { faultOf, registry, rows } from './table.ts'

const test = suite('operator row texts')

const NM23 = registry.operator('NM23').row
const own = registry.operator('FL2').row
const variables = own.variables

test('every row, in any order of its members, has the text of RFC 8785', () => {
  for (const { row, text } of registry.operators) assert.equal(text, canonical(row as unknown as Json), row.id)
  const turned = Object.fromEntries(Object.entries(own).reverse())
  assert.equal(operatorOf(turned).text, registry.operator('FL2').text)
  const mixed = { ...own, variables: Object.fromEntries(Object.entries(variables).reverse()) }
  assert.equal(operatorOf(mixed).digest, registry.operator('FL2').digest)
})

test('names and numbers of any kind are written as RFC 8785 says, lone surrogates refused', () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 })
  const number = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(text, number, number, (name, value, min) => {
      const row = {
        ...NM23,
        name,
        variables: { ...NM23.variables, K: { name, unit: 'J', aliases: [name, '\\ud800'], min } },
        example: { inputs: { v: value, m: name }, output: 'K', value, unit: 'J', tolerance: value, note: name },
      }
      assert.equal(operatorOf(row).text, canonical(row as unknown as Json))
    }),
    { seed, numRuns: 200 },
  )
  assert.equal(faultOf(() => operatorOf({ ...NM23, name: 'a\ud800' }).text).code, 'NOT_CANONICAL')
})

test('a changed row changes the version, and a spoilt one is refused when the registry is made', () => {
  const changed = rows.map((it) => ((it as { id: string }).id === 'NM23' ? { ...NM23, name: 'Kinetic Energy' } : it))
  assert.notEqual(operatorRegistry(changed).version, registry.version)
  const { example } = NM23
  const spoilt: readonly object[] = [
    { example: { ...example, inputs: { m: null } } },
    { example: { ...example, inputs: { m: Number.POSITIVE_INFINITY } } },
    { example: { ...example, inputs: { m: { value: 1 } } } },
    { example: { ...example, inputs: { x: 1 } } },
    { example: { ...example, inputs: JSON.parse('{"__proto__": 1}') } },
    { example: { ...example, tolerance: '1e-3', note: 'why' } },
    { example: { ...example, note: 1 } },
    { equation: '' },
    { more: 1 },
  ]
  for (const part of spoilt) {
    const fault = faultOf(() => operatorRegistry([{ ...NM23, ...part }]))
    assert.equal(fault.code, 'INVALID_INPUT', JSON.stringify(part))
    assert.match(fault.message, /NM23/)
  }
})

test.run()
