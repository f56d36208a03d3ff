// Goal: what stands in a form survives its address, whatever it is. Method: inputs drawn for every solver from its own
// schema go through form, address and back; relations likewise; and tables of what people and mail make of addresses.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { solvers } from '#numerics/solvers/index.ts'
import { readAddress } from '#ui/address.ts'
import { queryOf, readQuery } from '#ui/form/address.ts'
import {
  choicesOf,
  everyField,
  type FormField,
  type FormSchema,
  formOf,
  inputOf,
  keyOf,
  type Typed,
  textFor,
  typedOf,
} from '#ui/form/schema.ts'
import { filledFrom, filledQuery } from '#ui/operators/use-filled.ts'
import { saidAddress } from '#ui/view/use-address.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('ui/address')

const fieldsOf = (input: object): readonly FormField[] =>
  everyField(formOf(JSON.parse(JSON.stringify(input)) as FormSchema))

/** Values that a field of this kind takes. */
const valueFor = (field: FormField): fc.Arbitrary<unknown> => {
  const { schema, kind } = field
  const [min, max] = [schema.minimum ?? -1e9, schema.maximum ?? 1e9]
  if (kind === 'choice') return fc.constantFrom(...(choicesOf(schema) ?? []))
  if (kind === 'switch') return fc.boolean()
  if (kind === 'text') return fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  if (kind === 'json') return fc.jsonValue({ maxDepth: 3 }).filter((it) => it !== null)
  if (kind === 'integer') return fc.integer({ min: Math.max(min, -1e9), max: Math.min(max, 1e9) })
  return fc.double({ min, max, noNaN: true }).filter((it) => !Object.is(it, -0))
}

/** What may be typed into some of the fields. */
const typedIn = (fields: readonly FormField[]): fc.Arbitrary<Typed> =>
  fc
    .subarray([...fields], { maxLength: Math.min(6, fields.length) })
    .chain((some) =>
      fc
        .tuple(...some.map(valueFor))
        .map((values) => Object.fromEntries(some.map((field, i) => [keyOf(field), textFor(field, values[i])]))),
    )

/** What an address comes back as, when the browser has had it. */
const throughAddress = (place: string, query: ReturnType<typeof queryOf>) => {
  const said = saidAddress(place, query)
  return said === undefined ? query : readAddress(new URL(said, 'http://127.0.0.1/').hash).query
}

test('any input of any solver is the same behind its address, and from its own members', () => {
  for (const { name, input: schema } of solvers) {
    const fields = fieldsOf(schema)
    const same = fc.property(typedIn(fields), (typed) => {
      const { input, problems } = inputOf(fields, typed)
      assert.deepEqual(problems, {})
      const back = readQuery(fields, throughAddress(`solver/${name}`, queryOf(fields, typed)))
      assert.deepEqual(inputOf(fields, back.typed), { input, problems: {} }, name)
      assert.deepEqual(back.unknown, [])
      assert.deepEqual(inputOf(fields, typedOf(fields, input)).input, input, name)
    })
    fc.assert(same, { seed, numRuns: 60 })
  }
})

test('an untouched form says nothing; what is wrong is left out; what is too long has no address', () => {
  const { input } = solvers.find((it) => it.name === 'heat') as (typeof solvers)[number]
  const fields = fieldsOf(input)
  assert.equal(saidAddress('solver/heat', queryOf(fields, {})), '#solver/heat')
  const typed = { nx: '64', 'initial.kind': 'box', ny: 'many' }
  assert.equal(saidAddress('solver/heat', queryOf(fields, typed)), '#solver/heat?nx=64&initial.kind=box')
  const long = { 'initial.values': JSON.stringify(Array.from({ length: 1_000 }, (_, i) => i)) }
  assert.equal(saidAddress('solver/heat', queryOf(fields, long)), undefined)
})

test('lists are short in an address, may stand in it as JSON, and unknown names are named', () => {
  const fields = fieldsOf((solvers.find((it) => it.name === 'multibody') as (typeof solvers)[number]).input)
  const bodies = [{ mass: 1, position: [0, 0, 0] }]
  const query = queryOf(fields, { bodies: JSON.stringify(bodies) })
  const said = saidAddress('solver/multibody', query) ?? ''
  assert.equal(said, "#solver/multibody?bodies=!('mass':1,'position':!0,0,0~)~")
  for (const address of [said, `#solver/multibody?bodies=${encodeURIComponent(JSON.stringify(bodies))}`]) {
    const { typed } = readQuery(fields, readAddress(address).query)
    assert.deepEqual(inputOf(fields, typed).input, { bodies })
  }
  const odd = readQuery(fields, readAddress('#solver/multibody?mass=1&__proto__=2&t_max=3&%ZZ=4').query)
  assert.deepEqual(odd.typed, { t_max: '3' })
  assert(odd.unknown.includes('mass') && !odd.unknown.includes('t_max'))
})

test('a relation is the same behind its address: values with units, the wanted variable, nothing given', () => {
  const variables = { F: {}, m: {}, a: {} } as never
  const detail = { id: 'NM19', variables, solves_for: ['F', 'm', 'a'] } as never
  const first = { target: 'F', texts: { m: '2', a: '3', F: '6' } }
  const text = fc.oneof(fc.constantFrom('', '5.0 ± 0.1 kg', '2.00(5) m/s^2', '1e+20'), fc.string({ maxLength: 20 }))
  const filled = fc.record({
    target: fc.constantFrom('F', 'm', 'a'),
    texts: fc.record({ F: text, m: text, a: text }),
  })
  const same = fc.property(filled, (it) => {
    const back = filledFrom(detail, first, throughAddress('operators/NM19', filledQuery(detail, first, it)))
    assert.equal(back.target, it.target)
    for (const symbol of ['F', 'm', 'a'] as const) {
      if (symbol !== it.target) assert.equal(back.texts[symbol], it.texts[symbol])
    }
  })
  fc.assert(same, { seed, numRuns: 300 })
})

test.run()
