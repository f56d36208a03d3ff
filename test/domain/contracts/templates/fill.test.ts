// Goal: a value fills its place and nothing beside it: no text becomes a name, a sign or another member, no number
// binds to its neighbour, and what does not fit is refused with its path. Method: every template with hostile and
// with random values, whose definition must keep its shape; a small template by hand; tables of values against types.
import assert from 'node:assert/strict'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { exampleOf, filledWith, fillTemplate, readParameters } from '#domain/contracts/templates/fill.ts'
import { loadTemplates, templateById } from '#domain/contracts/templates/load.ts'
import { searchTemplates } from '#domain/contracts/templates/search.ts'
import { compileExpression } from '#numerics/contracts/language/evaluate.ts'
import { type ContractExpression, parseExpression } from '#numerics/contracts/language/grammar.ts'
import type { TemplateParameter } from '#numerics/contracts/templates/parameter.ts'
import type { Template } from '#numerics/contracts/templates/template.ts'
import { parameterValue, ticksOf } from '#routing/contracts/parameter.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'

const test = suite('contracts/templates: filling')

const HOSTILE = [
  '" || true || "',
  "' || true || '",
  '\\" || true || \\"',
  '${limit}',
  '$param',
  '{"$": "1"}',
  '__proto__',
  'a\\',
  '❄️ é ​',
  '$&$1$`',
]

/** The definition with every text in its leaves made one: its shape alone. */
const shapeOf = (it: unknown): unknown => {
  if (Array.isArray(it)) return it.map(shapeOf)
  if (typeof it !== 'object' || it === null) return typeof it
  return Object.fromEntries(Object.entries(it).map(([name, value]) => [name, shapeOf(value)]))
}

/** A small template of which every place is known. */
const small = (guard: string, parameters: Template['parameters']): Template => ({
  ...templateById('heartbeat'),
  parameters,
  definition: {
    transitions: [
      { guard, note: 'is ${a}', url: { $param: 'a' }, guards: ['${a}'] },
      { $if: 'b', id: '${b}' },
    ],
    claims: [{ never: '${a} == 1' }],
    body: { $: 'size(${a})', deep: { $: '${a}' } },
    gone: { $if: 'b', x: 1 },
  },
})
const text = { type: 'text', description: 'Any.' } as const
const fill = (it: Template, values: Readonly<Record<string, Json>>) =>
  filledWith(it, readParameters(it, values).values) as unknown as {
    readonly transitions: readonly Readonly<Record<string, Json>>[]
    readonly claims: readonly { readonly never: string }[]
    readonly body: { readonly $: string; readonly deep: { readonly $: string } }
    readonly gone?: unknown
  }

test('a text in an expression is one literal, whatever it says; elsewhere it is what it is', () => {
  for (const a of HOSTILE) {
    const { transitions, claims, body } = fill(small('event.data.x == ${a}', { a: text, b: text }), { a })
    const it = parseExpression(String(transitions[0]?.['guard'])) as Extract<ContractExpression, { kind: 'binary' }>
    assert.deepEqual([it.kind, it.right.kind], ['binary', 'literal'])
    assert.equal((it.right as { readonly value: unknown }).value, a)
    assert.equal(compileExpression(parseExpression(body.deep.$))({}), a)
    assert.equal((parseExpression(claims[0]?.never ?? '') as typeof it).left.kind, 'literal')
    const [first] = transitions
    assert.deepEqual([first?.['note'], first?.['url'], first?.['guards']], [`is ${a}`, a, [a]])
  }
})

test('a number in an expression is one number, and binds to nothing beside it', () => {
  const random = seeded()
  const numbers = [
    -5,
    -0.5,
    0,
    1e21,
    1e-7,
    5e-324,
    1.7976931348623157e308,
    ...Array.from({ length: 200 }, () => (random.next() - 0.5) * 10 ** random.integer(-9, 9)),
  ]
  for (const a of numbers) {
    const it = small('3 -${a}', { a: { type: 'number', description: 'Any.' }, b: text })
    const { transitions, body } = fill(it, { a })
    assert.equal(compileExpression(parseExpression(String(transitions[0]?.['guard'])))({}), 3 - a)
    assert.equal(compileExpression(parseExpression(body.deep.$))({}), a)
    assert.equal(transitions[0]?.['url'], a)
  }
})

test('what has a condition is there with its parameter alone', () => {
  const it = small('true', { a: text, b: text })
  const [with_, without] = [fill(it, { a: 'x', b: 'y' }), fill(it, { a: 'x' })]
  assert.deepEqual([with_.transitions.length, with_.transitions[1], with_.gone], [2, { id: 'y' }, { x: 1 }])
  assert.deepEqual([without.transitions.length, 'gone' in without], [1, false])
})

test('texts leave the shape of every template as it is', () => {
  for (const template of loadTemplates()) {
    const standing = { ...exampleOf(template), ...optionals(template, 'x') }
    const shape = shapeOf(fillTemplate(template.id, standing).definition)
    for (const hostile of HOSTILE) {
      const values = { ...standing, ...texts(template, hostile) }
      assert.deepEqual(shapeOf(fillTemplate(template.id, values).definition), shape, template.id)
    }
  }
})

