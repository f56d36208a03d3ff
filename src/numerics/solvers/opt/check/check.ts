import { evaluate } from '#numerics/operators/evaluate.ts'
import type { Outcome, Reality } from '#numerics/runtime/solver.ts'
import { parseFunction } from '#numerics/solvers/opt/expression.ts'
import { boxOf, methodOf } from '#numerics/solvers/opt/problem.ts'
import { meanOver, references } from '#numerics/solvers/opt/reference.ts'
import { KEPT_MAX, type OptEvidence, type OptInput, type OptOutput } from '#numerics/solvers/opt/schema.ts'
import { certify } from './certify.ts'

/** Relative disagreement of values that are worked out in another way, on the scale of the function's mean. */
const ECHO = 1e-9

type Value = (x: ArrayLike<number>) => number

/** The function as the check has it. */
const valueFor = (input: OptInput): Value => {
  const { function: name, shift, dimension } = input
  if (name !== 'expression') {
    const { value } = references[name]
    return shift === undefined ? value : (x) => value(Array.from(x, (xi, i) => xi - (shift[i] as number)))
  }
  const parsed = parseFunction(input.expression.f, dimension)
  return (x) => evaluate(parsed, new Map(Array.from(x, (xi, i) => [`x${i + 1}`, xi - (shift?.[i] ?? 0)])))
}

const same = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => {
  if (a.length !== b.length) return false
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Whether a point lies in the box. */
const inside = (point: ArrayLike<number>, lower: Float64Array, upper: Float64Array): boolean => {
  for (let i = 0; i < lower.length; i++) {
    if (!((point[i] as number) >= lower[i] && (point[i] as number) <= upper[i])) return false
  }
  return true
}

/** Whether counts, path and values tell of one search that fell to the answer. */
const historyHolds = (input: OptInput, output: OptOutput, by: { value: Value; scale: number }): boolean => {
  const { dimension } = input
  const { lower, upper } = boxOf(input)
  const { counts, values, path, evaluations, minimum, point } = output
  const rows = counts.length
  const last = path.slice(dimension * (rows - 1))
  if (rows < 1 || rows > KEPT_MAX || values.length !== rows || path.length !== rows * dimension) return false
  if (!same(last, point) || values[rows - 1] !== minimum || (counts[rows - 1] ?? 0) > evaluations) return false
  return counts.every((count, k) => {
    const x = path.slice(k * dimension, (k + 1) * dimension)
    const f = values[k] ?? Number.NaN
    const falling = k === 0 || (count > (counts[k - 1] ?? 0) && f < (values[k - 1] ?? 0))
    return falling && inside(x, lower, upper) && Math.abs(by.value(x) - f) <= ECHO * (by.scale + Math.abs(f))
  })
}

const echoes = (input: OptInput, { output, evidence }: Outcome<OptOutput, OptEvidence>): boolean => {
  const { tally, counts, division } = evidence
  return (
    output.function === input.function &&
    output.dimension === input.dimension &&
    output.method === methodOf(input) &&
    output.point.length === input.dimension &&
    output.evaluations <= input.evaluations &&
    same(tally, [output.evaluations, output.starts, output.hits]) &&
    same(counts, output.counts) &&
    (input.function === 'expression' || (output.lowerBound === null && division.length === 0))
  )
}

/** Parts of the error, in percent. */
interface Distance {
  readonly value: number
  readonly point: number
  readonly figures: Readonly<Record<string, number>>
}

/** Distance from the known minimum: of the point in widths of the box, of the value on the function's mean above it. */
const fromKnown = (input: OptInput, output: OptOutput, mean: number): Distance => {
  const name = input.function
  if (name === 'expression') return { value: Number.NaN, point: Number.NaN, figures: {} }
  const { dimension, shift } = input
  const { lower, upper } = boxOf(input)
  const least = references[name].least(dimension)
  const distances = references[name].minimisers(dimension).map((minimiser) =>
    minimiser.reduce((most, x, i) => {
      const off = Math.abs((output.point[i] as number) - x - (shift?.[i] ?? 0)) / (upper[i] - lower[i])
      return off <= most ? most : off
    }, 0),
  )
  const value = (100 * Math.abs(output.minimum - least)) / (mean - least)
  return { value, point: 100 * Math.min(...distances), figures: { known_minimum: least } }
}

/** Distance from what the division proves, and the slope left at the point. */
const fromProof = (input: OptInput, { output, evidence }: Outcome<OptOutput, OptEvidence>, mean: number): Distance => {
  const { lower, upper } = boxOf(input)
  const { shift } = input
  const moved = (values: ArrayLike<number>): Float64Array => Float64Array.from(values, (x, i) => x - (shift?.[i] ?? 0))
  const parsed = parseFunction(input.expression.f, input.dimension)
  const claim = { parsed, lower: moved(lower), upper: moved(upper), point: moved(output.point) }
  const proof = certify(claim, evidence.division)
  const scale = mean - output.minimum
  if (proof === undefined) return { value: Number.NaN, point: Number.NaN, figures: {} }
  const boundHolds =
    output.lowerBound !== null && Math.abs(output.lowerBound - proof.bound) <= ECHO * (scale + Math.abs(mean))
  const gap = (100 * Math.max(0, proof.value - proof.bound)) / scale
  const slope = (100 * proof.slope) / scale
  return {
    value: boundHolds ? Math.max(gap, slope) : Number.NaN,
    point: 100 * proof.distance,
    figures: { lower_bound: proof.bound, kkt_pct: slope, groups: proof.groups },
  }
}

const AGAINST = {
  known: 'the known global minimum, value and point, by the formula of the literature',
  proof: 'a bound over every part of the box by interval arithmetic, and the slopes at the point',
} as const

/**
 * Checks a minimum: of a named function by its distance from the known one, of an expression by a division of the box
 * on which intervals bound the function from below. The point is measured in widths of the box, the value on how far
 * the function's mean lies above the minimum. A search that ended elsewhere did not converge.
 */
export const checkOpt = (input: OptInput, outcome: Outcome<OptOutput, OptEvidence>): Reality => {
  const { output } = outcome
  const own = input.function === 'expression'
  const against = own ? AGAINST.proof : AGAINST.known
  const broken: Reality = { against, errorPct: 100, figures: { echo_wrong: 1 } }
  if (!echoes(input, outcome)) return broken
  const value = valueFor(input)
  const { lower, upper } = boxOf(input)
  const mean = meanOver(value, lower, upper)
  const scale = mean - output.minimum
  if (!historyHolds(input, output, { value, scale: Math.abs(scale) + Math.abs(mean) })) return broken
  const distance = own ? fromProof(input, outcome, mean) : fromKnown(input, output, mean)
  const errorsPct = [distance.value, distance.point]
  return {
    against,
    errorPct: scale > 0 ? Math.max(...errorsPct) : Number.NaN,
    refusal: 'DID_NOT_CONVERGE',
    figures: {
      value_pct: distance.value,
      point_pct: distance.point,
      mean,
      minimum: output.minimum,
      ...distance.figures,
    },
  }
}
