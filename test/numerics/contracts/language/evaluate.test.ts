// Goal: an expression means what CEL says it means, on one type of number, and whatever has no value is a refusal that
// says where. Method: hand-made cases for each rule; 20,000 random expressions whose value another implementation of
// CEL works out too (@marcbachmann/cel-js, which knows nothing of ours), each difference explained by a named rule that
// the other one is asked about at the very place; the time of an evaluation counted in members that are read.
import assert from 'node:assert/strict'
import { Environment } from '@marcbachmann/cel-js'
import { compileExpression, NoValue, type ReadValues } from '#numerics/contracts/language/evaluate.ts'
import { type ContractExpression, parseExpression, printExpression } from '#numerics/contracts/language/grammar.ts'
import * as math from '#numerics/math.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { expressionOf, valuesOf } from './generate.ts'

const test = suite('contracts/language evaluation')

const resultOf = (text: string, values: ReadValues = {}) => compileExpression(parseExpression(text))(values)

test('each sign and function gives what it says', () => {
  const values = { context: { n: 5, on: true, mode: 'auto', none: null }, event: { data: { x: 2 } }, state: 'a' }
  for (const [text, value] of [
    ['1 + 2 * 3 - 4 / 8', 6.5],
    ['7 % 4', 3],
    ['-7 % 4', -3],
    ['context.n + event.data.x', 7],
    ['-(-context.n)', 5],
    ['!context.on || context.n >= 5', true],
    ['context.n > 5 ? 1 : context.n == 5 ? 2 : 3', 2],
    ['context.mode in ["auto", "off"]', true],
    ['context.n in []', false],
    ['[10, 20, 30][event.data.x]', 30],
    ['has(event.data.x) && !has(event.data.y)', true],
    ['context.none == null && context.n != null', true],
    ['context.on ? null : 1', null],
    ['size("\ud83d\ude00a") + size([1, 2, 3])', 5],
    ['round(2.5) + round(-2.5) + round(-0.4)', 0],
    ['floor(-1.5) + ceil(1.2)', 0],
    ['clamp(7, 0, 5) + clamp(-7, 0, 5) + clamp(3, 0, 5)', 8],
    ['min(3, 1, 2) + max(3, 1, 2)', 4],
    ['sqrt(16) + cbrt(27) + hypot(3, 4) + pow(2, 10)', 1_036],
    ['exp(0) + log(1) + sin(0) + cos(0) + atan2(0, 1)', 2],
    ['state == "a"', true],
    ['[1, 2, 3]', [1, 2, 3]],
  ] as const) {
    assert.deepEqual(resultOf(text, values), value, text)
  }
})

test('minus zero is zero', () => {
  for (const text of [
    '-0',
    '0 * -1',
    '-1 / 1e308 / 1e308',
    'context.z',
    '-5 % 5',
    'round(-0.2)',
    'ceil(-0.5)',
    '-context.z',
  ]) {
    assert.ok(Object.is(resultOf(text, { context: { z: -0 } }), 0), text)
  }
})

test('what has no value is refused at its place, and never false', () => {
  const values = {
    context: { n: 5, on: true, mode: 'auto', none: null, nan: Number.NaN, deep: { x: 1 }, list: [1] },
    event: { data: {} },
  }
  for (const [text, reason, position] of [
    ['1 / 0', 'not-finite', 2],
    ['0 / 0 == 0 / 0', 'not-finite', 2],
    ['1e308 * 10 > 1', 'not-finite', 6],
    ['1 % 0', 'not-finite', 2],
    ['sqrt(-1)', 'not-finite', 0],
    ['clamp(1, 2, 0)', 'not-finite', 0],
    ['context.nan', 'not-finite', 8],
    ['event.data.x > 1', 'absent', 11],
    ['false || event.data.x > 1', 'absent', 20],
    ['event.data.x > 1 || true', 'absent', 11],
    ['has(event.other.x)', 'absent', 10],
    ['nothing', 'absent', 0],
    ['context.none > 1', 'null', 8],
    ['context.none == 1', 'null', 8],
    ['context.none == context.mode', 'null', 13],
    ['context.none in ["a"]', 'null', 13],
    ['context.n == "5"', 'type', 10],
    ['context.n + context.mode', 'type', 20],
    ['context.mode && true', 'type', 8],
    ['context.n in ["a"]', 'type', 10],
    ['context.n in context.mode', 'type', 10],
    ['context.deep', 'type', 8],
    ['context.list == context.list', 'type', 8],
    ['[1] == [1]', 'type', 4],
    ['context.mode.length', 'type', 13],
    ['context.deep.x.y', 'type', 15],
    ['context.constructor', 'absent', 8],
    ['context.__proto__', 'absent', 8],
    ['context.mode.constructor', 'type', 13],
    ['context.list.length == 1', 'type', 13],
    ['[1, 2][2]', 'index', 6],
    ['[1, 2][0.5]', 'index', 6],
    ['[1, 2][-1]', 'index', 6],
    ['size(1)', 'type', 0],
    ['1 ? 2 : 3', 'type', 0],
    ['(true && false) + 1', 'type', 6],
    ['(1 + 1) && true', 'type', 3],
  ] as const) {
    const found = resultOf(text, values)
    assert.ok(found instanceof NoValue, `${text} gives ${String(found)}`)
    assert.deepEqual([found.reason, found.position], [reason, position], text)
  }
})

