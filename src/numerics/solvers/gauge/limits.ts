import { Fault } from '#core/fault.ts'
import { sqrt } from '#numerics/math.ts'
import { besselRatio } from '#numerics/methods/bessel.ts'
import { ERROR_PCT_MAX } from '#numerics/runtime/solver.ts'
import type { GaugeInput } from './schema.ts'

/**
 * 2·tau over what conditional means gain in variance: 0.15·beta² while they gain most, then no more than 0.65, from
 * runs at beta 0.05 to 12.
 */
const SPREAD_SMALL = 0.15
const SPREAD_MOST = 0.65
/** How far from 1 the modulus of a given link may be. */
const MODULUS_SLACK = 1e-9

/**
 * Four standard errors of the mean in percent of it, as they will come out about: variance of a plaquette
 * 1 − P/beta − P², over sites and sweeps, by what a run makes of it.
 */
export const plannedPct = ({ L, beta, sweeps }: Pick<GaugeInput, 'L' | 'beta' | 'sweeps'>): number => {
  const P = besselRatio(beta)
  const variance = 1 - P / beta - P * P
  const spread = Math.min(SPREAD_SMALL * beta * beta, SPREAD_MOST)
  return (400 * sqrt((spread * variance) / (L * L * sweeps))) / P
}

const refuseForm = ({ L, links }: GaugeInput): void => {
  if (L % 4 !== 0) {
    const near = 4 * Math.floor((L + 2) / 4)
    throw new Fault('INVALID_INPUT', `/L: must be a multiple of 4; ${near} is.`, { path: '/L', measured: L, L: near })
  }
  if (links === undefined) return
  if (links.length !== 4 * L * L) {
    const why = `/links: needs ${4 * L * L} numbers.`
    throw new Fault('INVALID_INPUT', why, { path: '/links', measured: links.length, limit: 4 * L * L })
  }
  refuseModuli(links)
}

/** @throws Fault INVALID_INPUT for a link whose modulus is not 1. */
export const refuseModuli = (links: ArrayLike<number>): void => {
  for (let k = 0; k < links.length; k += 2) {
    const [re, im] = [links[k] as number, links[k + 1] as number]
    const modulus = sqrt(re * re + im * im)
    if (Math.abs(modulus - 1) <= MODULUS_SLACK) continue
    const why = `/links: link ${k / 2} has the modulus ${modulus}, not 1.`
    throw new Fault('INVALID_INPUT', why, { path: '/links', measured: modulus, limit: 1 })
  }
}

/**
 * Every refusal before work.
 *
 * @throws Fault INVALID_INPUT (L no multiple of 4, links of another number or modulus), ILL_POSED (four standard errors
 * planned above the bound, with the sweeps that would do: never more than the schema allows).
 */
export const refuseGauge = (input: GaugeInput): void => {
  refuseForm(input)
  const planned = plannedPct(input)
  if (planned <= ERROR_PCT_MAX) return
  const share = planned / ERROR_PCT_MAX
  const sweeps = Math.ceil(1.05 * input.sweeps * share * share)
  const why = `Four standard errors will be about ${planned} % of the plaquette; ${sweeps} sweeps pass.`
  throw new Fault('ILL_POSED', why, { measured: planned, limit: ERROR_PCT_MAX, sweeps })
}
