import { exp, expm1, log } from '#numerics/math.ts'
import { zeroBetween } from '#numerics/methods/ode/zero.ts'
import type { EpiInput, EpiOutput } from './schema.ts'

/** People in each compartment. */
export interface Compartments {
  readonly S: number
  readonly E: number
  readonly I: number
  readonly R: number
  readonly V: number
}

/** The compartments at time 0. */
export const startOf = ({ model, N, I0, E0, R0, vaccination, initial }: EpiInput): Compartments => {
  if (initial !== undefined) return initial
  const E = model === 'SEIR' ? E0 : 0
  const open = N - I0 - E - R0
  const V = vaccination.initialFraction * open
  return { S: open - V, E, I: I0, R: R0, V }
}

/** Whether S + E + I − (γ/β)·N·ln S keeps its value: nobody leaves S but by infection. */
export const keepsInvariant = ({ beta, vaccination }: EpiInput): boolean => beta > 0 && vaccination.rate === 0

/**
 * Susceptible left as t → ∞: the root of ln(S/S_0) = −(β/γN)·(S_0 + E_0 + I_0 − S), in w = ln(S/S_0) between the least
 * it can be and 0. Undefined where the relation does not hold.
 */
export const finalSizeOf = (input: EpiInput): number | undefined => {
  const { beta, gamma, N } = input
  if (!keepsInvariant(input) || gamma === 0) return undefined
  const { S, E, I } = startOf(input)
  const pull = beta / (gamma * N)
  const at = (w: number): number => w + pull * (E + I) - pull * S * expm1(w)
  return E + I === 0 ? S : S * exp(zeroBetween(at, -pull * (S + E + I), 0))
}

/** Largest drift of the invariant over the answers, in percent of N; null where nothing keeps it. */
export const invariantDriftPctOf = (
  input: EpiInput,
  { susceptible, exposed, infectious }: Pick<EpiOutput, 'susceptible' | 'exposed' | 'infectious'>,
): number | null => {
  if (!keepsInvariant(input)) return null
  const { beta, gamma, N } = input
  const { S, E, I } = startOf(input)
  if (S === 0) return 0
  let drift = 0
  for (let k = 0; k < susceptible.length; k++) {
    const s = susceptible[k] as number
    const rest = (exposed[k] as number) - E + ((infectious[k] as number) - I)
    drift = Math.max(drift, Math.abs(s - S + rest - (gamma / beta) * N * log(s / S)))
  }
  return (100 * drift) / N
}
