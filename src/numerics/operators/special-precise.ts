// The same special functions at 50 digits, by other formulas than special.ts, so that they can check it.
import type { Decimal } from 'decimal.js'
import { PRECISE_DIGITS, Precise } from './decimal.ts'

/** From here on erfc(x) is below 1e-1000. */
const ERFC_ZERO_FROM = 50
/** From here on erf(x) is 1 at 50 digits. */
const ERF_ONE_FROM = 12
/** From here on the continued fraction of erfc is used, of so many levels. */
const FRACTION_FROM = 2
const FRACTION_LEVELS = 500
/** Terms of the series of erf: at x = 12 some 350 reach 50 digits. */
const SERIES_TERMS_MAX = 1_000
/** Stirling's series is used from here on, with so many terms: the first one left out is below 1e-60. */
const STIRLING_FROM = 60
const STIRLING_TERMS = 30
/** From here on Γ(x) is beyond 1e1000. */
const GAMMA_INFINITE_FROM = 500

const half = new Precise(0.5)
const pi = Precise.acos(-1)

/** 2x/√π·exp(−x²)·Σ (2x²)^n/(2n + 1)!!: every term has the same sign, so nothing cancels. */
const erfSeries = (x: Decimal): Decimal => {
  const square = x.times(x)
  let [term, sum] = [new Precise(1), new Precise(1)]
  for (let n = 1; n <= SERIES_TERMS_MAX; n += 1) {
    term = term
      .times(square)
      .times(2)
      .div(2 * n + 1)
    sum = sum.plus(term)
    if (term.lte(sum.times(`1e-${PRECISE_DIGITS + 2}`))) break
  }
  return x.times(2).div(pi.sqrt()).times(square.negated().exp()).times(sum)
}

/** exp(−x²)/√π / (x + ½/(x + 1/(x + 3⁄2/(x + …)))) (NIST Digital Library of Mathematical Functions, 7.9.1). */
const erfcFraction = (x: Decimal): Decimal => {
  let below: Decimal = x
  for (let n = FRACTION_LEVELS; n >= 1; n -= 1) below = x.plus(half.times(n).div(below))
  return x.times(x).negated().exp().div(pi.sqrt()).div(below)
}

/** The error function at 50 digits. */
export const preciseErf = (x: Decimal): Decimal => {
  if (x.isNaN()) return x
  if (x.abs().gte(ERF_ONE_FROM)) return new Precise(x.isNegative() ? -1 : 1)
  return erfSeries(x)
}

/** 1 − erf(x) at 47 digits or more. */
export const preciseErfc = (x: Decimal): Decimal => {
  if (x.isNaN()) return x
  if (x.lt(FRACTION_FROM)) return new Precise(1).minus(preciseErf(x))
  return x.gte(ERFC_ZERO_FROM) ? new Precise(0) : erfcFraction(x)
}

/** The tangent numbers 1, 2, 16, 272, …, whole, by Knuth and Buckholtz, Math. Comp. 21, 663 (1967). */
const tangentNumbers = (count: number): readonly bigint[] => {
  const found = [1n]
  for (let k = 1; k < count; k += 1) found.push(BigInt(k) * (found[k - 1] ?? 0n))
  for (let k = 1; k < count; k += 1) {
    for (let j = k; j < count; j += 1) {
      found[j] = BigInt(j - k) * (found[j - 1] ?? 0n) + BigInt(j - k + 2) * (found[j] ?? 0n)
    }
  }
  return found
}

/** B(2n)/(2n(2n − 1)) from n = 1; B(2n) = (−1)^(n−1)·2n·T(n)/(4^n(4^n − 1)). */
const stirlingCoefficients: readonly Decimal[] = tangentNumbers(STIRLING_TERMS).map((tangent, i) => {
  const four = 1n << BigInt(2 * (i + 1))
  const size = new Precise(tangent.toString()).div((four * (four - 1n)).toString()).div(2 * i + 1)
  return i % 2 === 0 ? size : size.negated()
})

/** ln Γ(x) for x above 0, by Stirling's series past 60; below by Γ(x) = Γ(x + n)/(x(x + 1)…). */
export const preciseLgamma = (x: Decimal): Decimal => {
  if (!x.gt(0)) return new Precise(Number.NaN)
  if (!x.isFinite()) return x
  let [at, product] = [x, new Precise(1)]
  while (at.lt(STIRLING_FROM)) {
    product = product.times(at)
    at = at.plus(1)
  }
  const inverse = new Precise(1).div(at)
  const square = inverse.times(inverse)
  const [sum] = stirlingCoefficients.reduce<readonly [Decimal, Decimal]>(
    ([total, power], it) => [total.plus(it.times(power)), power.times(square)],
    [new Precise(0), inverse],
  )
  const main = at.minus(half).times(at.ln()).minus(at).plus(pi.times(2).ln().div(2))
  return main.plus(sum).minus(product.ln())
}

/** Γ(x) for x above 0, at 45 digits or more. */
export const preciseTgamma = (x: Decimal): Decimal => {
  if (x.gte(GAMMA_INFINITE_FROM)) return new Precise(Number.POSITIVE_INFINITY)
  return preciseLgamma(x).exp()
}