test('what is not needed is not worked out, from left to right', () => {
  for (const [text, value] of [
    ['false && 1 / 0 > 1', false],
    ['true || 1 / 0 > 1', true],
    ['true ? 1 : 1 / 0', 1],
    ['has(event.data.x) && event.data.x > 1', false],
  ] as const) {
    assert.equal(resultOf(text, { event: { data: {} } }), value, text)
  }
})

const FUNCTIONS = {
  ...{ sqrt: math.sqrt, exp: math.exp, sin: math.sin, log: math.log, cbrt: math.cbrt, tanh: math.tanh },
  ...{ pow: math.pow, hypot: math.hypot, atan2: math.atan2 },
  ...{ abs: Math.abs, floor: Math.floor, ceil: Math.ceil, min: Math.min, max: Math.max },
  round: (x: number) => Math.sign(x) * Math.round(Math.abs(x)),
}

const peer = new Environment({ homogeneousAggregateLiterals: false })
for (const [name, run] of Object.entries(FUNCTIONS)) {
  const of = Array.from({ length: Math.min(run.length, 2) }, () => 'double').join(', ')
  // The rule of one zero: CEL has two, and only what a function makes of the other one tells them apart.
  const ofOneZero = (...args: number[]): number => (run as (...args: number[]) => number)(...args.map((it) => it + 0))
  peer.registerFunction(`${name}(${of}): double`, run.length === 1 ? (x: number) => ofOneZero(x) : ofOneZero)
}
for (const root of ['context', 'event', 'window', 'fire']) peer.registerVariable(root, 'map')
peer.registerVariable('state', 'string').registerVariable('state_ticks', 'double')
peer.registerOperator('double % double', (a: number, b: number) => a % b)
for (const sized of ['string', 'list'])
  peer.registerFunction(`sizeOf(${sized}): double`, (it: string | unknown[]) => [...it].length)

/** The expression as CEL would have it: numbers with a point are doubles, which places in lists are not. */
const celText = (it: ContractExpression): string => {
  const doubles = (part: unknown, within = ''): unknown => {
    if (Array.isArray(part)) return part.map((item) => doubles(item))
    if (typeof part !== 'object' || part === null) return part
    const made = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, doubles(value, key)]))
    return made['kind'] === 'number' && within !== 'index' && /^\d+$/.test(made['text'] as string)
      ? { ...made, text: `${made['text']}.0` }
      : made
  }
  return printExpression(doubles(it) as ContractExpression).replaceAll('size(', 'sizeOf(')
}

const peerValue = (it: ContractExpression, values: ReadValues): unknown => {
  try {
    return peer.evaluate(celText(it), values)
  } catch {
    return peerValue
  }
}

/** Every part of an expression. */
const partsOf = (it: ContractExpression): readonly ContractExpression[] => {
  const inner = Object.values(it).flatMap((value: unknown) => (Array.isArray(value) ? value : [value])) as unknown[]
  const parts = inner.filter(
    (part): part is ContractExpression => typeof part === 'object' && part !== null && 'kind' in part,
  )
  return [it, ...parts.flatMap(partsOf)]
}

/** Rules by which ours has no value where the other has one, each asked of the other at the place of the refusal. */
const rules: Readonly<Record<NoValue['reason'], (part: ContractExpression, values: ReadValues) => boolean>> = {
  'not-finite': (part, values) => {
    const value = peerValue(part, values)
    return typeof value === 'number' && !Number.isFinite(value)
  },
  absent: (part, values) => peerValue(part, values) === peerValue,
  null: (part, values) => partsOf(part).some((it) => peerValue(it, values) === null),
  index: (part, values) => peerValue(part, values) === peerValue,
  type: () => false,
}

test('20,000 random expressions have the value that another CEL gives them, or a named rule says why not', () => {
  const random = seeded()
  const tally = new Map<string, number>()
  const count = (what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1)
  for (let i = 0; i < 20_000; i += 1) {
    const it = parseExpression(printExpression(expressionOf(random, random.pick(['number', 'boolean', 'text']), 4)))
    const values = valuesOf(random)
    const ours = compileExpression(it)(values)
    const shown = `${printExpression(it)} of ${JSON.stringify(values)}`
    if (!(ours instanceof NoValue)) {
      const theirs = peerValue(it, values)
      assert.ok(theirs === ours, `${shown}: ${String(ours)}, not ${String(theirs)}`)
      count('same value')
      continue
    }
    const places = partsOf(it).filter(({ at }) => at === ours.position)
    assert.ok(
      places.some((part) => rules[ours.reason](part, values)),
      `${shown}: ${ours.reason} at ${ours.position}`,
    )
    count(peerValue(it, values) === peerValue ? `${ours.reason}, both refuse` : `${ours.reason}, ours alone refuses`)
  }
  console.log([...tally].map(([what, n]) => `${n} ${what}`).join(', '))
  assert.ok((tally.get('same value') ?? 0) > 8_000, 'most have a value')
}, 60_000)

test('no expression reads more members than it has nodes', () => {
  const random = seeded()
  for (let i = 0; i < 500; i += 1) {
    const it = expressionOf(random, 'boolean', 6)
    let reads = 0
    const counted = (of: object): object =>
      new Proxy(of, {
        get: (target, name) => {
          reads += 1
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'object' && value !== null ? counted(value) : value
        },
      })
    compileExpression(it)(counted(valuesOf(random)) as ReadValues)
    assert.ok(reads <= partsOf(it).length, printExpression(it))
  }
})

test.run()
