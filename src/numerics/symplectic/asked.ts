import type { ActionInput } from './schema.ts'

/**
 * Whether a start is the one that the input states: a body at its nearest place, a(1 − e), with v² = (μ/a)·(1 + e)/(1
 * − e) across; angle and rate; places and momenta. Run and closed form take it from one function, so that this is
 * worked out anew.
 *
 * @param start x, y and their rates.
 */
export const startsAsAsked = (input: ActionInput, start: ArrayLike<number>): boolean => {
  const { system, kepler, pendulum, henonHeiles, initial } = input
  const [x = Number.NaN, y = Number.NaN, u = Number.NaN, v = Number.NaN] = Array.from(start)
  const is = (...wanted: readonly (number | undefined)[]): boolean => [x, y, u, v].every((it, k) => it === wanted[k])
  if (system === 'pendulum') return is(initial?.[0] ?? pendulum.angle, 0, initial?.[1] ?? pendulum.rate, 0)
  if (initial !== undefined) return is(...initial)
  if (system === 'henon-heiles') return is(henonHeiles.x, henonHeiles.y, henonHeiles.px, henonHeiles.py)
  const { mu, a, e } = kepler
  const near = (found: number, wanted: number): boolean => Math.abs(found - wanted) <= 1e-12 * wanted
  return near(x, a - a * e) && near(v * v * x, mu * (1 + e)) && v > 0 && y === 0 && u === 0
}
