// Goal: an expression that passes gives what its type says or refuses, and one that does not is told all that is wrong
// with it, units included, each where it stands. Method: hand-made cases for each rule; random typed expressions, whose
// values are held against the type.
import assert from 'node:assert/strict'
import { parseUnit } from '#core/units.ts'
import { checkExpression } from '#numerics/contracts/language/check.ts'
import { compileExpression, NoValue } from '#numerics/contracts/language/evaluate.ts'
import { parseExpression, printExpression } from '#numerics/contracts/language/grammar.ts'
import { isNullable, scopeOf, shownType, type Type } from '#numerics/contracts/language/types.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { expressionOf, valuesOf } from './generate.ts'

const test = suite('contracts/language types')

const quantity = (text: string): Type => ({ kind: 'number', unit: { ...parseUnit(text), text } })
const number: Type = { kind: 'number' }
const scope = scopeOf([
  [
    'context',
    scopeOf([
      ['n', number],
      ['maybe', { kind: 'number', nullable: true }],
      ['on', { kind: 'boolean' }],
      ['mode', { kind: 'text', of: ['auto', 'off'] }],
      ['note', { kind: 'text' }],
      ['p', quantity('kPa')],
      ['q', quantity('Pa')],
      ['m', quantity('kg')],
      ['a', quantity('m/s^2')],
      ['f', quantity('N')],
      ['t', quantity('°C')],
      ['dt', quantity('K')],
      ['angle', quantity('deg')],
      ['area', quantity('m^2')],
      ['length', quantity('m')],
      ['constructor', number],
    ]),
  ],
  ['state', { kind: 'text', of: ['idle', 'busy'] }],
])

const checked = (text: string) => checkExpression(parseExpression(text), scope)

test('what balances has its type and unit', () => {
  for (const [text, type] of [
    ['context.n + 1', 'a number'],
    ['context.p + 1', 'a number in kPa'],
    ['context.p * 2', 'a number in kPa'],
    ['context.p - context.p', 'a number in kPa'],
    ['context.m * context.a - context.f', 'a number in m*kg*s^-2'],
    ['context.m * context.a > context.f', 'a boolean'],
    ['context.p / context.p', 'a number in 1'],
    ['sqrt(context.area) + context.length', 'a number in m'],
    ['pow(context.length, 2) + context.area', 'a number in m^2'],
    ['pow(context.length, -0.5)', 'a number in m^(-1/2)'],
    ['pow(context.n, context.n)', 'a number'],
    ['hypot(context.length, context.length)', 'a number in m'],
    ['atan2(context.length, context.length)', 'a number'],
    ['sin(context.p / context.p)', 'a number'],
    ['max(context.p, 3) % context.p', 'a number in kPa'],
    ['context.t - context.t', 'a number in K'],
    ['context.t + context.dt > context.t', 'a boolean'],
    ['context.t - 3', 'a number in °C'],
    ['context.on ? context.p : 0', 'a number in kPa'],
    ['context.mode == "auto" && state != "idle"', 'a boolean'],
    ['context.maybe == null', 'a boolean'],
    ['context.on ? null : 1', 'a number'],
    ['"x" in [context.note, "y"]', 'a boolean'],
    ['[1, 2][context.n]', 'a number'],
    ['size(context.note) + size([1])', 'a number'],
    ['has(context.n)', 'a boolean'],
    ['context.constructor + 1', 'a number'],
  ] as const) {
    const { type: found, complaints } = checked(text)
    assert.deepEqual(complaints, [], text)
    assert.equal(shownType(found), type, text)
  }
})

