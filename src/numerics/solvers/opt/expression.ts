import { Fault } from '#core/fault.ts'
import { cos, cosh, exp, log, PI, pow, sin, sinh, sqrt, tanh } from '#numerics/math.ts'
import { evaluate } from '#numerics/operators/evaluate.ts'
import { type Expression, parseExpression, walk } from '#numerics/operators/grammar.ts'
import type { Objective } from './functions.ts'

/** Functions that an expression may call: those with an enclosure over an interval. */
export const CALLS = ['abs', 'cos', 'cosh', 'exp', 'ln', 'log', 'max', 'min', 'sin', 'sinh', 'sqrt', 'tanh'] as const
export type Call = (typeof CALLS)[number]

const refuse = (why: string): never => {
  throw new Fault('INVALID_INPUT', `/expression/f: ${why}`, { path: '/expression/f' })
}

const isConstant = (it: Expression): boolean => {
  let constant = true
  walk(it, (part) => {
    if (part.kind === 'symbol') constant = false
  })
  return constant
}

/** The value of a part without symbols. */
export const constantOf = (it: Expression): number => evaluate(it, new Map())

/** The coordinate that a symbol stands for, from 0: `x1` is 0. */
export const coordinateOf = (name: string): number => Number(name.slice(1)) - 1

/**
 * An own function, parsed.
 *
 * @throws Fault INVALID_INPUT for bad grammar, another symbol than x1 … xd, a physical constant, a unit, a function
 * without an enclosure, or an exponent that is no number.
 */
export const parseFunction = (text: string, dimension: number): Expression => {
  const parsed = parseExpression(text)
  const known = Array.from({ length: dimension }, (_, i) => `x${i + 1}`)
  let used = 0
  walk(parsed, (part) => {
    if (part.kind === 'symbol') {
      if (!known.includes(part.name)) refuse(`${part.name} is unknown; the symbols are ${known.join(', ')}.`)
      used++
    }
    if (part.kind === 'constant' || part.kind === 'unit') refuse('constants of nature and units have no place here.')
    if (part.kind === 'call' && !CALLS.some((name) => name === part.name)) {
      refuse(`${part.name} has no enclosure here; there are ${CALLS.join(', ')}.`)
    }
    if (part.kind === 'binary' && part.sign === '^') {
      if (!isConstant(part.right) || !Number.isFinite(constantOf(part.right))) refuse('an exponent must be a number.')
    }
  })
  if (used === 0) refuse('it is a constant; it has no minimum to look for.')
  return parsed
}

/** A value with its derivatives by each coordinate. */
interface Dual {
  readonly value: number
  readonly slopes: readonly number[]
}

const scaled = ({ slopes }: Dual, factor: number): readonly number[] => slopes.map((s) => (s === 0 ? 0 : s * factor))
const joined = (a: readonly number[], b: readonly number[]): readonly number[] => a.map((s, k) => s + (b[k] ?? 0))

const call = (name: Call, args: readonly Dual[]): Dual => {
  const [x = { value: Number.NaN, slopes: [] }] = args
  const of = (value: number, slope: number): Dual => ({ value, slopes: scaled(x, slope) })
  switch (name) {
    case 'abs':
      return of(Math.abs(x.value), x.value < 0 ? -1 : 1)
    case 'cos':
      return of(cos(x.value), -sin(x.value))
    case 'sin':
      return of(sin(x.value), cos(x.value))
    case 'exp':
      return of(exp(x.value), exp(x.value))
    case 'cosh':
      return of(cosh(x.value), sinh(x.value))
    case 'sinh':
      return of(sinh(x.value), cosh(x.value))
    case 'tanh':
      return of(tanh(x.value), 1 - tanh(x.value) * tanh(x.value))
    case 'ln':
    case 'log':
      return of(log(x.value), 1 / x.value)
    case 'sqrt':
      return of(sqrt(x.value), 0.5 / sqrt(x.value))
    case 'max':
      return args.reduce((most, it) => (it.value > most.value ? it : most))
    case 'min':
      return args.reduce((least, it) => (it.value < least.value ? it : least))
  }
}

const binary = (sign: string, a: Dual, b: Dual): Dual => {
  switch (sign) {
    case '+':
      return { value: a.value + b.value, slopes: joined(a.slopes, b.slopes) }
    case '-':
      return { value: a.value - b.value, slopes: joined(a.slopes, scaled(b, -1)) }
    case '*':
      return { value: a.value * b.value, slopes: joined(scaled(a, b.value), scaled(b, a.value)) }
    case '/': {
      const value = a.value / b.value
      return { value, slopes: joined(scaled(a, 1 / b.value), scaled(b, -value / b.value)) }
    }
    default: {
      const p = b.value
      if (p === 2) return { value: a.value * a.value, slopes: scaled(a, 2 * a.value) }
      return { value: pow(a.value, p), slopes: scaled(a, p * pow(a.value, p - 1)) }
    }
  }
}

const dualOf = (it: Expression, x: Float64Array): Dual => {
  const none = (): readonly number[] => Array.from(x, () => 0)
  switch (it.kind) {
    case 'number':
      return { value: it.value, slopes: none() }
    case 'pi':
      return { value: PI, slopes: none() }
    case 'symbol': {
      const at = coordinateOf(it.name)
      return { value: x[at], slopes: Array.from(x, (_, k) => (k === at ? 1 : 0)) }
    }
    case 'negate': {
      const of = dualOf(it.of, x)
      return { value: -of.value, slopes: scaled(of, -1) }
    }
    case 'call':
      return call(
        it.name as Call,
        it.args.map((arg) => dualOf(arg, x)),
      )
    case 'binary':
      return binary(it.sign, dualOf(it.left, x), dualOf(it.right, x))
    default:
      return { value: Number.NaN, slopes: none() }
  }
}

/** An own function as the search evaluates it: forward differentiation. Undefined values are NaN. */
export const objectiveOf =
  (parsed: Expression): Objective =>
  (x, slope) => {
    const { value, slopes } = dualOf(parsed, x)
    slope?.set(slopes)
    return value
  }
