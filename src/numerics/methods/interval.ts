import { cos, cosh, exp, log, PI, pow, sin, sinh, sqrt, tanh } from '#numerics/math.ts'

/** All numbers from the first to the second, both included. */
export type Interval = readonly [low: number, high: number]

export const WHOLE: Interval = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]

// Rump, Zimmermann, Boldo, Melquiond, BIT 49 (2009) 419: with φ = u·(1 + 2u) and the least subnormal η, rounding
// x + (φ·|x| + η) to nearest gives the next double above x or one beyond it.
const PHI = 1.1102230246251568e-16
const ETA = 5e-324

/** The next double above, or one beyond it. */
export const above = (x: number): number =>
  x === Number.NEGATIVE_INFINITY ? -Number.MAX_VALUE : x + (PHI * Math.abs(x) + ETA)
/** The next double below, or one beyond it. */
export const below = (x: number): number =>
  x === Number.POSITIVE_INFINITY ? Number.MAX_VALUE : x - (PHI * Math.abs(x) + ETA)

/** Functions of the math module are within one unit in the last place: two doubles further out are safe. */
const wide = (low: number, high: number): Interval => {
  if (Number.isNaN(low) || Number.isNaN(high)) return WHOLE
  return [below(below(low)), above(above(high))]
}

const outward = (low: number, high: number): Interval => {
  if (Number.isNaN(low) || Number.isNaN(high)) return WHOLE
  return [below(low), above(high)]
}

/** One number. */
export const exactly = (x: number): Interval => [x, x]

/** a + b. */
export const add = (a: Interval, b: Interval): Interval => outward(a[0] + b[0], a[1] + b[1])
/** −x. */
export const negate = ([low, high]: Interval): Interval => [-high, -low]
/** a − b. */
export const subtract = (a: Interval, b: Interval): Interval => outward(a[0] - b[1], a[1] - b[0])

/**
 * A product in which nothing times anything is nothing: an infinite end stands for numbers without bound, all finite.
 */
const times = (x: number, y: number): number => (x === 0 || y === 0 ? 0 : x * y)

/** a·b. */
export const multiply = (a: Interval, b: Interval): Interval => {
  if ((a[0] === 0 && a[1] === 0) || (b[0] === 0 && b[1] === 0)) return [0, 0]
  const [p, q, r, s] = [times(a[0], b[0]), times(a[0], b[1]), times(a[1], b[0]), times(a[1], b[1])]
  return outward(Math.min(p, q, r, s), Math.max(p, q, r, s))
}

/** 1/b; everything when b holds 0. */
const inverse = ([low, high]: Interval): Interval => (low <= 0 && high >= 0 ? WHOLE : outward(1 / high, 1 / low))

/** a/b; everything when b holds 0. */
export const divide = (a: Interval, b: Interval): Interval => multiply(a, inverse(b))

/** |x|. */
export const magnitude = ([low, high]: Interval): Interval => {
  if (low >= 0) return [low, high]
  return high <= 0 ? [-high, -low] : [0, Math.max(-low, high)]
}

/** x^n for a whole n. */
export const power = (x: Interval, n: number): Interval => {
  if (n === 0) return [1, 1]
  if (n < 0) return inverse(power(x, -n))
  if (n === 1) return x
  const [low, high] = n % 2 === 0 ? magnitude(x) : x
  if (n === 2) return low === 0 ? [0, above(high * high)] : outward(low * low, high * high)
  const [least, most] = wide(pow(low, n), pow(high, n))
  return n % 2 === 0 ? [Math.max(0, least), most] : [least, most]
}

/** x^p for x ≥ 0 and any p; everything when x holds less, where it is not defined. */
export const realPower = ([low, high]: Interval, p: number): Interval => {
  if (low < 0 || (low === 0 && p < 0)) return WHOLE
  const ends = [pow(low, p), pow(high, p)] as const
  const [least, most] = wide(Math.min(...ends), Math.max(...ends))
  return [Math.max(0, least), most]
}

/** √x; everything when x holds less than 0. */
export const root = ([low, high]: Interval): Interval => {
  if (low < 0) return WHOLE
  return [Math.max(0, below(sqrt(low))), above(sqrt(high))]
}

/** exp x. */
export const exponential = ([low, high]: Interval): Interval => {
  const [least, most] = wide(exp(low), exp(high))
  return [Math.max(0, least), most]
}

/** Everything when x holds 0 or less. */
export const logarithm = ([low, high]: Interval): Interval => (low <= 0 ? WHOLE : wide(log(low), log(high)))

/** sinh x. */
export const hyperbolicSine = ([low, high]: Interval): Interval => wide(sinh(low), sinh(high))
/** tanh x. */
export const hyperbolicTangent = ([low, high]: Interval): Interval => {
  const [least, most] = wide(tanh(low), tanh(high))
  return [Math.max(-1, least), Math.min(1, most)]
}
/** cosh x. */
export const hyperbolicCosine = (x: Interval): Interval => {
  const [low, high] = magnitude(x)
  const [least, most] = wide(cosh(low), cosh(high))
  return [Math.max(1, least), most]
}

/** Arguments beyond this have too few digits left to say where in a wave they are. */
const ANGLE_MAX = 1e6
/** Slack of the question whether a crest lies between two angles: far above the error of their quotients by π. */
const CREST_SLACK = 1e-9

/** Whether (k + offset)·2π lies in the interval for a whole k, or may by rounding. */
const holds = ([low, high]: Interval, offset: number): boolean => {
  const [from, to] = [low / (2 * PI) - offset - CREST_SLACK, high / (2 * PI) - offset + CREST_SLACK]
  return Math.floor(to) >= Math.ceil(from)
}

/** A wave of period 2π: its crests stand at (k + crest)·2π and its troughs half a period on. */
const wave = (x: Interval, f: (angle: number) => number, crest: number): Interval => {
  if (!(Math.abs(x[0]) <= ANGLE_MAX && Math.abs(x[1]) <= ANGLE_MAX)) return [-1, 1]
  const ends = [f(x[0]), f(x[1])] as const
  const [least, most] = wide(Math.min(...ends), Math.max(...ends))
  return [holds(x, crest + 0.5) ? -1 : Math.max(-1, least), holds(x, crest) ? 1 : Math.min(1, most)]
}

/** sin x. */
export const sine = (x: Interval): Interval => wave(x, sin, 0.25)
/** cos x. */
export const cosine = (x: Interval): Interval => wave(x, cos, 0)

/** The larger of two. */
export const larger = (a: Interval, b: Interval): Interval => [Math.max(a[0], b[0]), Math.max(a[1], b[1])]
/** The smaller of two. */
export const smaller = (a: Interval, b: Interval): Interval => [Math.min(a[0], b[0]), Math.min(a[1], b[1])]
/** The least interval that holds both. */
export const hull = (a: Interval, b: Interval): Interval => [Math.min(a[0], b[0]), Math.max(a[1], b[1])]
