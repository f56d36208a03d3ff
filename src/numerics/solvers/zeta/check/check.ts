import { atan2, hypot, log, PI, TAU } from '#numerics/math.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import type { ZetaInput, ZetaOutput } from '#numerics/solvers/zeta/schema.ts'
import { type Complex, type EulerMaclaurin, eulerMaclaurinTo } from './euler-maclaurin.ts'

const AGAINST = 'ζ at every zero by Euler–Maclaurin summation, and Backlund’s count of all zeros below'

/** Places on the way from 2 + iT to 1/2 + iT at first; halves are put in where the argument turns fast. */
const PLACES = 40
const PLACES_MAX = 4_000
/** No zero has a positive ordinate below this height. */
const BELOW_ALL = 10
/** How far from a whole number a count may come out. */
const WHOLE = 1e-4
const ECHO = 1e-9

const argument = (a: Complex, b: Complex): number =>
  // Of b/a: how far the value turned from a to b.
  atan2(b.im * a.re - b.re * a.im, b.re * a.re + b.im * a.im)

/** The imaginary part of ln Γ(1/4 + it/2) by Stirling's series, eight steps up from there. */
const lgammaIm = (t: number): number => {
  const SHIFT = 8
  const [x, y] = [1 / 4 + SHIFT, t / 2]
  let turn = 0
  for (let k = 0; k < SHIFT; k++) turn += atan2(y, 1 / 4 + k)
  const size = hypot(x, y)
  const angle = atan2(y, x)
  // (z − 1/2)·ln z − z + 1/(12z) − 1/(360z³) + 1/(1260z⁵) − 1/(1680z⁷), imaginary parts.
  let im = y * log(size) + (x - 1 / 2) * angle - y
  const [ir, ii] = [x / (size * size), -y / (size * size)]
  const [sr, si] = [ir * ir - ii * ii, 2 * ir * ii]
  let [pr, pi] = [ir, ii]
  for (const coefficient of [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188]) {
    im += coefficient * pi
    ;[pr, pi] = [pr * sr - pi * si, pr * si + pi * sr]
  }
  return im - turn
}

/** The Riemann–Siegel angle from the gamma function. */
const angleOf = (t: number): number => lgammaIm(t) - (t / 2) * log(PI)

/** Zeros with ordinates from 0 to T, on the line or not (Backlund, Acta Math. 41 (1918) 345); NaN if unclear. */
export const countTo = (T: number, zeta: EulerMaclaurin): number => {
  if (T <= BELOW_ALL) return 0
  const phases = zeta.turn(T)
  const value = (sigma: number): Complex => zeta.at(sigma, phases).value
  // From 2 on to the right ζ stays within 0.65 of 1: its argument at 2 is the principal one.
  let from = { sigma: 2, at: value(2) }
  let turned = atan2(from.at.im, from.at.re)
  const open = Array.from({ length: PLACES }, (_, k) => 0.5 + (1.5 * k) / PLACES)
  let tried = 0
  for (let sigma = open.pop(); sigma !== undefined; sigma = open.pop()) {
    if (++tried > PLACES_MAX) return Number.NaN
    const at = value(sigma)
    const step = argument(from.at, at)
    if (Math.abs(step) < PI / 3 || from.sigma - sigma < 1e-12) {
      turned += step
      from = { sigma, at }
    } else open.push(sigma, (sigma + from.sigma) / 2)
  }
  const count = angleOf(T) / PI + 1 + turned / PI
  const whole = Math.floor(count + 0.5)
  return Math.abs(count - whole) < WHOLE ? whole : Number.NaN
}

const near = (found: number, wanted: number): boolean => Math.abs(found - wanted) <= ECHO * Math.abs(wanted)

/** Zeros outside the Gram interval of their number, as far as that can be told from its ends. */
const failuresHold = (output: ZetaOutput): boolean => {
  let [outside, unclear] = [0, 0]
  for (const [k, zero] of output.zeros.entries()) {
    const turns = angleOf(zero) / PI
    if (Math.abs(turns - Math.floor(turns + 0.5)) < 1e-9) unclear++
    else if (Math.floor(turns) !== output.first + k - 2) outside++
  }
  return output.gramFailures >= outside && output.gramFailures <= outside + unclear
}

/** Whether counts, gaps and order are those of the zeros, and the rest that of the input. */
const echoes = (input: ZetaInput, output: ZetaOutput): boolean => {
  const { zeros, count, first, countLower, countUpper, lower, upper, last } = output
  const ranged = input.mode === 'range'
  let [least, sum] = [Number.POSITIVE_INFINITY, 0]
  let rising = true
  for (let k = 0; k < zeros.length; k++) {
    const [before, here] = [k === 0 ? lower : (zeros[k - 1] ?? 0), zeros[k] ?? Number.NaN]
    if (!(here > before && here < upper)) rising = false
    if (k === 0) continue
    const gap = ((here - before) * log(before / TAU)) / TAU
    least = Math.min(least, gap)
    sum += gap
  }
  const gaps = zeros.length - 1
  return (
    output.mode === input.mode &&
    count === zeros.length &&
    count >= 1 &&
    count === (ranged ? count : input.n) &&
    first === countLower + 1 &&
    countUpper === countLower + count &&
    lower === (ranged ? input.T1 : 0) &&
    (ranged ? upper === input.T2 : upper <= last + 20) &&
    rising &&
    last === zeros[count - 1] &&
    near(output.smallestGap, gaps === 0 ? 0 : least) &&
    near(output.meanGap, gaps === 0 ? 0 : sum / gaps) &&
    failuresHold(output)
  )
}

/**
 * Checks zeros: at each one |ζ/ζ'| is its distance from a zero of ζ, in percent of the local mean distance of zeros;
 * and as many are found as there are between the heights, counted by the argument of ζ without looking at the line.
 */
export const checkZeta = (input: ZetaInput, output: ZetaOutput): Reality => {
  if (!echoes(input, output)) return { against: AGAINST, errorPct: 100, figures: { echo_wrong: 1 } }
  const zeta = eulerMaclaurinTo(output.upper)
  let worst = 0
  for (const zero of output.zeros) {
    const { value, slope } = zeta.at(0.5, zeta.turn(zero))
    const distance = hypot(value.re, value.im) / hypot(slope.re, slope.im)
    // Not by a comparison: a NaN would be forgotten at the next zero.
    worst = Math.max(worst, (100 * distance * log(zero / TAU)) / TAU)
  }
  const [below, above] = [countTo(output.lower, zeta), countTo(output.upper, zeta)]
  const counted = below === output.countLower && above === output.countUpper
  const unclear = Number.isNaN(below) || Number.isNaN(above)
  return {
    against: AGAINST,
    errorPct: unclear ? Number.NaN : counted ? worst : 100,
    figures: { worst_zero_pct: worst, counted_below: below, counted_up_to: above },
  }
}
