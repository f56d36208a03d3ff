import { exp, PI, sqrt } from '#numerics/math.ts'
import { closedPrice } from '#numerics/solvers/quant/closed.ts'
import { GREEK_PCT_MAX, type QuantInput } from '#numerics/solvers/quant/schema.ts'

/** Sensitivities of a price; of those that are withheld null. */
export type Greeks = Readonly<Record<'delta' | 'gamma' | 'vega' | 'theta' | 'rho', number>>
/** The same, those that are withheld null. */
export type Told = { readonly [Name in keyof Greeks]: number | null }

/** Derivative by five points of the closed form. */
const slope = (f: (x: number) => number, x: number, h: number): number =>
  (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h)

/**
 * Sensitivities as sampled, without those farther from the closed form than is told: a sample of fat tails gives the
 * price by its control variate, and no derivative. Distances are in percent of what each is at the money.
 */
export const toldOf = (input: QuantInput, sampled: Greeks): Told => {
  const { S, K, r, q, sigma, T } = input
  const at = (over: Partial<QuantInput>): number => closedPrice({ ...input, ...over })
  const held = S * exp(-q * T)
  const owed = K * exp(-r * T)
  const density = 1 / sqrt(2 * PI)
  const step = 1e-3 * sigma * Math.min(1, sqrt(T)) * S
  const [near, far] = [at({ S: S + step }) + at({ S: S - step }), at({ S: S + 2 * step }) + at({ S: S - 2 * step })]
  const exact: Greeks = {
    delta: slope((x) => at({ S: x }), S, step),
    gamma: (16 * near - far - 30 * at({})) / (12 * step * step),
    vega: slope((x) => at({ sigma: x }), sigma, 1e-3 * sigma),
    theta: -slope((x) => at({ T: x }), T, 1e-3 * T),
    rho: slope((x) => at({ r: x }), r, 1e-4),
  }
  const scale: Greeks = {
    delta: exp(-q * T),
    gamma: (density * exp(-q * T)) / (S * sigma * sqrt(T)),
    vega: held * density * sqrt(T),
    theta: (held * density * sigma) / (2 * sqrt(T)) + Math.abs(r) * owed + Math.abs(q) * held,
    rho: T * owed,
  }
  const told = (name: keyof Greeks): number | null =>
    100 * Math.abs(sampled[name] - exact[name]) <= GREEK_PCT_MAX * scale[name] ? sampled[name] : null
  return { delta: told('delta'), gamma: told('gamma'), vega: told('vega'), theta: told('theta'), rho: told('rho') }
}
