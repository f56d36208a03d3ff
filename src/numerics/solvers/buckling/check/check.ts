import { PI, sqrt } from '#numerics/math.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import { heldAt, segmentsOf } from '#numerics/solvers/buckling/problem.ts'
import type { BucklingInput, BucklingOutput } from '#numerics/solvers/buckling/schema.ts'
import { exactLoad, exactMode, loadsBelow, uniformFactor } from './exact.ts'
import { isProblemOf } from './recompute-problem.ts'

const AGAINST = 'exact stiffness of the segments: the count of critical loads, the lowest one and its mode'

/** Half the width of the band around the load in which the lowest one must lie. */
const BAND = 1e-3
const ROUNDING = 1e-9

/** Heights of the nodes, as the check says them. */
const heightsOf = (input: BucklingInput): readonly number[] => {
  const segments = segmentsOf(input)
  const length = segments.reduce((sum, it) => sum + it.length, 0)
  const heights = [0]
  let from = 0
  for (const segment of segments) {
    const count = Math.max(2, Math.floor((input.elements * segment.length) / length + 0.5))
    for (let k = 1; k <= count; k++) heights.push(from + (segment.length * k) / count)
    from += segment.length
  }
  return heights
}

const echoes = (input: BucklingInput, output: BucklingOutput): boolean => {
  const heights = heightsOf(input)
  const length = heights.at(-1) as number
  const ends = [...heldAt(input.lower), ...heldAt(input.upper)]
  const held = ends.filter((it) => it).length
  const near = (found: number, wanted: number): boolean => Math.abs(found - wanted) <= ROUNDING * Math.abs(wanted)
  const { criticalLoad, criticalStress, yieldsFirst } = output
  const stress = input.area === undefined ? undefined : criticalLoad / input.area
  return (
    isProblemOf(input, { segments: segmentsOf(input), held: ends }) &&
    output.elements === heights.length - 1 &&
    output.dof === 2 * heights.length - held &&
    near(output.length, length) &&
    output.x.length === heights.length &&
    heights.every((it, k) => Math.abs(it - (output.x[k] as number)) <= ROUNDING * length) &&
    [output.mode, output.slope].every((it) => it.length === heights.length && Array.from(it).every(Number.isFinite)) &&
    (stress === undefined ? criticalStress === undefined : near(criticalStress ?? Number.NaN, stress)) &&
    yieldsFirst === (stress === undefined || input.yield === undefined ? undefined : stress > input.yield)
  )
}

/** Distances of a mode from the exact one: in the mean of squares, and of the worst node, both of values and slopes. */
const modeErrors = (input: BucklingInput, { mode, slope, x }: BucklingOutput, load: number): readonly number[] => {
  const exact = exactMode(input, load, x)
  // The exact mode is scaled to the sent one by least squares; the sent one's own scale is its largest node.
  let [cross, square] = [0, 0]
  exact.mode.forEach((it, k) => {
    cross += it * (mode[k] as number)
    square += it * it
  })
  const scale = cross / square
  const errors = [
    [mode, exact.mode],
    [slope, exact.slope],
  ].flatMap(([sent, wanted]) => {
    let [sum, all, worst, most] = [0, 0, 0, 0]
    for (let k = 0; k < x.length; k++) {
      const value = scale * (wanted?.[k] as number)
      const error = (sent?.[k] as number) - value
      sum += error * error
      all += value * value
      worst = Math.max(worst, Math.abs(error))
      most = Math.max(most, Math.abs(value))
    }
    return [sqrt(sum / all), worst / most]
  })
  const largest = mode.reduce((most, it) => Math.max(most, Math.abs(it)), 0)
  const peak = mode.some((it) => it > 0 && Math.abs(it - largest) <= 1e-6)
  return [...errors, Math.abs(largest - 1), peak ? 0 : 1]
}

/** Checks load and mode against the exact column; uniform ones against Euler's factors too. */
export const checkBuckling = (input: BucklingInput, output: BucklingOutput): Reality => {
  if (!echoes(input, output)) return { against: AGAINST, errorPct: 100, figures: { echo_wrong: 1 } }
  const { criticalLoad, effectiveLength } = output
  const segments = segmentsOf(input)
  const first = segments[0]?.stiffness ?? Number.NaN
  const load = exactLoad(input, criticalLoad)
  const lowest = loadsBelow(input, criticalLoad * (1 - BAND)) === 0 && loadsBelow(input, criticalLoad * (1 + BAND)) > 0
  const uniform = (uniformFactor(input) * first) / (output.length * output.length)
  const [modeRms = Number.NaN, modeWorst, slopeRms, slopeWorst, norm, sign] = modeErrors(input, output, load)
  const errors: Readonly<Record<string, number>> = {
    load: Math.abs(criticalLoad / load - 1),
    lowest: lowest ? 0 : 1,
    length: Math.abs((effectiveLength * sqrt(criticalLoad / first)) / PI - 1),
    ...(segments.length === 1 && { euler: Math.abs(criticalLoad / uniform - 1) }),
    mode: modeRms,
    mode_worst: modeWorst ?? Number.NaN,
    slope: slopeRms ?? Number.NaN,
    slope_worst: slopeWorst ?? Number.NaN,
    norm: norm ?? Number.NaN,
    sign: sign ?? Number.NaN,
  }
  const all = Object.values(errors)
  return {
    against: AGAINST,
    errorPct: all.every(Number.isFinite) ? 100 * Math.max(...all) : Number.NaN,
    figures: {
      ...Object.fromEntries(Object.entries(errors).map(([name, error]) => [`${name}_pct`, 100 * error])),
      // Rayleigh: elements that fit together are too stiff, so this is not below zero but for rounding.
      above_pct: 100 * (criticalLoad / load - 1),
    },
  }
}
