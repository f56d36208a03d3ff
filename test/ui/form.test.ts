// Goal: forms, numbers and axes are right without a browser. Method: the schemas of the real solvers, and tables of
// numbers with what people read.
import assert from 'node:assert/strict'
import { stepOf, ticksOf } from '#numerics/plot/axes.ts'
import { axesOf } from '#numerics/plot/draw-curves.ts'
import { epiInput } from '#numerics/solvers/epi/schema.ts'
import { heatInput } from '#numerics/solvers/heat/schema.ts'
import { solvers } from '#numerics/solvers/index.ts'
import { multibodyInput } from '#numerics/solvers/multibody/schema.ts'
import { fieldLabel } from '#ui/form/label.ts'
import {
  choicesOf,
  defaultText,
  everyField,
  type FormSchema,
  formOf,
  inputOf,
  keyOf,
  passingNumber,
  readField,
  withoutNull,
} from '#ui/form/schema.ts'
import { figure, unitText, valueText, waitText } from '#ui/text/numbers.ts'
import { rangeIn, sweepIn, sweepText } from '#ui/view/sweep-inputs.ts'
import { suite } from '../kit/suite.ts'

const test = suite('ui/form')
const schemaOf = (schema: object): FormSchema => JSON.parse(JSON.stringify(schema)) as FormSchema

test('each solver’s form: untouched it sends {}, and what stands in its fields reads as the defaults', () => {
  for (const { name, input } of solvers) {
    const fields = everyField(formOf(schemaOf(input)))
    assert(fields.length >= 3, name)
    assert.deepEqual(inputOf(fields, {}), { input: {}, problems: {} })
    for (const field of fields) {
      if (field.schema.default === undefined) continue
      assert.deepEqual(readField(field, defaultText(field)), { value: field.schema.default }, `${name} ${keyOf(field)}`)
    }
  }
})

test('heat: nested objects are groups, typed numbers are checked, only changes are sent', () => {
  const form = formOf(schemaOf(heatInput))
  assert.deepEqual(
    form.groups.map((it) => it.name),
    ['initial', 'boundary'],
  )
  const fields = everyField(form)
  const typed = { nx: '64', 'initial.kind': 'mode', 'boundary.right': '2', steps: '200' }
  assert.deepEqual(inputOf(fields, typed).input, { nx: 64, initial: { kind: 'mode' }, boundary: { right: 2 } })
  const wrong = { nx: '64.5', ny: '8', alpha: 'x', dt: '', 'initial.values': '[1,' }
  assert.deepEqual(inputOf(fields, wrong).problems, {
    nx: 'This is not a whole number.',
    ny: 'The least is 16.',
    alpha: 'This is not a number.',
    dt: 'This is not a number.',
    'initial.values': 'This is not JSON.',
  })
})

test('the nearest number that an input takes; a range in its field is a sweep, which an address carries', () => {
  const [nx, alpha] = ['nx', 'alpha'].map((key) =>
    everyField(formOf(schemaOf(heatInput))).find((it) => keyOf(it) === key),
  )
  assert(nx !== undefined && alpha !== undefined)
  const near: readonly (readonly [string, number | undefined])[] = [
    ['100000', 4096],
    ['8', 16],
    ['64.4', 64],
    ['−5', 16],
    ['64', undefined],
    ['many', undefined],
    ['', undefined],
  ]
  for (const [text, passes] of near) assert.equal(passingNumber(nx, text), passes, text)
  const ranges: readonly (readonly [string, string | undefined])[] = [
    ['32..64', 'nx,32,64,10'],
    ['32 … 64 in 3', 'nx,32,64,3'],
    ['32 to 64', 'nx,32,64,10'],
    ['32', undefined],
    ['8..64', undefined],
    ['32..', undefined],
  ]
  for (const [text, said] of ranges) {
    const terms = rangeIn(nx, text)
    assert.equal(terms && sweepText(terms), said, text)
    if (terms !== undefined) assert.deepEqual(sweepIn(said), terms)
  }
  assert.deepEqual(rangeIn(alpha, '1e-5...2.5e-4'), { key: 'alpha', from: '1e-5', to: '2.5e-4', points: '10' })
  assert.deepEqual(sweepIn('K,91,109,10,price')?.member, 'price')
  assert.equal(sweepIn(undefined), undefined)
  assert.equal(sweepIn(',1,2'), undefined)
})