const FILLED: Readonly<Partial<Record<TemplateParameter['type'], Json>>> = {
  url: 'https://example.org/x',
  contract: 'other',
  text: 'x',
}
const optionals = ({ parameters }: Template, other: string): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(parameters)
      .filter(([, it]) => it.default === undefined && it.required !== true)
      .map(([name, it]) => [name, FILLED[it.type] ?? other]),
  )
const texts = ({ parameters }: Template, value: string): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(parameters)
      .filter(([, it]) => it.type === 'text')
      .map(([name]) => [name, value]),
  )

test('values by type: taken, converted, or refused with why', () => {
  const kPa = { type: 'number', unit: 'kPa', min: 0, max: 1000, description: 'x' } as const
  const wait = { type: 'duration', description: 'x', max: 200_000 } as const
  const of = (type: TemplateParameter['type'], more: Partial<TemplateParameter> = {}): TemplateParameter => ({
    type,
    description: 'x',
    ...more,
  })
  const taken: readonly (readonly [TemplateParameter, Json, unknown])[] = [
    [kPa, 300, 300],
    [kPa, '3 bar', 300],
    [kPa, '0.3 MPa', 300],
    [kPa, -0, 0],
    [of('number', { unit: 'degC' }), '50 °F', 10],
    [wait, 100, 100],
    [wait, '5 min', ticksOf(300)],
    [wait, 'half an hour', ticksOf(1_800)],
    [wait, '0.1 s', 1],
    [of('integer'), 7, 7],
    [of('boolean'), false, false],
    [of('choice', { of: ['a', 'b'] }), 'b', 'b'],
    [of('cron'), '0 9 * * 1-5', '0 9 * * 1-5'],
    [of('url'), 'https://example.org/a?b=c', 'https://example.org/a?b=c'],
    [of('unit'), 'kg/m^3', 'kg/m^3'],
    [of('zone'), 'America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    [of('identity'), `zid1${'a2'.repeat(16)}`, `zid1${'a2'.repeat(16)}`],
  ]
  for (const [it, given, value] of taken) assert.deepEqual(parameterValue(it, given), { value }, JSON.stringify(given))
  const refused: readonly (readonly [TemplateParameter, Json, RegExp])[] = [
    [kPa, '3 kg', /number in kPa/],
    [kPa, '3 bar or 4', /number in kPa/],
    [kPa, 1001, /range/],
    [kPa, -1, /range/],
    [kPa, null, /number/],
    [kPa, [300], /number/],
    [wait, '3 kg', /time/],
    [wait, 0, /tick at least/],
    [wait, 1.5, /whole/],
    [wait, '5 days', /range/],
    [of('integer'), 1.5, /whole/],
    [of('integer'), 2 ** 53, /whole/],
    [of('boolean'), 'true', /true or false/],
    [of('choice', { of: ['a', 'b'] }), 'c', /none of a, b/],
    [of('text', { chars: 3 }), 'abcd', /longer than 3/],
    [of('text'), 'a\nb', /control/],
    [of('text'), '{{secret.key}}', /secrets/],
    [of('text'), { $: '1' }, /text/],
    [of('cron'), '* * * *', /five fields/],
    [of('url'), 'ftp://example.org', /http/],
    [of('url'), 'https://{{secret.host}}/', /secrets/],
    [of('unit'), 'blub', /no unit/],
    [of('zone'), '../etc/passwd', /zone/],
    [of('identity'), 'zid1', /identity/],
    [of('contract'), 'a/b', /contract/],
  ]
  for (const [it, given, why] of refused) {
    const read = parameterValue(it, given)
    assert('why' in read && why.test(read.why), `${JSON.stringify(given)}: ${JSON.stringify(read)}`)
  }
})

const refusalOf = (work: () => unknown): Fault => {
  try {
    work()
  } catch (thrown) {
    assert(thrown instanceof Fault)
    return thrown
  }
  throw new Error('it was taken')
}

test('every fault of what is given is told at once; a template that is not there, with names near it', () => {
  const { code, details } = refusalOf(() =>
    fillTemplate('escrow-release', { amount: 0.5, sellr: 'x', inspect: 'soon' }),
  )
  assert.equal(code, 'CONTRACT_INVALID')
  const faults = details['faults'] as readonly { readonly path: string; readonly reason: string }[]
  assert.deepEqual(faults.map(({ path }) => path).sort(), [
    '/parameters/amount',
    '/parameters/buyer',
    '/parameters/inspect',
    '/parameters/seller',
    '/parameters/sellr',
  ])
  assert.match(faults.find(({ path }) => path.endsWith('sellr'))?.reason ?? '', /Did you mean seller/)
  const absent = refusalOf(() => fillTemplate('pump-drfit', {}))
  assert.deepEqual([absent.code, absent.details['suggestions']], ['NOT_FOUND', ['pump-drift']])
})

test('templates are found by words, all of them, best first', () => {
  const all = loadTemplates()
  const ids = (q: string, category?: string) => searchTemplates(all, { q, category }).map(({ id }) => id)
  assert.equal(ids('pump drift')[0], 'pump-drift')
  assert.equal(ids('cold')[0], 'cold-chain')
  assert.deepEqual(ids('pump unicorn'), [])
  assert.deepEqual(ids('', 'approval'), ['two-person-approval'])
  assert.equal(ids('').length, all.length)
})

test.run()
