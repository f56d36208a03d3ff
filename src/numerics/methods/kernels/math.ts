// The transcendental functions as one module. Most are AssemblyScript's own Math, which is fixed arithmetic on IEEE 754
// doubles, so every engine that runs WebAssembly gives the same bits. Where that library errs by more than one unit in
// the last place (inverse and hyperbolic functions, atan2, expm1, and sin, cos, tan of large arguments, whose reduction
// loses a carry) a double-double evaluation stands here instead. Errors are measured in test/numerics/math.test.ts.

// A double-double result is returned as its high part; its low part waits here for the caller.
let low: f64 = 0

// The exact sum of two doubles (Knuth).
function twoSum(a: f64, b: f64): f64 {
  const s = a + b
  const t = s - a
  low = a - (s - t) + (b - t)
  return s
}

// The exact product of two doubles (Dekker, Veltkamp's splitting), for magnitudes well inside the range.
function twoProduct(a: f64, b: f64): f64 {
  const p = a * b
  const ta = 134217729.0 * a
  const ah = ta - (ta - a)
  const al = a - ah
  const tb = 134217729.0 * b
  const bh = tb - (tb - b)
  const bl = b - bh
  low = ah * bh - p + ah * bl + al * bh + al * bl
  return p
}

function add(ah: f64, al: f64, bh: f64, bl: f64): f64 {
  const s = twoSum(ah, bh)
  return twoSum(s, low + (al + bl))
}

function multiply(ah: f64, al: f64, bh: f64, bl: f64): f64 {
  const p = twoProduct(ah, bh)
  return twoSum(p, low + (ah * bl + al * bh))
}

function divide(ah: f64, al: f64, bh: f64, bl: f64): f64 {
  const q = ah / bh
  const p = twoProduct(q, bh)
  const rest = ah - p - low + al - q * bl
  return twoSum(q, rest / bh)
}

function squareRoot(ah: f64, al: f64): f64 {
  if (ah == 0) {
    low = 0
    return 0
  }
  const s = sqrt(ah)
  const p = twoProduct(s, s)
  return twoSum(s, (ah - p - low + al) / (2 * s))
}

// exp(x) = 2^k·(1 + p) with |x − k·ln 2| ≤ 0.35: k stays in `power`, p is the double-double result.
let power: i32 = 0

function reducedExponential(x: f64): f64 {
  const LN2_HIGH = reinterpret<f64>(0x3FE62E42FEFA3800) // the first 42 bits of ln 2: k times it is exact
  const LN2_LOW = reinterpret<f64>(0x3D2EF35793C76730)
  const k = nearest(x * 1.4426950408889634)
  power = <i32>k
  const hi = x - k * LN2_HIGH
  const rh = hi - k * LN2_LOW
  const rl = hi - rh - k * LN2_LOW
  // Σ r^n/n! from n = 3, in plain doubles: it is at most 2 % of r.
  let tail = inverseFactorial(16)
  for (let n = 15; n >= 3; n--) tail = tail * rh + inverseFactorial(n)
  tail = tail * rh * rh * rh
  const square = twoProduct(rh, rh)
  const squareLow = low
  const s = twoSum(rh, 0.5 * square)
  return twoSum(s, low + (tail + (0.5 * squareLow + (rl + rh * rl))))
}

// @ts-ignore: decorator
@inline
function inverseFactorial(n: i32): f64 {
  return load<f64>(FACTORIALS + (<usize>n << 3))
}

const FACTORIALS: usize = memory.data<f64>([
  1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0, 1.0 / 5040.0, 1.0 / 40320.0, 1.0 / 362880.0,
  1.0 / 3628800.0, 1.0 / 39916800.0, 1.0 / 479001600.0, 1.0 / 6227020800.0, 1.0 / 87178291200.0,
  1.0 / 1307674368000.0, 1.0 / 20922789888000.0, 1.0 / 355687428096000.0, 1.0 / 6402373705728000.0,
  1.0 / 121645100408832000.0,
])

function twoTo(k: i32): f64 {
  return reinterpret<f64>((<u64>(k + 1023)) << 52)
}

