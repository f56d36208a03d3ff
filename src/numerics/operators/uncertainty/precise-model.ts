import type { Decimal } from 'decimal.js'
import { constantOf } from '#numerics/operators/constants.ts'
import { Precise } from '#numerics/operators/decimal.ts'
import { evaluatePrecisely } from '#numerics/operators/precise.ts'
import type { LinkModel } from './model.ts'

/** Secant steps to a root near a good guess: the digits nearly double with each. */
const SECANT_STEPS_MAX = 40
/** Relative size of a step at which a root stands. */
const STOOD = '1e-46'
/** Relative length of a first secant step. */
const FIRST_STEP = '1e-20'

/** A value of a link near which its root lies, and about how far away. */
export interface NearValue {
  readonly at: Decimal
  readonly step: Decimal
}

const constantAt = (symbol: string): Decimal => new Precise(constantOf(symbol.slice(1)).text)

const secant = (f: (x: Decimal) => Decimal, { at, step }: NearValue): Decimal => {
  let [a, b] = [at, at.plus(step.isZero() ? (at.isZero() ? new Precise(FIRST_STEP) : at.times(FIRST_STEP)) : step)]
  let [fa, fb] = [f(a), f(b)]
  for (let i = 0; i < SECANT_STEPS_MAX; i += 1) {
    if (fb.isZero()) return b
    const rise = fb.minus(fa)
    if (rise.isZero() || !rise.isFinite()) break
    const next = b.minus(fb.times(b.minus(a)).div(rise))
    if (next.minus(b).abs().lte(next.abs().times(STOOD))) return next
    ;[a, fa] = [b, fb]
    ;[b, fb] = [next, f(next)]
  }
  // Where digits are spent the last steps jump about within them; a search that went nowhere is none.
  return b.minus(a).abs().lte(b.abs().times('1e-35')) ? b : new Precise(Number.NaN)
}

/**
 * A computed chain at 50 digits as a function of its sources, by the relation alone: neither the derivatives nor the
 * doubles take part. NaN where there is no value.
 *
 * @param near for each link a value near its root.
 * @returns the value of each link.
 */
export const movedPrecisely = (
  links: readonly LinkModel[],
  off: readonly Decimal[],
  near: readonly NearValue[],
): readonly Decimal[] => {
  const values: Decimal[] = []
  for (const [i, link] of links.entries()) {
    const last = link.symbols.length - 1
    const at = new Map<string, Decimal>()
    for (const [place, symbol] of link.symbols.slice(0, last).entries()) {
      const nominal = symbol.startsWith('@') ? constantAt(symbol) : new Precise(link.values[place] ?? Number.NaN)
      const start = place === link.fed ? (values.at(-1) ?? nominal) : nominal
      at.set(
        symbol,
        (link.movedBy[place] ?? []).reduce((sum, it) => sum.plus(off[it] ?? 0), start),
      )
    }
    if (link.direct !== undefined) values.push(evaluatePrecisely(link.direct, at))
    else {
      const residual = (x: Decimal): Decimal => {
        at.set(link.unknown.symbol, x)
        return evaluatePrecisely(link.left, at).minus(evaluatePrecisely(link.right, at))
      }
      const guess = near[i]
      values.push(guess === undefined ? new Precise(Number.NaN) : secant(residual, guess))
    }
  }
  return values
}
