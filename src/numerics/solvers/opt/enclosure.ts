import { PI } from '#numerics/math.ts'
import type { Interval } from '#numerics/methods/interval.ts'
import * as of from '#numerics/methods/interval.ts'
import type { Expression } from '#numerics/operators/grammar.ts'
import { type Call, constantOf, coordinateOf } from './expression.ts'

/** What a function can be over a box, and its slope along each coordinate (Clarke's, where there is a kink). */
export interface Enclosed {
  readonly value: Interval
  readonly slopes: readonly Interval[]
}

const ZERO: Interval = [0, 0]
const ONE: Interval = [1, 1]

const scaled = ({ slopes }: Enclosed, by: Interval): readonly Interval[] => slopes.map((s) => of.multiply(s, by))
const joined = (a: readonly Interval[], b: readonly Interval[]): readonly Interval[] =>
  a.map((s, k) => of.add(s, b[k] ?? ZERO))

const sharper = (a: Enclosed, b: Enclosed, largest: boolean): Enclosed => {
  const value = largest ? of.larger(a.value, b.value) : of.smaller(a.value, b.value)
  const first = largest ? a.value[0] > b.value[1] : a.value[1] < b.value[0]
  const second = largest ? b.value[0] > a.value[1] : b.value[1] < a.value[0]
  if (first) return { value, slopes: a.slopes }
  if (second) return { value, slopes: b.slopes }
  return { value, slopes: a.slopes.map((s, k) => of.hull(s, b.slopes[k] ?? s)) }
}

const called = (name: Call, args: readonly Enclosed[]): Enclosed => {
  const [x] = args as readonly [Enclosed]
  const v = x.value
  const by = (value: Interval, slope: Interval): Enclosed => ({ value, slopes: scaled(x, slope) })
  switch (name) {
    case 'abs':
      return by(of.magnitude(v), v[0] > 0 ? ONE : v[1] < 0 ? [-1, -1] : [-1, 1])
    case 'cos':
      return by(of.cosine(v), of.negate(of.sine(v)))
    case 'sin':
      return by(of.sine(v), of.cosine(v))
    case 'exp':
      return by(of.exponential(v), of.exponential(v))
    case 'cosh':
      return by(of.hyperbolicCosine(v), of.hyperbolicSine(v))
    case 'sinh':
      return by(of.hyperbolicSine(v), of.hyperbolicCosine(v))
    case 'tanh':
      return by(of.hyperbolicTangent(v), of.subtract(ONE, of.power(of.hyperbolicTangent(v), 2)))
    case 'ln':
    case 'log':
      return by(of.logarithm(v), v[0] <= 0 ? of.WHOLE : of.divide(ONE, v))
    case 'sqrt':
      return by(of.root(v), v[0] <= 0 ? of.WHOLE : of.divide([0.5, 0.5], of.root(v)))
    case 'max':
      return args.reduce((a, b) => sharper(a, b, true))
    case 'min':
      return args.reduce((a, b) => sharper(a, b, false))
  }
}

const raised = (x: Enclosed, p: number): Enclosed => {
  const factor: Interval = [p, p]
  if (Number.isInteger(p) && Math.abs(p) <= 64) {
    return { value: of.power(x.value, p), slopes: scaled(x, of.multiply(factor, of.power(x.value, p - 1))) }
  }
  const slope = x.value[0] <= 0 ? of.WHOLE : of.multiply(factor, of.realPower(x.value, p - 1))
  return { value: of.realPower(x.value, p), slopes: scaled(x, slope) }
}

/** An expression over a box of d ≤ 3 intervals, with ends rounded outwards. */
export const enclose = (it: Expression, box: readonly Interval[]): Enclosed => {
  const none = (): readonly Interval[] => box.map(() => ZERO)
  switch (it.kind) {
    case 'number':
      // The text of a number need not be a double: the nearest one may be half a unit away.
      return {
        value: Number.isInteger(it.value) ? of.exactly(it.value) : [of.below(it.value), of.above(it.value)],
        slopes: none(),
      }
    case 'pi':
      return { value: [PI, of.above(PI)], slopes: none() }
    case 'symbol': {
      const at = coordinateOf(it.name)
      return { value: box[at] ?? of.WHOLE, slopes: box.map((_, k) => (k === at ? ONE : ZERO)) }
    }
    case 'negate': {
      const inner = enclose(it.of, box)
      return { value: of.negate(inner.value), slopes: inner.slopes.map(of.negate) }
    }
    case 'call':
      return called(
        it.name as Call,
        it.args.map((arg) => enclose(arg, box)),
      )
    case 'binary': {
      const a = enclose(it.left, box)
      if (it.sign === '^') return raised(a, constantOf(it.right))
      const b = enclose(it.right, box)
      if (it.sign === '+') return { value: of.add(a.value, b.value), slopes: joined(a.slopes, b.slopes) }
      if (it.sign === '-') {
        return { value: of.subtract(a.value, b.value), slopes: joined(a.slopes, b.slopes.map(of.negate)) }
      }
      if (it.sign === '*') {
        return { value: of.multiply(a.value, b.value), slopes: joined(scaled(a, b.value), scaled(b, a.value)) }
      }
      const value = of.divide(a.value, b.value)
      const slopes = joined(
        a.slopes,
        b.slopes.map((s) => of.negate(of.multiply(s, value))),
      )
      return { value, slopes: slopes.map((s) => of.divide(s, b.value)) }
    }
    default:
      return { value: of.WHOLE, slopes: box.map(() => of.WHOLE) }
  }
}

/**
 * What a function can be at least over a box: by its parts, and by its value in the middle and its slopes (the mean
 * value form), whichever says more.
 */
export const leastOver = (it: Expression, box: readonly Interval[]): { least: number; slopes: readonly Interval[] } => {
  const { value, slopes } = enclose(it, box)
  const middle = box.map(([low, high]): Interval => {
    const m = low + (high - low) / 2
    return [m, m]
  })
  let centred = enclose(it, middle).value
  for (const [k, slope] of slopes.entries()) {
    centred = of.add(centred, of.multiply(slope, of.subtract(box[k] as Interval, middle[k] as Interval)))
  }
  return { least: Math.max(value[0], centred[0]), slopes }
}
