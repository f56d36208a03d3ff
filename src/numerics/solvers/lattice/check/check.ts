import { TICK_NS } from '#core/tick.ts'
import { sqrt } from '#numerics/math.ts'
import { preciseSine, statedAmplitude, tellsMoment } from '#numerics/methods/spec.ts'
import type { Computation } from '#numerics/operators/computation.ts'
import { Precise } from '#numerics/operators/decimal.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import { frameOf, placeOf } from '#numerics/solvers/lattice/problem.ts'
import type { LatticeInput, LatticeOutput } from '#numerics/solvers/lattice/schema.ts'
import { statisticsOf } from '#numerics/solvers/lattice/statistics.ts'

const AGAINST =
  'the modulation at exact phases: its mean, its spread and each sine at 50 digits, in units of the amplitude'

/** Deviation of the mean and of the spread of R/S − 1 from what evenly spaced sines have, in units of the amplitude. */
const spreadOff = (ratios: readonly number[], first: number): number => {
  const { mean, sd } = statisticsOf(ratios)
  if (ratios.length === 1) return Math.abs(mean - first)
  const wanted = ratios.length === 2 ? Math.abs(first) : sqrt(0.5)
  return Math.max(Math.abs(mean), Math.abs(sd - wanted))
}

/** The score that evenly spaced sines have: 1 less their spread, which is the amplitude over √2 from three nodes on. */
const scoreOf = (nodeCount: number, amplitude: number, first: number): number => {
  if (nodeCount === 1) return 1
  return 1 - amplitude * (nodeCount === 2 ? Math.abs(first) : sqrt(0.5))
}

const bare = (output: LatticeOutput): string =>
  JSON.stringify({ ...output, nodes: [], meanRt: 0, sdRt: 0, coherenceScore: 0 })

/**
 * Checks a lattice by its modulation: mean and spread of R/S − 1 over the nodes, every R by a sine at 50 digits,
 * phases and ticks from nanoseconds by integers, equal values, and the error that the operators measured of theirs.
 */
export const checkLattice = (input: LatticeInput, output: LatticeOutput, found: Computation): Reality => {
  const amplitude = statedAmplitude(input)
  const [at, from, born] = [input.tick ?? 0, input.phaseNs ?? 0, input.genesis ?? 0]
  const S = found.value
  const sines = output.nodes.map((_, i) => {
    const { num, den } = placeOf(from, i, input.nodeCount)
    return preciseSine(num, den)
  })
  const off = output.nodes.map(({ R_t }, i) => {
    const wanted = new Precise(S).times((sines[i] ?? new Precise(0)).times(amplitude).plus(1))
    return Math.abs(wanted.minus(R_t).div(S).toNumber()) / amplitude
  })
  const ns = BigInt(from) * BigInt(input.nodeCount)
  const placed = output.nodes.every(({ node, tick, phase, value, operator }, i) => {
    const moved = ns + BigInt(i) * TICK_NS
    const whole = TICK_NS * BigInt(input.nodeCount)
    const over = moved >= whole ? 1 : 0
    const inPhase = phase === Number(moved - BigInt(over) * whole) / Number(whole)
    return node === i && tick === at + over && inPhase && value === S && operator === found.output.operator
  })
  const ratios = output.nodes.map(({ R_t }) => (R_t / S - 1) / amplitude)
  const first = sines[0]?.toNumber() ?? Number.NaN
  const { mean, sd } = statisticsOf(output.nodes.map(({ R_t }) => R_t))
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-14 * Math.abs(S)
  const whole =
    output.nodes.length === input.nodeCount &&
    placed &&
    near(output.meanRt, mean) &&
    near(output.sdRt, sd) &&
    Math.abs(output.coherenceScore - scoreOf(input.nodeCount, amplitude, first)) <= 1e-14 &&
    output.sharedTick === born + at &&
    tellsMoment(output, { genesis: born, tick: at, phaseNs: from }) &&
    bare(output) === JSON.stringify(frameOf(input, found))
  const modulationPct = 100 * Math.max(spreadOff(ratios, first), ...off)
  const errorPct = whole ? modulationPct : Number.NaN
  const measured = found.precisionActual
  return {
    against: AGAINST,
    errorPct: Number.isNaN(errorPct) || Number.isNaN(measured) ? Number.NaN : Math.max(errorPct, measured),
    figures: { modulationPct, operatorPct: measured },
  }
}
