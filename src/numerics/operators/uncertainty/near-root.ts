/** Widenings of the search around a guess, and the factor of each: from 1e-12 of a value to far beyond it. */
const WIDENINGS_MAX = 80
const WIDER = 4
/** Steps that narrow a bracket; with a halving at least every other one, doubles are exhausted before. */
const NARROWINGS_MAX = 200

/** Where a root is looked for. */
export interface Nearby {
  readonly guess: number
  /** First half-width around the guess, above zero. */
  readonly width: number
  /** Ends of the range, which may be infinite. */
  readonly min: number
  readonly max: number
}

type RealFunction = (x: number) => number
interface Point {
  readonly x: number
  readonly y: number
}

/**
 * Regula falsi with the Illinois weight, and a halving whenever the bracket did not shrink by half. The point at which
 * f is least counts: where the guess is good already, all that is left around it is rounding.
 */
const narrow = (f: RealFunction, from: Point, to: Point): number => {
  let [a, b] = [from.x, to.x]
  let [fa, fb] = [from.y, to.y]
  let best = Math.abs(fa) < Math.abs(fb) ? from : to
  let halve = false
  for (let step = 0; step < NARROWINGS_MAX; step += 1) {
    const width = b - a
    const inside: number = halve ? a + width / 2 : b - (fb * width) / (fb - fa)
    const c: number = inside > Math.min(a, b) && inside < Math.max(a, b) ? inside : a + width / 2
    if (c === a || c === b) break
    const fc = f(c)
    if (fc === 0) return c
    if (!Number.isFinite(fc)) return Number.NaN
    if (Math.abs(fc) < Math.abs(best.y)) best = { x: c, y: fc }
    if (Math.sign(fc) !== Math.sign(fb)) [a, fa] = [b, fb]
    else if (!halve) fa /= 2
    ;[b, fb] = [c, fc]
    halve = !halve && Math.abs(b - a) * 2 > Math.abs(width)
  }
  // A pole changes sign as well, but there the function grows.
  return Math.abs(fb) <= Math.max(Math.abs(from.y), Math.abs(to.y)) ? best.x : Number.NaN
}

/**
 * The root of f nearest to a guess within a range, found by widening around it; NaN when none shows. For draws around
 * inputs whose own root is known: the branch is kept because the search begins there.
 */
export const rootNear = (f: RealFunction, { guess, width, min, max }: Nearby): number => {
  const within = (x: number): number => Math.min(Math.max(x, min), max)
  const start = within(guess)
  let low: Point = { x: start, y: f(start) }
  let high = low
  if (low.y === 0) return start
  for (let [step, half] = [0, width]; step < WIDENINGS_MAX; step += 1, half *= WIDER) {
    for (const x of [within(start - half), within(start + half)]) {
      const near = x < start ? low : high
      if (x === near.x) continue
      const point = { x, y: f(x) }
      if (point.y === 0) return x
      if (point.y * near.y < 0) {
        const root = narrow(f, near, point)
        if (Number.isFinite(root)) return root
      }
      if (x < start) low = point
      else high = point
    }
    if (low.x === min && high.x === max) break
  }
  return Number.NaN
}