// exp(x) − 1 as a double-double, −745 < x < 708.
function expm1Pair(x: f64): f64 {
  const p = reducedExponential(x)
  const pl = low
  if (power == 0) return p
  const scale = power < -1000 ? 0.0 : twoTo(power)
  const e = add(scale, 0, scale * p, scale * pl)
  return add(e, low, -1, 0)
}

// log(1 + a) of a double-double a > −1: one Newton step on expm1 from the library's value.
function log1pPair(ah: f64, al: f64): f64 {
  const z = Math.log1p(ah)
  const e = expm1Pair(z)
  const el = low
  return z + (ah - e + (al - el)) / (1 + ah)
}

export function expm1(x: f64): f64 {
  if (!(abs(x) < 700)) return Math.expm1(x)
  if (abs(x) < 1e-17) return x
  return expm1Pair(x)
}

export function sinh(x: f64): f64 {
  const a = abs(x)
  if (!(a < 710.5)) return Math.sinh(x)
  if (a < 1e-9) return x
  let s: f64
  if (a > 40) {
    s = halfExponential(a)
  } else {
    const e = expm1Pair(a)
    const el = low
    const f = add(1, 0, e, el)
    const q = divide(e, el, f, low)
    s = 0.5 * add(e, el, q, low)
  }
  return copysign<f64>(s, x)
}

export function cosh(x: f64): f64 {
  const a = abs(x)
  if (!(a < 710.5)) return Math.cosh(x)
  if (a > 40) return halfExponential(a)
  const e = expm1Pair(a)
  const f = add(1, 0, e, low)
  const fl = low
  const q = divide(1, 0, f, fl)
  return 0.5 * add(f, fl, q, low)
}

// exp(a)/2 without passing through exp(a), which overflows first.
function halfExponential(a: f64): f64 {
  const p = reducedExponential(a)
  const one = add(1, 0, p, low)
  return one * twoTo(power - 2) * 2
}

export function tanh(x: f64): f64 {
  const a = abs(x)
  if (!(a < 22)) return Math.tanh(x)
  if (a < 1e-9) return x
  const e = expm1Pair(2 * a)
  const el = low
  const f = add(2, 0, e, el)
  return copysign<f64>(divide(e, el, f, low), x)
}

// log(2a) for a > 2^27, with ln 2 kept apart so that nothing overflows and nothing rounds twice.
function logOfDouble(a: f64): f64 {
  if (a < 8.98846567431158e307) return Math.log(2 * a)
  const LN2_HIGH = reinterpret<f64>(0x3FE62E42FEFA3800)
  const LN2_LOW = reinterpret<f64>(0x3D2EF35793C76730)
  return 1024 * LN2_HIGH + (1024 * LN2_LOW + Math.log(a * twoTo(-1023 + 1) * 0.5))
}

export function asinh(x: f64): f64 {
  const a = abs(x)
  if (!(a <= f64.MAX_VALUE) || a < 1e-9) return x
  if (a > 134217728) return copysign<f64>(logOfDouble(a), x)
  const square = twoProduct(a, a)
  const squareLow = low
  const inner = add(1, 0, square, squareLow)
  const root = squareRoot(inner, low)
  const below = add(1, 0, root, low)
  const rest = divide(square, squareLow, below, low)
  const sum = add(a, 0, rest, low)
  return copysign<f64>(log1pPair(sum, low), x)
}

export function acosh(x: f64): f64 {
  if (!(x > 1) || !(x <= f64.MAX_VALUE)) return x == 1 ? 0 : x > 1 ? x : NaN
  if (x > 134217728) return logOfDouble(x)
  const minus = twoSum(x, -1)
  const minusLow = low
  const plus = twoSum(x, 1)
  const inner = multiply(minus, minusLow, plus, low)
  const root = squareRoot(inner, low)
  const sum = add(minus, minusLow, root, low)
  return log1pPair(sum, low)
}

export function atanh(x: f64): f64 {
  const a = abs(x)
  if (!(a < 1)) return a == 1 ? copysign<f64>(Infinity, x) : NaN
  if (a < 1e-9) return x
  const below = twoSum(1, -a)
  const ratio = divide(2 * a, 0, below, low)
  return copysign<f64>(0.5 * log1pPair(ratio, low), x)
}

