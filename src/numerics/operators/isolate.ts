import * as math from '#numerics/math.ts'
import type { FunctionName } from './arity.ts'
import { evaluate, type Values } from './evaluate.ts'
import { countSymbol, type Equation, type Expression, type Sign } from './grammar.ts'

/** Periods either side of the principal value that are listed. */
const PERIODS = 6
/** Values kept while branches multiply. */
const BRANCHES_MAX = 256

type Branches = (target: number) => readonly number[]

const periodic =
  (principal: Branches, period: number): Branches =>
  (target) =>
    principal(target).flatMap((it) => Array.from({ length: 2 * PERIODS + 1 }, (_, i) => it + (i - PERIODS) * period))

const one =
  (inverse: (target: number) => number): Branches =>
  (target) => [inverse(target)]
const within =
  (least: number, most: number, inverse: (target: number) => number): Branches =>
  (target) =>
    target >= least && target <= most ? [inverse(target)] : []

const HALF_PI = math.PI / 2

/** Arguments at which a function takes a value; functions of several arguments are absent. */
const INVERSES: Readonly<Partial<Record<FunctionName, Branches>>> = {
  abs: (t) => (t < 0 ? [] : [t, -t]),
  acos: within(0, math.PI, math.cos),
  acosh: within(0, Number.POSITIVE_INFINITY, math.cosh),
  asin: within(-HALF_PI, HALF_PI, math.sin),
  asinh: one(math.sinh),
  atan: within(-HALF_PI, HALF_PI, math.tan),
  atanh: one(math.tanh),
  cbrt: one((t) => t * t * t),
  cos: periodic((t) => [math.acos(t), -math.acos(t)], math.TAU),
  cosh: (t) => [math.acosh(t), -math.acosh(t)],
  exp: one(math.log),
  expm1: one(math.log1p),
  ln: one(math.exp),
  log: one(math.exp),
  log10: one((t) => math.pow(10, t)),
  log1p: one(math.expm1),
  log2: one((t) => math.pow(2, t)),
  sin: periodic((t) => [math.asin(t), math.PI - math.asin(t)], math.TAU),
  sinh: one(math.asinh),
  sqrt: within(0, Number.POSITIVE_INFINITY, (t) => t * t),
  tan: periodic((t) => [math.atan(t)], math.PI),
  tanh: one(math.atanh),
}

const isOdd = (n: number): boolean => Math.abs(n % 2) === 1

/** All real x with x^n = t. */
const rootsOf = (t: number, n: number): readonly number[] => {
  if (n === 0) return []
  const size = n === 2 ? math.sqrt(Math.abs(t)) : n === 3 ? math.cbrt(Math.abs(t)) : math.pow(Math.abs(t), 1 / n)
  if (!Number.isInteger(n)) return t < 0 ? [] : [size]
  if (isOdd(n)) return [t < 0 ? -size : size]
  return t < 0 ? [] : [size, -size]
}

/** left ∘ right = t, the right side known. */
const leftOf = (sign: Sign, right: number, t: number): readonly number[] => {
  switch (sign) {
    case '+':
      return [t - right]
    case '-':
      return [t + right]
    case '*':
      return [t / right]
    case '/':
      return [t * right]
    case '^':
      return rootsOf(t, right)
  }
}

/** left ∘ right = t, the left side known. */
const rightOf = (sign: Sign, left: number, t: number): readonly number[] => {
  switch (sign) {
    case '+':
      return [t - left]
    case '-':
      return [left - t]
    case '*':
      return [t / left]
    case '/':
      return [left / t]
    case '^':
      return [math.log(t) / math.log(left)]
  }
}

/** What the one part that holds the symbol must be, when the whole is `t`; undefined when no inverse is known. */
const inward = (it: Expression, symbol: string, values: Values, t: number) => {
  if (it.kind === 'negate') return { part: it.of, targets: [-t] }
  if (it.kind === 'call') {
    const [part] = it.args
    const inverse = INVERSES[it.name]
    return part === undefined || inverse === undefined ? undefined : { part, targets: inverse(t) }
  }
  if (it.kind !== 'binary') return undefined
  return countSymbol(it.left, symbol) === 1
    ? { part: it.left, targets: leftOf(it.sign, evaluate(it.right, values), t) }
    : { part: it.right, targets: rightOf(it.sign, evaluate(it.left, values), t) }
}

const descend = (it: Expression, symbol: string, values: Values, t: number): readonly number[] | undefined => {
  if (it.kind === 'symbol') return [t]
  const next = inward(it, symbol, values, t)
  if (next === undefined) return undefined
  const found: number[] = []
  for (const target of next.targets) {
    if (!Number.isFinite(target)) continue
    const deeper = descend(next.part, symbol, values, target)
    if (deeper === undefined) return undefined
    found.push(...deeper)
    if (found.length > BRANCHES_MAX) break
  }
  return found
}

/**
 * Every value an unknown that stands once can take, by undoing the equation from the outside in, all branches kept.
 * Spurious ones are the caller's to drop.
 *
 * @returns undefined when the unknown stands more than once or under a function without an inverse.
 */
export const isolate = ({ left, right }: Equation, symbol: string, values: Values): readonly number[] | undefined => {
  const onLeft = countSymbol(left, symbol)
  if (onLeft + countSymbol(right, symbol) !== 1) return undefined
  const [side, other] = onLeft === 1 ? [left, right] : [right, left]
  const target = evaluate(other, values)
  return Number.isFinite(target) ? descend(side, symbol, values, target) : []
}