test('what matters to few is folded, two whole numbers are a choice, and inputs have names for people', () => {
  const form = formOf(schemaOf(heatInput), ['scheme', 'initial'])
  const folded = everyField(form).filter((it) => it.advanced)
  assert.deepEqual(
    folded.map(keyOf),
    everyField(form)
      .map(keyOf)
      .filter((key) => key === 'scheme' || key.startsWith('initial.')),
  )
  assert.deepEqual(
    form.groups.map((it) => it.advanced),
    [true, false],
  )
  const [dim, alpha, , ny] = form.fields
  assert(dim !== undefined && alpha !== undefined && ny !== undefined)
  assert.deepEqual([dim.kind, choicesOf(dim.schema), readField(dim, '1')], ['choice', [1, 2], { value: 1 }])
  assert.deepEqual(fieldLabel(alpha), { words: 'Thermal diffusivity', name: 'alpha', about: '' })
  assert.equal(fieldLabel(ny).about, 'Without meaning on a line.')
  // A description that explains its choices is no name.
  const model = everyField(formOf(schemaOf(epiInput))).find((it) => keyOf(it) === 'model')
  assert(model !== undefined)
  assert.equal(fieldLabel(model).words, 'Model')
})

test('every input of every solver has a label that is short and no sentence', () => {
  for (const { name, input } of solvers) {
    for (const field of everyField(formOf(schemaOf(input)))) {
      const { words } = fieldLabel(field)
      assert(words.length > 0 && words.length <= 48 && !words.endsWith('.'), `${name} ${keyOf(field)}: ${words}`)
    }
  }
})

test('what may be null stands empty', () => {
  const [only] = formOf({ properties: { v: { anyOf: [{ type: 'number' }, { type: 'null' }], default: 0 } } }).fields
  assert(only !== undefined)
  assert.deepEqual(inputOf([only], { v: '' }).input, { v: null })
})

test('multibody: bodies stand one on a line', () => {
  const bodies = formOf(schemaOf(multibodyInput)).fields.find((it) => keyOf(it) === 'bodies')
  assert(bodies !== undefined)
  assert.equal(defaultText(bodies).split('\n').length, 5)
})

test('numbers as people read them', () => {
  const table: readonly (readonly [(value: number) => string, number, string])[] = [
    [valueText, 2954.00767, '2954.0077'],
    [valueText, 122_146_130_000.4, '1.2214613 × 10¹¹'],
    [valueText, 0.10203147, '0.10203147'],
    [figure, 0, '0'],
    [figure, -0.5, '−0.5'],
    [figure, 0.000243014, '2.4301 × 10⁻⁴'],
    [figure, 99_999.4, '99999'],
    [waitText, 0.2, '1 s'],
    [waitText, 61, '2 min'],
    [waitText, 7_320, '2 h 2 min'],
    [waitText, 7_199, '2 h 0 min'],
  ]
  for (const [text, value, expected] of table) assert.equal(text(value), expected)
  assert.deepEqual(['m2/s', 'm3/(kg·s2)', 's-1', '1', 'K'].map(unitText), ['m²/s', 'm³/(kg·s²)', 's⁻¹', '', 'K'])
})

test('axes: pleasant steps, no more ticks than fit, one power of ten in the label', () => {
  assert.deepEqual([stepOf(1, 10), stepOf(1, 4), stepOf(7, 5), stepOf(30_000, 4)], [0.1, 0.25, 2, 10_000])
  const { ticks, label } = ticksOf({ name: 'x', unit: 'm', low: -1.8e11, high: 1.8e11 }, 4)
  assert.deepEqual([label, ticks.map((it) => it.text)], ['x / 10¹¹ m', ['−1', '0', '1']])
  const halves = ticksOf({ name: 'x', unit: '', low: 0, high: 14 }, 6)
  assert.deepEqual(
    halves.ticks.map((it) => it.text),
    ['0', '2.5', '5', '7.5', '10', '12.5'],
  )
  const whole = (high: number, count: number): readonly string[] =>
    ticksOf({ name: 'level', unit: '', low: 0.8, high, whole: true }, count).ticks.map((it) => it.text)
  assert.deepEqual(whole(5.2, 8), ['1', '2', '3', '4', '5'])
  assert.deepEqual(whole(14, 6), ['5', '10'])
  const levels = { name: '', x: [1, 2, 3], y: [0.5, 1.5, 4] }
  const axes = axesOf({ x: { name: 'level', unit: '' }, y: { name: 'E', unit: '' }, curves: [levels] })
  assert.deepEqual([axes.x.whole, axes.y.whole], [true, undefined])
  assert.equal(axesOf({ x: { name: 'x', unit: 'm' }, y: axes.y, curves: [levels] }).x.whole, undefined)
  const flat = ticksOf({ name: 'y', unit: '', low: 0.25, high: 0.75 }, 3)
  assert.deepEqual([flat.label, flat.ticks.map((it) => it.text)], ['y', ['0.4', '0.6']])
})

test('a member that may be null is described by what it is otherwise', () => {
  assert.equal(withoutNull({ anyOf: [{ type: 'number', 'x-unit': 'm' }, { type: 'null' }] })['x-unit'], 'm')
})

test.run()
