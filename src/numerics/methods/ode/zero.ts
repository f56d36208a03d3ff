/** Halvings that separate any two doubles, with room for the steps of the secant. */
const TRIALS_MAX = 200

/**
 * A zero of f between two places where its signs differ, to the last bit or two: the Illinois variant of false position
 * (Dowell, Jarratt, BIT 11, 1971), with a halving whenever that is slow. For events within a step of an integrator.
 */
export const zeroBetween = (f: (x: number) => number, low: number, high: number): number => {
  let [a, b] = [low, high]
  let [fa, fb] = [f(a), f(b)]
  if (fa === 0) return a
  for (let trial = 0; trial < TRIALS_MAX && fb !== 0; trial++) {
    const secant = b - (fb * (b - a)) / (fb - fa)
    const inside = secant > Math.min(a, b) && secant < Math.max(a, b)
    const x = trial % 3 !== 2 && inside ? secant : a + (b - a) / 2
    if (x === a || x === b) break
    const fx = f(x)
    if (fx < 0 === fb < 0) {
      fa /= 2
    } else {
      a = b
      fa = fb
    }
    b = x
    fb = fx
  }
  return b
}
