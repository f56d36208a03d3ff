import { exp, log, PI, sqrt } from '#numerics/math.ts'

type Eight = readonly [number, number, number, number, number, number, number, number]

/** Horner's rule, highest coefficient last. */
const polynomial = (c: Eight, x: number): number =>
  ((((((c[7] * x + c[6]) * x + c[5]) * x + c[4]) * x + c[3]) * x + c[2]) * x + c[1]) * x + c[0]

// Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988) 477: relative error about 1e-16.
const A: Eight = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
  33430.57558358813, 2509.0809287301227,
]
const B: Eight = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943,
  5226.495278852854,
]
const C: Eight = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
  0.022723844989269184, 0.0007745450142783414,
]
const D: Eight = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
]
const E: Eight = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
  0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
]
const F: Eight = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5,
  1.421511758316446e-7, 2.0442631033899397e-15,
]

/** The standard normal's quantile: x with Φ(x) = p, for p inside (0, 1). */
export const inverseNormal = (p: number): number => {
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q
    return (q * polynomial(A, r)) / polynomial(B, r)
  }
  const r = sqrt(-log(q < 0 ? p : 1 - p))
  const x = r <= 5 ? polynomial(C, r - 1.6) / polynomial(D, r - 1.6) : polynomial(E, r - 5) / polynomial(F, r - 5)
  return q < 0 ? -x : x
}

/** The standard normal's density. */
export const normalDensity = (x: number): number => exp((-x * x) / 2) / sqrt(2 * PI)

/** From here on the tail's continued fraction is shorter than the series. */
const TAIL = 3
const FRACTION_TERMS = 120
const SERIES_TERMS = 80

/**
 * The standard normal's distribution Φ: the series x + x³/3 + x⁵/15 + … times the density around 0, Laplace's continued
 * fraction in the tails (Abramowitz, Stegun 26.2.11 and 26.2.14), so that small tails keep their relative accuracy.
 */
export const normalCdf = (x: number): number => {
  if (Math.abs(x) < TAIL) {
    let [term, sum] = [x, x]
    for (let k = 3; k < 2 * SERIES_TERMS; k += 2) {
      term *= (x * x) / k
      sum += term
    }
    return 0.5 + normalDensity(x) * sum
  }
  const y = Math.abs(x)
  let fraction = y
  for (let k = FRACTION_TERMS; k >= 1; k--) fraction = y + k / fraction
  const tail = normalDensity(y) / fraction
  return x < 0 ? tail : 1 - tail
}
