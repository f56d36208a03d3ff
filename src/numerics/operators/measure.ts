import type { Decimal } from 'decimal.js'
import { Precise } from './decimal.ts'
import type { Equation } from './grammar.ts'
import { percentOf } from './percent.ts'
import { evaluatePrecisely, type PreciseValues } from './precise.ts'

/** left − right at 50 digits as a function of one symbol. */
export type PreciseFunction = (x: Decimal) => Decimal

/** What the sign change around a root found: the error in percent, and on demand the root to nearly 50 digits. */
export interface RootMeasure {
  readonly errorPct: number
  readonly root: () => Decimal
}

/** Half-widths of the bracket around a root that are tried, relative: the first with a sign change is the error. */
const WIDTHS = [1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3]
/** The bracket around a root at zero, in SI. */
const TINY = '1e-300'
/** Steps of the refinement of a root, and the relative size of a step at which it ends. */
const REFINE_STEPS_MAX = 250
const REFINED_STEP = '1e-44'

/** The residual of an equation at 50 digits in one symbol, the others given. */
export const residualOf = ({ left, right }: Equation, symbol: string, others: PreciseValues): PreciseFunction => {
  const values = new Map(others)
  return (x) => {
    values.set(symbol, x)
    return evaluatePrecisely(left, values).minus(evaluatePrecisely(right, values))
  }
}

/**
 * The deviation in percent of a double from the same value at 50 digits; NaN where either is not finite, or where the
 * true value is zero and the double is not, so that no scale exists.
 */
export const deviationPct = (value: number, precise: Decimal): number => {
  if (!Number.isFinite(value) || !precise.isFinite()) return Number.NaN
  if (precise.isZero()) return value === 0 ? 0 : Number.NaN
  return percentOf(precise.minus(value), precise)
}

const sign = (it: Decimal): number => (it.isNaN() ? Number.NaN : it.isZero() ? 0 : it.isNegative() ? -1 : 1)

/** True when f changes sign between two points, an end where it vanishes included, but not both. */
const changes = (a: number, b: number): boolean => a * b < 0 || (a === 0) !== (b === 0)

/**
 * Regula falsi with the Illinois weight, which gains digits faster than halving, and a halving whenever the bracket did
 * not shrink by half: a step-like function would stall otherwise.
 */
const refine = (f: PreciseFunction, from: Decimal, to: Decimal): Decimal => {
  let [a, b] = [from, to]
  let [fa, fb] = [f(a), f(b)]
  let halve = false
  for (let step = 0; step < REFINE_STEPS_MAX; step += 1) {
    if (fa.isZero()) return a
    if (fb.isZero()) return b
    const width = b.minus(a)
    const c = halve ? a.plus(width.div(2)) : b.minus(fb.times(width).div(fb.minus(fa)))
    const fc = f(c)
    if (!fc.isFinite()) break
    if (c.minus(b).abs().lte(c.abs().times(REFINED_STEP))) return c
    if (sign(fc) * sign(fb) < 0) [a, fa] = [b, fb]
    else if (!halve) fa = fa.div(2)
    ;[b, fb] = [c, fc]
    halve = !halve && b.minus(a).abs().times(2).gt(width.abs())
  }
  return b
}

/** A bracket around a point, if f changes sign in it. */
const around = (f: PreciseFunction, at: Decimal, halfWidth: Decimal): readonly [Decimal, Decimal] | undefined => {
  const lower = at.minus(halfWidth)
  const upper = at.plus(halfWidth)
  return changes(sign(f(lower)), sign(f(upper))) ? [lower, upper] : undefined
}

/**
 * Checks a root: e is the least of {@link WIDTHS} for which f changes sign at 50 digits between x(1−e) and x(1+e). A
 * small residual alone would prove nothing at multiple or ill-conditioned roots. Undefined when no width up to 1e-3 has
 * a sign change.
 */
export const measureRoot = (f: PreciseFunction, x: number): RootMeasure | undefined => {
  if (!Number.isFinite(x)) return undefined
  const at = new Precise(x)
  if (x === 0) {
    const bracket = f(at).isZero() ? around(f, at, new Precise(TINY)) : undefined
    return bracket === undefined ? undefined : { errorPct: 0, root: () => at }
  }
  for (const width of WIDTHS) {
    const bracket = around(f, at, at.abs().times(width))
    if (bracket !== undefined) return { errorPct: 100 * width, root: () => refine(f, ...bracket) }
  }
  return undefined
}