// Sine and cosine of t + tl with |t| ≤ π/4 + a little, as double-doubles.
let sineHigh: f64 = 0
let sineLow: f64 = 0
let cosineHigh: f64 = 0
let cosineLow: f64 = 0

function sineCosine(t: f64, tl: f64): void {
  const z = twoProduct(t, t)
  const zl = low + 2 * t * tl
  let tail = inverseFactorial(19)
  for (let n = 17; n >= 5; n -= 2) tail = inverseFactorial(n) - z * tail
  tail = tail * z * z * t
  const SIXTH_LOW = 9.25185853854297e-18
  const sixth = multiply(z, zl, 1.0 / 6.0, SIXTH_LOW)
  const cubic = multiply(sixth, low, t, tl)
  const s = add(t, tl, -cubic, -low)
  sineHigh = twoSum(s, low + tail)
  sineLow = low
  tail = inverseFactorial(18)
  for (let n = 16; n >= 6; n -= 2) tail = inverseFactorial(n) - z * tail
  const TWENTY_FOURTH_LOW = 2.3129646346357427e-18
  const square = multiply(z, zl, z, zl)
  const fourth = multiply(square, low, 1.0 / 24.0, TWENTY_FOURTH_LOW)
  const fourthLow = low
  const half = add(1, 0, -0.5 * z, -0.5 * zl)
  const c = add(half, low, fourth, fourthLow)
  cosineHigh = twoSum(c, low - tail * z * z * z)
  cosineLow = low
}

export function atan2(y: f64, x: f64): f64 {
  let a = abs(y)
  let b = abs(x)
  const swapped = a > b
  if (swapped) {
    const t = a
    a = b
    b = t
  }
  // Infinite, NaN and zero arguments, and ratios beyond 2^60, need no care: the library's value is right.
  if (!(b <= f64.MAX_VALUE) || a == 0) return Math.atan2(y, x)
  const scale = twoTo(-max(-1000, min(1000, <i32>((reinterpret<u64>(b) >> 52) & 0x7FF) - 1023)))
  a *= scale
  b *= scale
  if (!(a > b * 8.673617379884035e-19)) return Math.atan2(y, x)
  const t = Math.atan(a / b)
  sineCosine(t, 0)
  const p = twoProduct(a, cosineHigh)
  const pl = low + a * cosineLow
  const q = twoProduct(b, sineHigh)
  const rest = p - q + (pl - (low + b * sineLow))
  let angle = twoSum(t, rest / (b * cosineHigh + a * sineHigh))
  if (swapped) angle = add(HALF_PI, HALF_PI_LOW, -angle, -low)
  if (x < 0) angle = add(2 * HALF_PI, 2 * HALF_PI_LOW, -angle, -low)
  return copysign<f64>(angle, y)
}

const HALF_PI: f64 = 1.5707963267948966
const HALF_PI_LOW: f64 = 6.123233995736766e-17

// 2/π in words of 64 bits, behind one word of zeros.
const TWO_OVER_PI: usize = memory.data<u64>([
  0x0000000000000000, 0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041, 0xFE5163ABDEBBC561,
  0xB7246E3A424DD2E0, 0x06492EEA09D1921C, 0xFE1DEB1CB129A73E, 0xE88235F52EBB4484, 0xE99C7026B45F7E41,
  0x3991D639835339F4, 0x9C845F8BBDF9283B, 0x1FF897FFDE05980F, 0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7,
  0x4F463F669E5FEA2D, 0x7527BAC7EBE5F17B, 0x3D0739F78A5292EA, 0x6BFB5FB11F8D5D08, 0x56033046FC7B6BAB,
])

// 64 bits of the table from a bit offset.
function bitsFrom(offset: i32): u64 {
  const at = TWO_OVER_PI + (<usize>(offset >> 6) << 3)
  const shift = <u64>(offset & 63)
  const first = load<u64>(at)
  return shift == 0 ? first : (first << shift) | (load<u64>(at, 8) >> (64 - shift))
}

function highProduct(a: u64, b: u64): u64 {
  const ah = a >> 32
  const al = a & 0xFFFFFFFF
  const bh = b >> 32
  const bl = b & 0xFFFFFFFF
  const middle = ah * bl + ((al * bl) >> 32)
  const other = al * bh + (middle & 0xFFFFFFFF)
  return ah * bh + (middle >> 32) + (other >> 32)
}