test('what does not balance is told, all of it, each at its place', () => {
  for (const [text, ...places] of [
    ['context.p + context.q', [10, /nothing is converted/]],
    ['context.p > context.m', [10, /kPa and kg do not balance/]],
    ['context.m * 9.81 > context.f', [17, /do not balance/]],
    ['sin(context.angle)', [0, /pure number/]],
    ['exp(context.p)', [0, /pure number/]],
    ['pow(context.length, context.n)', [0, /plain power/]],
    ['pow(2, context.length)', [0, /power is a pure number/]],
    ['context.t * 2', [10, /offset/]],
    ['context.t + context.t', [10, /no meaning/]],
    ['context.dt - context.t', [11, /no meaning/]],
    ['3 - context.t', [2, /no meaning/]],
    ['context.p in [context.q]', [10, /do not balance/]],
    ['context.on ? context.p : context.m', [11, /do not balance/]],
    ['context.n + "1"', [12, /a number is wanted, not a text/]],
    ['context.n == "1"', [10, /two types/]],
    ['context.mode == "atuo"', [13, /is never "atuo"/]],
    ['state in ["done"]', [6, /is never "done"/]],
    ['context.n == null', [10, /never null/]],
    ['context.n && context.on', [8, /a boolean is wanted/]],
    ['!context.n', [9, /a boolean is wanted/]],
    ['-context.on', [9, /a number is wanted/]],
    ['context.note < "b"', [8, /a number is wanted/], [15, /a number is wanted/]],
    ['"a" + "b"', [0, /a number is wanted/], [6, /a number is wanted/]],
    ['1 < 2 < 3', [2, /a number is wanted, not a boolean/]],
    ['[1, "a"]', [4, /two types/]],
    ['[[1]]', [1, /a list has no place/]],
    ['[null]', [1, /null has no place/]],
    ['[1] == [1]', [4, /not compared/]],
    ['1 in 2', [5, /a list is wanted/]],
    ['context.n[0]', [8, /a list is wanted/]],
    ['size(context.n)', [0, /has a size/]],
    ['context', [0, /one of its members/]],
    ['context.n.x', [10, /has no members/]],
    ['contxt.n', [0, /Did you mean context/]],
    ['context.mod == "auto"', [8, /Did you mean mode/]],
    ['context.toString', [8, /has no member/]],
    ['event.data.x', [0, /has no member event/]],
    ['has(context.none)', [12, /has no member none/]],
    ['context.x + context.y > "1"', [8, /member x/], [20, /member y/], [24, /a number is wanted/]],
  ] as const) {
    const { complaints } = checked(text)
    assert.deepEqual(
      complaints.map(({ position }) => position),
      places.map(([position]) => position),
      `${text}: ${JSON.stringify(complaints)}`,
    )
    places.forEach(([, reason], i) => {
      assert.match(complaints[i]?.reason ?? '', reason)
    })
  }
})

test('a tower of powers is refused before its unit grows', () => {
  const tower = Array.from({ length: 20 }, () => 0).reduce((it) => `pow(${it}, 12)`, 'context.angle')
  assert.match(checked(tower).complaints[0]?.reason ?? '', /too large/)
  assert.match(checked(tower.replaceAll('angle', 'length')).complaints[0]?.reason ?? '', /too large/)
})

test('what passes gives a value of its type, or refuses', () => {
  const random = seeded()
  const read = scopeOf([
    [
      'context',
      scopeOf([
        ...['n', 'm', 'z'].map((it): [string, Type] => [it, number]),
        ['maybe', { kind: 'number', nullable: true }],
        ['on', { kind: 'boolean' }],
        ['off', { kind: 'boolean' }],
        ['mode', { kind: 'text' }],
      ]),
    ],
    [
      'event',
      scopeOf([
        [
          'data',
          scopeOf([
            ['flow', number],
            ['extra', number],
            ['note', { kind: 'text' }],
          ]),
        ],
      ]),
    ],
    ['window', scopeOf([['avg', { kind: 'number', nullable: true }]])],
    ['fire', scopeOf([['tick', number]])],
    ['state', { kind: 'text' }],
    ['state_ticks', number],
  ])
  let passed = 0
  for (let i = 0; i < 5_000; i += 1) {
    const it = expressionOf(random, random.pick(['number', 'boolean', 'text']), 4)
    const { type, complaints } = checkExpression(it, read)
    // What is written may still never be equal, as two texts are, and is told so; nothing else is wrong with it.
    for (const { reason } of complaints) assert.match(reason, /is never/, printExpression(it))
    if (complaints.length > 0) continue
    passed += 1
    const value = compileExpression(it)(valuesOf(random))
    if (value instanceof NoValue) assert.notEqual(value.reason, 'type', printExpression(it))
    else if (value === null) assert.ok(isNullable(type))
    else assert.equal(typeof value, { text: 'string' }[type.kind as string] ?? type.kind, printExpression(it))
  }
  assert.ok(passed > 2_000, `${passed} pass`)
})

test.run()
