import { assert } from '#core/assert.ts'
import { cos, exp, log, PI, sin, sqrt } from '#numerics/math.ts'

export interface Complex {
  readonly re: number
  readonly im: number
}

/** ζ and its derivative at one place. */
export interface ZetaValue {
  readonly value: Complex
  readonly slope: Complex
}

/** Bernoulli terms behind the sum; with the sum's length each is at most 0.41 of the one before. */
const CORRECTIONS = 32

/** B_2k/(2k)! = (−1)^(k+1)·2·ζ(2k)/(2π)^(2k), from k = 1. */
const bernoulli = (): Float64Array => {
  let power = 1
  return Float64Array.from({ length: CORRECTIONS }, (_, k) => {
    power *= 4 * PI * PI
    // ζ(2), ζ(4) and ζ(6) in closed form; the rest by their own sums, smallest terms first.
    const closed = [(PI * PI) / 6, (PI * PI * PI * PI) / 90, (PI * PI * PI * PI * PI * PI) / 945][k]
    let sum = 0
    for (let n = 60; n >= 1; n--) {
      let term = 1
      for (let j = 0; j < 2 * (k + 1); j++) term /= n
      sum += term
    }
    return ((k % 2 === 0 ? 2 : -2) * (closed ?? sum)) / power
  })
}

const COEFFICIENTS = bernoulli()

/** n^(−it) for n up to a length, at one height. */
interface Phases {
  readonly t: number
  readonly length: number
  readonly re: Float64Array
  readonly im: Float64Array
}

/** ζ beside the critical strip and in it by Euler–Maclaurin summation, for heights up to a bound. */
export interface EulerMaclaurin {
  /** Turns the numbers n^(−it) to a height. */
  turn(t: number): Phases
  /** ζ(σ + it) and ζ' at the height of the phases. */
  at(sigma: number, phases: Phases): ZetaValue
}

const times = (a: Complex, b: Complex): Complex => ({ re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re })
const plus = (a: Complex, b: Complex): Complex => ({ re: a.re + b.re, im: a.im + b.im })
const scaled = (a: Complex, by: number): Complex => ({ re: a.re * by, im: a.im * by })
const inverse = ({ re, im }: Complex): Complex => {
  const size = re * re + im * im
  return { re: re / size, im: -im / size }
}

/** Terms of the sum at a height: t/4 and ten more. */
const lengthAt = (t: number): number => Math.ceil(t / 4) + 10

/**
 * Euler–Maclaurin summation to N = t/4 + 10 terms with 32 corrections, about 1e-12 (Edwards, Riemann's Zeta Function,
 * 6.4). n^(−it) of a composite n is the product of those of its factors: cosines are needed at primes alone.
 */
export const eulerMaclaurinTo = (heightMax: number): EulerMaclaurin => {
  const most = lengthAt(heightMax)
  const divisor = new Int32Array(most + 1)
  for (let p = 2; p <= most; p++) {
    if (divisor[p] !== 0) continue
    for (let n = p; n <= most; n += p) if (divisor[n] === 0) divisor[n] = p
  }
  const logs = Float64Array.from({ length: most + 1 }, (_, n) => log(Math.max(1, n)))
  const [re, im] = [new Float64Array(most + 1), new Float64Array(most + 1)]
  const roots = Float64Array.from({ length: most + 1 }, (_, n) => 1 / sqrt(Math.max(1, n)))
  const turn = (t: number): Phases => {
    const length = lengthAt(t)
    assert(length <= most, 'the height is within the bound')
    re[1] = 1
    im[1] = 0
    for (let n = 2; n <= length; n++) {
      const p = divisor[n]
      if (p === n) {
        re[n] = cos(t * logs[n])
        im[n] = -sin(t * logs[n])
        continue
      }
      const q = n / p
      re[n] = re[p] * re[q] - im[p] * im[q]
      im[n] = re[p] * im[q] + im[p] * re[q]
    }
    return { t, length, re, im }
  }
  // n^(−σ) of all terms: σ is 1/2 nearly always.
  const sizes = (sigma: number, length: number): Float64Array => {
    if (sigma === 0.5) return roots
    const size = new Float64Array(length + 1)
    size[1] = exp(-sigma * logs[1])
    for (let n = 2; n <= length; n++) {
      const p = divisor[n]
      size[n] = p === n ? exp(-sigma * logs[n]) : size[p] * size[n / p]
    }
    return size
  }
  const at = (sigma: number, { t, length }: Phases): ZetaValue => {
    const size = sizes(sigma, length)
    let [a, b, c, d] = [0, 0, 0, 0]
    for (let n = length - 1; n >= 1; n--) {
      const [x, y] = [size[n] * re[n], size[n] * im[n]]
      a += x
      b += y
      c -= logs[n] * x
      d -= logs[n] * y
    }
    const s = { re: sigma, im: t }
    const end = { re: size[length] * re[length], im: size[length] * im[length] }
    return behind({ value: { re: a, im: b }, slope: { re: c, im: d } }, { s, end, N: length, log: logs[length] })
  }
  return { turn, at }
}

/** What lies behind a sum of N − 1 terms: the integral, half a term, and the Bernoulli corrections. */
const behind = (
  { value, slope }: ZetaValue,
  { s, end, N, log: logN }: { readonly s: Complex; readonly end: Complex; readonly N: number; readonly log: number },
): ZetaValue => {
  const reciprocal = inverse({ re: s.re - 1, im: s.im })
  const integral = times(scaled(end, N), reciprocal)
  let total = plus(plus(value, integral), scaled(end, 0.5))
  let rate = plus(
    plus(slope, scaled(times(integral, plus({ re: logN, im: 0 }, reciprocal)), -1)),
    scaled(end, -logN / 2),
  )
  // s·(s + 1)·…·(s + 2k − 2)·N^(−s−2k+1), and the sum of the reciprocals of its factors.
  let term = scaled(times(s, end), 1 / N)
  let reciprocals = inverse(s)
  for (let k = 0; k < CORRECTIONS; k++) {
    const part = scaled(term, COEFFICIENTS[k])
    total = plus(total, part)
    rate = plus(rate, times(part, plus(reciprocals, { re: -logN, im: 0 })))
    const [one, two] = [
      { re: s.re + 2 * k + 1, im: s.im },
      { re: s.re + 2 * k + 2, im: s.im },
    ]
    term = scaled(times(times(term, one), two), 1 / (N * N))
    reciprocals = plus(reciprocals, plus(inverse(one), inverse(two)))
  }
  return { value: total, slope: rate }
}