let reducedLow: f64 = 0
let quadrant: i32 = 0

// Payne and Hanek: x·2/π modulo 4 in integers, then the part in [−1/2, 1/2] times π/2. For 2^20 ≤ |x| < ∞.
function reduceLarge(x: f64): f64 {
  const u = reinterpret<u64>(x)
  const m = (u & 0x000FFFFFFFFFFFFF) | 0x0010000000000000
  const exponent = <i32>((u >> 52) & 0x7FF) - 1075
  const offset = exponent + 62 // the bit of 2/π whose product with x has the weight 2
  const w1 = bitsFrom(offset + 64)
  const w2 = bitsFrom(offset + 128)
  const p2 = m * w2
  const p1 = m * w1 + highProduct(m, w2)
  const carry: u64 = p1 < m * w1 ? 1 : 0
  const p0 = m * bitsFrom(offset) + highProduct(m, w1) + carry
  let f0 = (p0 << 2) | (p1 >> 62)
  let f1 = (p1 << 2) | (p2 >> 62)
  quadrant = <i32>(p0 >> 62)
  const negative = f0 >> 63 != 0
  if (negative) {
    quadrant += 1
    f1 = ~f1
    f0 = ~f0
  }
  const zeros = clz(f0)
  if (zeros > 0) {
    const third = negative ? ~(p2 << 2) : p2 << 2
    f0 = (f0 << zeros) | (f1 >> (64 - zeros))
    f1 = (f1 << zeros) | (third >> (64 - zeros))
  }
  const unit = twoTo(-64 - <i32>zeros)
  const high = <f64>(f0 & 0xFFFFFFFFFFFFF800) * unit
  const rest = (<f64>(f0 & 0x7FF) + <f64>(f1 >> 11) * 1.1102230246251565e-16) * unit
  const y = multiply(high, rest, HALF_PI, HALF_PI_LOW)
  const sign = negative != (x < 0) ? -1.0 : 1.0
  if (x < 0) quadrant = -quadrant
  reducedLow = sign * low
  return sign * y
}

const LARGE: f64 = 1048576

export function sin(x: f64): f64 {
  const a = abs(x)
  if (!(a >= LARGE && a <= f64.MAX_VALUE)) return Math.sin(x)
  const y = reduceLarge(x)
  sineCosine(y, reducedLow)
  const s = quadrant & 1 ? cosineHigh : sineHigh
  return quadrant & 2 ? -s : s
}

export function cos(x: f64): f64 {
  const a = abs(x)
  if (!(a >= LARGE && a <= f64.MAX_VALUE)) return Math.cos(x)
  const y = reduceLarge(x)
  sineCosine(y, reducedLow)
  const c = quadrant & 1 ? sineHigh : cosineHigh
  return (quadrant + 1) & 2 ? -c : c
}

export function tan(x: f64): f64 {
  const a = abs(x)
  if (!(a >= LARGE && a <= f64.MAX_VALUE)) return Math.tan(x)
  const y = reduceLarge(x)
  sineCosine(y, reducedLow)
  if (quadrant & 1) return -divide(cosineHigh, cosineLow, sineHigh, sineLow)
  return divide(sineHigh, sineLow, cosineHigh, cosineLow)
}

export function acos(x: f64): f64 {
  return Math.acos(x)
}
export function asin(x: f64): f64 {
  return Math.asin(x)
}
export function atan(x: f64): f64 {
  return Math.atan(x)
}
export function cbrt(x: f64): f64 {
  return Math.cbrt(x)
}
export function exp(x: f64): f64 {
  return Math.exp(x)
}
export function log(x: f64): f64 {
  return Math.log(x)
}
export function log10(x: f64): f64 {
  return Math.log10(x)
}
export function log1p(x: f64): f64 {
  return Math.log1p(x)
}
export function log2(x: f64): f64 {
  return Math.log2(x)
}
export function hypot(x: f64, y: f64): f64 {
  return Math.hypot(x, y)
}
export function pow(x: f64, y: f64): f64 {
  return Math.pow(x, y)
}
