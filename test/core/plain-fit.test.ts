// Goal: the quick check of plain JSON says "fits" of nothing that the schema library refuses, for each endpoint's input
// and the settings, and is no mere "ask the library". Method: values drawn beside each schema (its own bounds, one step
// beyond, texts of every script, other types, members left out and added), judged by both; awkward schemas by hand.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { surelyFits } from '#core/plain-fit.ts'
import { misfit } from '#core/schema.ts'
import endpoints from '#endpoints' with { type: 'json' }
import { settingsSchema } from '#node/settings.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/plain-fit')

/** Values drawn for each schema. */
const RUNS = 60

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly items?: Schema
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
}

const LENGTH_MAX = 96

/** Letters that validators count apart: plain, combining, beyond the first plane, joined, and half of a pair. */
const letters = fc.constantFrom(
  'a',
  '7',
  '-',
  'é',
  'e\u0301',
  '\u{1F469}\u200D\u{1F680}',
  '\u{10000}',
  '\uD800',
  '\r\n',
)

const textsOf = ({ minLength = 0, maxLength = LENGTH_MAX, pattern }: Schema): fc.Arbitrary<string> => {
  const low = Math.min(minLength, LENGTH_MAX)
  const high = Math.min(maxLength, LENGTH_MAX)
  const lengths = fc.constantFrom(low - 1, low, low + 1, high - 1, high, high + 1).map((it) => Math.max(0, it))
  const plain = lengths.map((length) => 'a'.repeat(length))
  const odd = fc
    .tuple(lengths, letters)
    .map(([length, it]) => it.repeat(Math.ceil(length / it.length)).slice(0, length))
  const shaped = pattern === undefined ? [] : [fc.stringMatching(new RegExp(pattern))]
  return fc.oneof(plain, odd, ...shaped)
}

const numbersOf = ({ minimum = -10, maximum = 10 }: Schema): fc.Arbitrary<number> =>
  fc.oneof(
    fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1, minimum + 0.5, -0, 0, 1, 2 ** 53, 1e300),
    fc.double({ min: Math.min(minimum, maximum), max: maximum, noNaN: true }),
    fc.double({ min: Math.min(minimum, maximum), max: maximum, noNaN: true }).map(Math.round),
  )

/** What a program may send where anything else was asked for. */
const junk: fc.Arbitrary<unknown> = fc.constantFrom(null, true, 'x', 7, 0.5, [], [null], {}, { a: 1 })

const membersOf = (properties: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> => {
  const known = fc.record(Object.fromEntries(Object.entries(properties).map(([name, it]) => [name, beside(it)])), {
    requiredKeys: [],
  })
  const more = fc.option(fc.constantFrom('zzz', 'constructor', 'toString'), { freq: 9, nil: undefined })
  return fc.tuple(known, more).map(([value, name]) => (name === undefined ? value : { ...value, [name]: 1 }))
}

const typed = (schema: Schema): fc.Arbitrary<unknown> => {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(beside))
  if (schema.properties !== undefined) return membersOf(schema.properties)
  switch (schema.type) {
    case 'string':
      return textsOf(schema)
    case 'number':
    case 'integer':
      return numbersOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(beside(schema.items ?? {}), { maxLength: Math.min((schema.maxItems ?? 3) + 1, 4) })
    default:
      return junk
  }
}

/** Values that fit a schema, nearly fit it, or do not at all. */
const beside = (schema: Schema): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: typed(schema), weight: 12 }, { arbitrary: junk, weight: 1 })

/** How often the quick check knew. @throws where it knew better than the library. */
const knew = (name: string, schema: Schema): number => {
  let sure = 0
  fc.assert(
    fc.property(beside(schema), (value) => {
      if (!surelyFits(schema, value)) return
      sure++
      assert.equal(misfit(schema as TSchema, value), undefined, `${name}: ${JSON.stringify(value)}`)
    }),
    { seed, numRuns: RUNS },
  )
  return sure
}

test('what it takes for fitting the schema library takes too, for every input and every member of one', () => {
  let [sure, parts] = [0, 0]
  const walk = (name: string, schema: Schema): void => {
    sure += knew(name, schema)
    parts++
    for (const [member, it] of Object.entries(schema.properties ?? {})) walk(`${name}.${member}`, it)
  }
  for (const { id, input } of endpoints as readonly { readonly id: string; readonly input: Schema }[]) walk(id, input)
  walk('settings', settingsSchema as Schema)
  assert.ok(parts > endpoints.length)
  assert.ok(sure > (parts * RUNS) / 5, `it knew ${sure} of ${parts * RUNS}`)
})

test('what it has no word for it does not judge', () => {
  const awkward: readonly (readonly [schema: object, value: unknown])[] = [
    [{ properties: { a: false } }, { a: 1 }],
    [{ type: 'array', items: false }, [1]],
    [{ anyOf: [false] }, 1],
    [{ type: 'string', format: 'date' }, 'x'],
    [{ type: 'number', multipleOf: 2 }, 3],
    [{ type: 'array', uniqueItems: true }, [1, 1]],
    [{ type: 'object', patternProperties: { '^a$': { type: 'string' } } }, { a: 1 }],
    [{ type: 'object', maxProperties: 0 }, { a: 1 }],
    [{ type: 'array', prefixItems: [{ type: 'string' }] }, [1]],
    [{ type: ['string'] }, 7],
    [{ not: {} }, 1],
    [{ type: 'string', maxLength: 1 }, '\u{1F469}\u200D\u{1F680}'],
    [{ type: 'integer' }, 2 ** 53],
    [{ type: 'number' }, Number.NaN],
    [{ required: ['toString'] }, {}],
    [{ properties: {}, additionalProperties: {} }, { a: 1 }],
    [{ enum: [{ a: 1 }] }, { a: 1 }],
  ]
  for (const [schema, value] of awkward) assert.ok(!surelyFits(schema, value), JSON.stringify([schema, value]))
  assert.ok(surelyFits({ type: 'string', minLength: 1, maxLength: 2 }, 'ab'))
})

test.run()
