import { cos } from '#numerics/math.ts'
import type { GaugeInput, GaugeOutput } from '#numerics/solvers/gauge/schema.ts'
import type { Chain } from './chain.ts'
import { readingOf } from './field.ts'
import { estimateOf } from './statistics.ts'

const asSeries = (values: Float64Array): readonly number[] => values as unknown as readonly number[]

/** The answer of a chain that took all its sweeps. */
export const reportOf = ({ L, beta, sweeps }: GaugeInput, { history, links }: Chain): GaugeOutput => {
  const { mean, sigma, tau, window, correlation } = estimateOf(history)
  const { plaquette, charge } = readingOf(links, L, cos)
  return {
    L,
    beta,
    sweeps,
    plaquette: mean,
    sigma,
    tau,
    window,
    finalPlaquette: plaquette,
    topologicalCharge: charge,
    history: asSeries(history),
    correlation: asSeries(correlation),
    links: asSeries(links.slice()),
  }
}
