// Goal: an equation on the page says what the row says, for every row of the registry. Method: the MathML is written as
// text and read by a small XML reader of this file; then what is seen (signs, bars, heights, brackets, but no grouping
// that a reader cannot see) is read back to an expression and compared with the parsed row. A few are looked at whole.
import assert from 'node:assert/strict'
import { isFunctionName } from '#numerics/operators/arity.ts'
import { type Expression, parseEquation, printExpression } from '#numerics/operators/grammar.ts'
import type { OperatorRow } from '#numerics/operators/operator.ts'
import { mathOfEquation, mathOfSymbol } from '#ui/math/expression.ts'
import type { MathNode } from '#ui/math/node.ts'
import { suite } from '../kit/suite.ts'
import { rows as table } from '../numerics/operators/table.ts'
import { readMath, seenText, xmlOf } from './math-reader.ts'

const test = suite('ui/math')

const rows = table as readonly OperatorRow[]
const computable = rows.filter((it) => it.refused === undefined)

const namesOf = ({ variables }: OperatorRow) =>
  Object.fromEntries(Object.entries(variables).map(([symbol, { name }]) => [symbol, name]))

const mathOf = (row: OperatorRow): MathNode => mathOfEquation(parseEquation(row.equation), namesOf(row))

const powerOfTen = (text: string): Expression => {
  const number = (of: number): Expression => ({ kind: 'number', text: String(of), value: of })
  const exponent = Number(text.toLowerCase().split('e')[1])
  const right: Expression = exponent < 0 ? { kind: 'negate', of: number(-exponent) } : number(exponent)
  return { kind: 'binary', sign: '^', left: number(10), right }
}

/** An expression as it can be seen: products have no order of brackets, and two functions go by their plain form. */
const seen = (it: Expression): Expression => {
  const one: Expression = { kind: 'number', text: '1', value: 1 }
  switch (it.kind) {
    case 'number':
      // A lone power of ten looks as one that is computed.
      return /^1(?:\.0*)?e/i.test(it.text) ? seen(powerOfTen(it.text)) : { ...it, text: String(it.value) }
    case 'negate':
      return { kind: 'negate', of: seen(it.of) }
    case 'call': {
      const args = it.args.map(seen)
      const [first = one] = args
      if (it.name === 'log') return { kind: 'call', name: 'ln', args }
      if (it.name === 'log1p')
        return seen({ kind: 'call', name: 'ln', args: [{ kind: 'binary', sign: '+', left: one, right: first }] })
      if (it.name === 'expm1')
        return { kind: 'binary', sign: '-', left: { kind: 'call', name: 'exp', args }, right: one }
      return { ...it, args }
    }
    case 'binary': {
      const [left, right] = [seen(it.left), seen(it.right)]
      if (it.sign === '*' && right.kind === 'binary' && right.sign === '*') {
        return seen({ ...it, left: { kind: 'binary', sign: '*', left, right: right.left }, right: right.right })
      }
      // So has a sign before a product or a fraction.
      if ('*/'.includes(it.sign) && left.kind === 'negate')
        return { kind: 'negate', of: seen({ ...it, left: left.of }) }
      return { ...it, left, right }
    }
    default:
      return it
  }
}

test('every equation of the registry reads back from its MathML as the equation that it is', () => {
  assert(computable.length > 1_500)
  for (const row of computable) {
    const { left, right } = parseEquation(row.equation)
    const read = readMath(xmlOf(mathOf(row)))
    assert.equal(read.length, 2, row.id)
    const [a, b] = [left, right].map((it) => printExpression(seen(it)))
    assert.deepEqual(
      read.map((it) => printExpression(seen(it))),
      [a, b],
      row.id,
    )
  }
})

test('in no equation do two symbols look alike, and each looks as in the list of variables', () => {
  for (const row of rows) {
    const looks = Object.entries(row.variables).map(([symbol, { name }]) => seenText(xmlOf(mathOfSymbol(symbol, name))))
    assert.equal(new Set(looks).size, looks.length, `${row.id}: ${looks.join(' ')}`)
    assert(
      looks.every((it) => it !== ''),
      row.id,
    )
  }
})

const plainOf = (text: string, names: Readonly<Record<string, string>> = {}): string =>
  seenText(xmlOf(mathOfEquation(parseEquation(text), names)))

test('letters, indices, fractions, roots, powers and functions stand as in books', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['F = m*a', 'F=m a'],
    ['rho1 = rho_0*exp(-h/H)', 'ρ_{1}=ρ_{0} exp(−{h}/{H})'],
    ['v = sqrt(2*g*h)', 'v=√{2 g h}'],
    ['E = 1/2*m*v_x^2', 'E={1}/{2} m v_{x}^{2}'],
    ['y = (a + b)^2', 'y=(a+b)^{2}'],
    ['y = -(a + b)*c', 'y=−(a+b) c'],
    ['y = a - (b - c)', 'y=a−(b−c)'],
    ['y = a + -b*c', 'y=a+(−b c)'],
    ['y = a*(-b)', 'y=a (−b)'],
    ['y = a*(b*c)', 'y=a b c'],
    ['y = expm1(x)*a', 'y=(exp(x)−1) a'],
    ['y = (a/b)^(1/3)', 'y=({a}/{b})^{1/3}'],
    ['y = 6.5e-3*x*10', 'y=6.5×10^{−3} x·10'],
    ['y = sin(x)^2 + acos(x)', 'y=sin^{2}(x)+arccos(x)'],
    ['y = log10(P/[kPa])', 'y=log_{10}({P}/{kPa})'],
    ['y = abs(x)', 'y=|x|'],
  ]
  for (const [text, wanted] of cases) assert.equal(plainOf(text), wanted)
  const symbols: readonly (readonly [string, string, string])[] = [
    ['dT', 'temperature difference', 'ΔT'],
    ['dT_lm', 'logarithmic mean temperature difference', 'ΔT_{lm}'],
    ['dt', 'interval', 'dt'],
    ['chi2', 'chi squared', 'χ^{2}'],
    ['R2', 'second resistance', 'R_{2}'],
    ['mdot', 'mass flow', 'm˙'],
    ['dB_dt', 'rate of change of the field', '{dB}/{dt}'],
    ['k_inf', 'rate at infinite dilution', 'k_{∞}'],
    ['SNR', 'signal to noise ratio', 'SNR'],
    ['tan_delta', 'loss tangent', 'tanδ'],
    ['A_21', 'coefficient', 'A_{21}'],
  ]
  for (const [symbol, name, wanted] of symbols) assert.equal(seenText(xmlOf(mathOfSymbol(symbol, name))), wanted)
})

test('the MathML of an equation, to the letter', () => {
  assert.equal(
    xmlOf(mathOfEquation(parseEquation('E = @h*@c/lambda1'))),
    '<math><mrow><mi data-symbol="E">E</mi><mo>=</mo><mfrac><mrow><mi mathvariant="normal" data-constant="h">h</mi>' +
      '<mo lspace="0" rspace="0.15em">\u2062</mo><mi mathvariant="normal" data-constant="c">c</mi></mrow>' +
      '<msub data-symbol="lambda1"><mi>λ</mi><mn>1</mn></msub></mfrac></mrow></math>',
  )
})

test('no symbol of the registry is a function of the grammar', () => {
  for (const row of rows) for (const symbol of Object.keys(row.variables)) assert(!isFunctionName(symbol), row.id)
})

test.run()
