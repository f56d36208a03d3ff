// Goal: one check of inputs, with one form of refusal, whoever asks; what passed is not checked again on its way.
// Method: a schema with defaults, bounds, choices and nested objects, read from data of every form.
import assert from 'node:assert/strict'
import Type from 'typebox'
import Value from 'typebox/value'
import { Fault } from '#core/fault.ts'
import { fullInput, inputCheck } from '#core/input.ts'
import { byName, closed, finite, integer, oneOf, text } from '#core/schema.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/input')

const schema = closed({
  n: integer({ minimum: 1, maximum: 9, default: 3 }),
  kind: oneOf(['box', 'ball'], { default: 'box' }),
  name: text(8, { default: '' }),
  place: closed(
    { x: finite({ default: 0 }), tags: Type.Array(text(4), { maxItems: 2, default: [] }) },
    { default: {} },
  ),
})

/** The refusal of an input: its sentence, and what programs read. */
const refused = (raw: unknown) => {
  try {
    fullInput(schema, raw)
  } catch (thrown) {
    assert(thrown instanceof Fault && thrown.code === 'INVALID_INPUT', String(thrown))
    return { detail: thrown.message, ...thrown.details } as {
      detail: string
      path: string
      errors: { path: string; message: string }[]
      limit?: number
      suggestions?: string[]
    }
  }
  return assert.fail('it was taken')
}

test('members left out get their defaults, at every depth, and the object given stays as it is', () => {
  const given = Object.freeze({ place: Object.freeze({ x: 2 }) })
  assert.deepEqual(fullInput(schema, given), { n: 3, kind: 'box', name: '', place: { x: 2, tags: [] } })
  assert.deepEqual(fullInput(schema, undefined), fullInput(schema, {}))
})

test('every misfit is listed; the first is the sentence', () => {
  const all = refused({ n: 10, kind: 'bal', place: { x: 'a', y: 1 } })
  assert.deepEqual(all.errors.map(({ path }) => path).sort(), ['/kind', '/n', '/place/x', '/place/y'])
  assert.equal(all.path, '/n')
  assert(all.detail.startsWith('/n: '), all.detail)
  assert.equal(all.limit, 9)
  assert.equal(all.errors.find(({ path }) => path === '/kind')?.message, 'must be one of box, ball. Did you mean ball?')
})

test('no object, too deep, and names of every object are refused in the same form', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(99)}1${'}'.repeat(99)}`)
  const inherited = JSON.parse('{"place":{"toString":1}}')
  for (const [raw, path] of [
    [7, ''],
    [null, ''],
    [[], ''],
    [deep, ''],
    [inherited, '/place/toString'],
  ] as const) {
    const { detail, errors } = refused(raw)
    assert.deepEqual([errors.length, errors[0]?.path], [1, path])
    assert(detail.startsWith(`${path || '/'}: ${errors[0]?.message}`), detail)
  }
})

test('lists count as levels, too', () => {
  const tags = JSON.parse(`${'['.repeat(99)}${']'.repeat(99)}`)
  assert.match(refused({ place: { tags } }).detail, /nesting is deeper than 32/)
})

test('what is wrong stands beside the members that nobody knows', () => {
  const paths = refused({ u: 1, v: 2, n: 10, kind: 'x' }).errors.map(({ path }) => path)
  assert.deepEqual(paths.sort(), ['/kind', '/n', '/u', '/v'])
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`u${i}`, 1]))
  const { detail, errors } = refused(many)
  assert(errors.length === 16 && errors.every(({ path }) => /^\/u\d+$/.test(path)))
  assert.match(detail, /one of 40 unknown members/)
})

test('what a check has let through is not read again, and a copy of it is', () => {
  let asked = 0
  const check = inputCheck(schema, {
    Check: (it) => {
      asked++
      return Value.Check(schema, it)
    },
    Errors: (it) => Value.Errors(schema, it),
  })
  const full = check({ n: 4 })
  assert.equal(asked, 1)
  assert.equal(fullInput(schema, full), full)
  assert.notEqual(fullInput(schema, { ...full }), full)
  assert.throws(() => fullInput(schema, { ...full, n: 0 }), Fault)
  // Another schema takes nothing on trust.
  assert.throws(() => fullInput(closed({ n: integer({ maximum: 3 }) }), full), Fault)
})

test('a name that a record does not take is refused, and the defaults beside it are there', () => {
  const named = closed({ by: byName('^[a-z]+$', finite(), 3), n: integer({ default: 3 }) })
  for (const name of ['', 'A', 'toString', '__proto__']) {
    const given = JSON.parse(`{"by":{"${name}":1}}`) as object
    assert.throws(
      () => fullInput(named, given),
      (thrown) => thrown instanceof Fault && thrown.code === 'INVALID_INPUT' && !/\/n/.test(thrown.message),
      name,
    )
  }
  assert.deepEqual(fullInput(named, { by: { a: 1 } }), { by: { a: 1 }, n: 3 })
})

test.run()
