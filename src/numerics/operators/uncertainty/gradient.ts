import * as math from '#numerics/math.ts'
import { combine, evaluate, type Values } from '#numerics/operators/evaluate.ts'
import { FUNCTIONS } from '#numerics/operators/functions.ts'
import type { Expression, Sign } from '#numerics/operators/grammar.ts'
import { SLOPES } from './derivatives.ts'

/** A value and its derivatives by the symbols asked for, in their order. */
export interface Dual {
  readonly value: number
  readonly by: readonly number[]
}

/** What one part gives to a whole: its derivatives, times the whole's derivative by it. */
type Share = readonly [slope: number, part: Dual]

/** A part that does not move gives nothing, even where the slope by it is not finite: 0·∞ would spoil the rest. */
const summed = (value: number, count: number, shares: readonly Share[]): Dual => ({
  value,
  by: Array.from({ length: count }, (_, i) =>
    shares.reduce((sum, [slope, { by }]) => (by[i] === 0 ? sum : sum + slope * (by[i] ?? 0)), 0),
  ),
})

/** Derivatives of left ∘ right by either side. */
const slopesOf = (sign: Sign, a: number, b: number, whole: number): readonly [number, number] => {
  switch (sign) {
    case '+':
      return [1, 1]
    case '-':
      return [1, -1]
    case '*':
      return [b, a]
    case '/':
      return [1 / b, -whole / b]
    case '^':
      return [b * combine('^', a, b - 1), whole === 0 ? 0 : whole * math.log(a)]
  }
}

const ofCall = (name: keyof typeof FUNCTIONS, args: readonly Dual[], count: number): Dual => {
  const value = FUNCTIONS[name].double(...args.map((it) => it.value))
  const [first, second] = args
  if (first === undefined) return summed(value, count, [])
  if (name === 'max' || name === 'min') {
    const chosen = args.find((it) => it.value === value)
    return summed(value, count, chosen === undefined ? [] : [[1, chosen]])
  }
  if (name === 'atan2') {
    const [y, x] = [first.value, second?.value ?? Number.NaN]
    // Divided one after the other: the square of the distance may be beyond doubles.
    const far = math.hypot(x, y)
    return summed(value, count, [
      [x / far / far, first],
      ...(second === undefined ? [] : [[-y / far / far, second] as const]),
    ])
  }
  return summed(value, count, [[SLOPES[name](first.value, value), first]])
}

/**
 * Value and derivatives of an expression in doubles by forward-mode automatic differentiation: exact rules, no steps
 * (Griewank, Walther, Evaluating Derivatives, SIAM 2008, chapter 3). A derivative that is not defined is not finite; at
 * a kink of `abs`, `min` and `max` it is that of one side.
 */
export const differentiate = (it: Expression, values: Values, symbols: readonly string[]): Dual => {
  const count = symbols.length
  switch (it.kind) {
    case 'symbol':
      return { value: values.get(it.name) ?? Number.NaN, by: symbols.map((name) => (name === it.name ? 1 : 0)) }
    case 'negate': {
      const inner = differentiate(it.of, values, symbols)
      return summed(-inner.value, count, [[-1, inner]])
    }
    case 'binary': {
      const left = differentiate(it.left, values, symbols)
      const right = differentiate(it.right, values, symbols)
      const value = combine(it.sign, left.value, right.value)
      const [a, b] = slopesOf(it.sign, left.value, right.value, value)
      return summed(value, count, [
        [a, left],
        [b, right],
      ])
    }
    case 'call':
      return ofCall(
        it.name,
        it.args.map((arg) => differentiate(arg, values, symbols)),
        count,
      )
    default:
      return summed(evaluate(it, values), count, [])
  }
}
