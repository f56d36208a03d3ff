// Goal: the grammar reads what it prints and nothing hostile. Method: random expressions go through print and parse;
// precedence is held against hand-made cases; each bound and each foreign sign is refused with its position.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { ARITY, type FunctionName } from '#numerics/operators/arity.ts'
import { CONSTANTS } from '#numerics/operators/constants.ts'
import { evaluate } from '#numerics/operators/evaluate.ts'
import {
  DEPTH_MAX,
  type Expression,
  LENGTH_MAX,
  NODES_MAX,
  parseEquation,
  parseExpression,
  printExpression,
} from '#numerics/operators/grammar.ts'
import { seed } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { faultOf } from './table.ts'

const test = suite('operator grammar')

const number = fc
  .tuple(fc.nat(9999), fc.option(fc.nat(999)), fc.option(fc.integer({ min: -30, max: 30 })))
  .map(([whole, fraction, exponent]): Expression => {
    const text = `${whole}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`
    return { kind: 'number', text, value: Number(text) }
  })
const leaf: fc.Arbitrary<Expression> = fc.oneof(
  number,
  fc
    .constantFrom('x', 'r_s', 'm1', 'Omega_L', 'e', 'constructor')
    .map((name): Expression => ({ kind: 'symbol', name })),
  fc.constantFrom(...CONSTANTS).map(({ key }): Expression => ({ kind: 'constant', name: key })),
  fc.constantFrom('km', 'J/(kg*K)', 'm^(1/2)').map((text): Expression => ({ kind: 'unit', text })),
  fc.constant<Expression>({ kind: 'pi' }),
)
const { tree } = fc.letrec<{ tree: Expression }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'tree' },
    leaf,
    tie('tree').map((of): Expression => ({ kind: 'negate', of })),
    fc
      .tuple(fc.constantFrom('+', '-', '*', '/', '^' as const), tie('tree'), tie('tree'))
      .map(([sign, left, right]): Expression => ({ kind: 'binary', sign: sign as '+', left, right })),
    fc
      .tuple(
        fc.constantFrom(...(Object.keys(ARITY) as FunctionName[])),
        fc.array(tie('tree'), { minLength: 2, maxLength: 2 }),
      )
      .map(([name, args]): Expression => ({ kind: 'call', name, args: args.slice(0, ARITY[name].least) })),
  ),
}))

test('printing and parsing an expression gives it back', () => {
  fc.assert(
    fc.property(tree, (it) => assert.deepEqual(parseExpression(printExpression(it)), it)),
    { seed, numRuns: 1_000 },
  )
})

test('no text makes the parser throw anything but a refusal with a position', () => {
  const sign = fc.constantFrom(...'xy12.e+-*/^()=@[], \t∞λ__proto__', 'sqrt(', '1e9', '@c', '[km]')
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 40 }), (signs) => {
      try {
        parseExpression(signs.join(''))
      } catch (thrown) {
        const fault = faultOf(() => {
          throw thrown
        })
        assert.equal(fault.code, 'INVALID_INPUT')
        assert.ok(typeof fault.details['position'] === 'number')
      }
    }),
    { seed, numRuns: 2_000 },
  )
})

const value = (text: string, values: Record<string, number> = {}): number =>
  evaluate(parseExpression(text), new Map(Object.entries(values)))

test('precedence is that of mathematics', () => {
  const cases: readonly (readonly [string, number])[] = [
    ['1 + 2*3', 7],
    ['(1 + 2)*3', 9],
    ['8/4/2', 1],
    ['8 - 4 - 2', 2],
    ['2^3^2', 512],
    ['-2^2', -4],
    ['(-2)^2', 4],
    ['2^-1', 0.5],
    ['2*-3', -6],
    ['--2', 2],
    ['4^(1/2)', 2],
    ['1.5e3', 1500],
    ['max(1, 3, 2) - min(4, 2)', 1],
    ['[km]/[m]', 1000],
  ]
  for (const [text, wanted] of cases) assert.equal(value(text), wanted, text)
})

test('what an object brings along is no symbol', () => {
  for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    assert.ok(Number.isNaN(value(name)), name)
    assert.equal(faultOf(() => parseExpression(`${name}(1)`)).code, 'INVALID_INPUT')
  }
  assert.equal(faultOf(() => parseExpression('__proto__')).details['position'], 0)
})

test('each bound and each foreign sign is refused where it stands', () => {
  const cases: readonly (readonly [string, number])[] = [
    ['', 0],
    ['1 +', 3],
    ['1 + + 2', 4],
    ['2 x', 2],
    ['a = b', 2],
    ['λ', 0],
    ['x + ∞', 4],
    ['sin x', 4],
    ['sin', 3],
    ['nope(1)', 0],
    ['sqrt(1, 2)', 0],
    ['atan2(1)', 0],
    ['1e999', 0],
    ['(1', 2],
    ['1)', 1],
    ['@', 0],
    ['a'.repeat(33), 0],
    ['1'.repeat(LENGTH_MAX + 1), LENGTH_MAX],
    ['[furlong]', 0],
    ['[degC]', 0],
  ]
  for (const [text, position] of cases) {
    const fault = faultOf(() => parseExpression(text))
    assert.equal(fault.code, 'INVALID_INPUT', text.slice(0, 20))
    assert.equal(fault.details['position'], position, text.slice(0, 20))
  }
  assert.match(faultOf(() => parseExpression('('.repeat(DEPTH_MAX + 2))).message, /deeper/)
  assert.match(faultOf(() => parseExpression('-'.repeat(DEPTH_MAX + 2))).message, /deeper/)
  assert.match(faultOf(() => parseExpression(Array(NODES_MAX).fill('1').join('+'))).message, /parts/)
})

test('an equation has one sign of equality', () => {
  assert.equal(printExpression(parseEquation('F = m*a').right), 'm*a')
  for (const text of ['F', 'F = ', 'F = m = a', '= F'])
    assert.equal(faultOf(() => parseEquation(text)).code, 'INVALID_INPUT')
})

test.run()
