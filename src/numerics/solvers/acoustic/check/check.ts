import { PI, sqrt } from '#numerics/math.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import { type Part, partsOf } from '#numerics/solvers/acoustic/problem.ts'
import type { AcousticInput, AcousticOutput } from '#numerics/solvers/acoustic/schema.ts'
import { exactWaveNumber, modesBelow, pressureAt } from './shooting.ts'

const AGAINST = 'waves shot through the bore in closed form: count, wave number and pressure of every mode'

/** Half the width of the band around a wave number in which the mode of its number must lie. */
const BAND = 5e-4
const ROUNDING = 1e-9

/** Places of the nodes as the check says them. */
const placesOf = (input: AcousticInput): readonly number[] => {
  const parts = partsOf(input)
  const whole = parts.reduce((sum, { length }) => sum + length, 0)
  const places = [parts[0]?.x ?? 0]
  for (const { x, length } of parts) {
    const halves = 2 * Math.max(2, Math.floor((input.elements * length) / whole + 0.5))
    for (let k = 1; k <= halves; k++) places.push(x + (length * k) / halves)
  }
  return places
}

/** Squares of radii at the nodes, by part: an exponential horn's are geometric. */
const squaresOf = (input: AcousticInput, places: readonly number[]): Float64Array => {
  const parts = partsOf(input)
  let at = 0
  return Float64Array.from(places, (place) => {
    while (at < parts.length - 1 && place > (parts[at]?.x ?? 0) + (parts[at]?.length ?? 0) * (1 + 1e-12)) at++
    const { x, length, from, to, exponential } = parts[at] as (typeof parts)[number]
    const share = (place - x) / length
    if (exponential) {
      // Without the exponential function: halving the way takes the geometric mean.
      let [low, high, a, b, middle] = [0, 1, from, to, from]
      for (let k = 0; k < 60; k++) {
        middle = sqrt(a) * sqrt(b)
        if (share < (low + high) / 2) [high, b] = [(low + high) / 2, middle]
        else [low, a] = [(low + high) / 2, middle]
      }
      return middle * middle
    }
    const radius = (1 - share) * from + share * to
    return radius * radius
  })
}

/**
 * Whether parts of a bore are those that the input states: their radii and places, and cylinders of 0.6133 or 0.8216
 * radii before and behind open ends. Run and check take them from one function, so that this is worked out anew.
 */
export const isProblemOf = (input: AcousticInput, parts: readonly Part[]): boolean => {
  const { L, left, right, endCorrection, section } = input
  const { kind, radius, radiusEnd, points = [] } = section
  const share = endCorrection === 'none' ? 0 : endCorrection === 'flanged' ? 0.8216 : 0.6133
  const bore =
    kind === 'table'
      ? points
      : [
          { x: 0, radius },
          { x: L, radius: kind === 'uniform' ? radius : radiusEnd },
        ]
  const [first, last] = [bore[0], bore.at(-1)]
  if (first === undefined || last === undefined) return false
  const behind = share > 0 && left === 'open' ? [{ x: first.x - share * first.radius, radius: first.radius }] : []
  const beyond = share > 0 && right === 'open' ? [{ x: last.x + share * last.radius, radius: last.radius }] : []
  const stops = [...behind, ...bore, ...beyond]
  const near = (found: number, wanted: number): boolean => Math.abs(found - wanted) <= ROUNDING * (L + Math.abs(wanted))
  return (
    parts.length === stops.length - 1 &&
    parts.every((part, k) => {
      const [from, to] = [stops[k], stops[k + 1]]
      if (from === undefined || to === undefined) return false
      const curved = kind === 'exponential' && k === behind.length
      return (
        near(part.x, from.x) &&
        near(part.length, to.x - from.x) &&
        part.from === from.radius &&
        part.to === to.radius &&
        part.exponential === curved
      )
    })
  )
}

const echoes = (input: AcousticInput, output: AcousticOutput, places: readonly number[]): boolean => {
  const nodes = places.length
  const open = (input.left === 'open' ? 1 : 0) + (input.right === 'open' ? 1 : 0)
  const length = (places.at(-1) as number) - (places[0] as number)
  const squares = squaresOf(input, places)
  const { x, radius, pressure, frequencies } = output
  return (
    isProblemOf(input, partsOf(input)) &&
    output.elements === (nodes - 1) / 2 &&
    output.dof === nodes - open &&
    Math.abs(output.length - length) <= ROUNDING * length &&
    x.length === nodes &&
    radius.length === nodes &&
    pressure.length === nodes * input.modes &&
    frequencies.length === input.modes &&
    output.fundamental === frequencies[0] &&
    places.every((it, k) => Math.abs(it - (x[k] as number)) <= ROUNDING * length) &&
    squares.every((it, k) => Math.abs(sqrt(it) - (radius[k] as number)) <= 1e-7 * sqrt(it)) &&
    Array.from(pressure).every(Number.isFinite)
  )
}

/** Distance of a mode from the exact one in the mean of squares and at the worst node, and its scale from 1. */
const shapeErrors = (sent: Float64Array, exact: Float64Array): readonly [number, number, number] => {
  let [cross, square] = [0, 0]
  for (let i = 0; i < exact.length; i++) {
    cross += exact[i] * sent[i]
    square += exact[i] * exact[i]
  }
  const scale = cross / square
  let [sum, all, worst, most, largest] = [0, 0, 0, 0, 0]
  for (let i = 0; i < exact.length; i++) {
    const value = scale * exact[i]
    const error = sent[i] - value
    sum += error * error
    all += value * value
    worst = Math.max(worst, Math.abs(error))
    most = Math.max(most, Math.abs(value))
    largest = Math.max(largest, Math.abs(sent[i]))
  }
  return [sqrt(sum / all), worst / most, Math.abs(largest - 1)]
}

/** Closed forms of a cylinder, and of a cone open at both ends; undefined for all else. */
const closedForm = (input: AcousticInput, mode: number, length: number): number | undefined => {
  const { kind } = input.section
  const [left, right] = [input.left, input.right]
  if (
    kind !== 'uniform' &&
    !(kind === 'cone' && left === 'open' && right === 'open' && input.endCorrection === 'none')
  ) {
    return undefined
  }
  return left === right ? ((mode + 1) * input.c) / (2 * length) : ((2 * mode + 1) * input.c) / (4 * length)
}

/** Largest S-weighted product of two different modes over the lengths of both, by Simpson's rule. */
const orthogonality = (modes: readonly Float64Array[], squares: Float64Array, places: readonly number[]): number => {
  const product = (a: Float64Array, b: Float64Array): number => {
    let sum = 0
    for (let i = 0; i + 2 < places.length; i += 2) {
      const h = (places[i + 2] as number) - (places[i] as number)
      const at = (k: number): number => a[i + k] * b[i + k] * squares[i + k]
      sum += (h / 6) * (at(0) + 4 * at(1) + at(2))
    }
    return sum
  }
  const sizes = modes.map((it) => sqrt(product(it, it)))
  let most = 0
  for (let i = 0; i < modes.length; i++) {
    for (let j = 0; j < i; j++) {
      const cross = product(modes[i] as Float64Array, modes[j] as Float64Array)
      most = Math.max(most, Math.abs(cross) / ((sizes[i] as number) * (sizes[j] as number)))
    }
  }
  return most
}

/** Checks every frequency and pressure against the exact waves in the bore. */
export const checkAcoustic = (input: AcousticInput, output: AcousticOutput): Reality => {
  const places = placesOf(input)
  if (!echoes(input, output, places)) return { against: AGAINST, errorPct: 100, figures: { echo_wrong: 1 } }
  const nodes = places.length
  let [frequency, missed, closed, shape, worst, norm] = [0, 0, 0, 0, 0, 0]
  const modes: Float64Array[] = []
  for (let mode = 0; mode < input.modes; mode++) {
    const found = output.frequencies[mode] as number
    const near = (2 * PI * found) / input.c
    const k = exactWaveNumber(input, mode, near)
    frequency = Math.max(frequency, Math.abs(near / k - 1))
    // Neighbours may lie closer than the band: two cavities with a neck between them sound in pairs.
    const there = modesBelow(input, near * (1 - BAND)) <= mode && modesBelow(input, near * (1 + BAND)) > mode
    if (!there) missed = 1
    const form = closedForm(input, mode, output.length)
    if (form !== undefined) closed = Math.max(closed, Math.abs(found / form - 1))
    const sent = Float64Array.from({ length: nodes }, (_, i) => output.pressure[mode * nodes + i] as number)
    modes.push(sent)
    const errors = shapeErrors(sent, pressureAt(input, k, places))
    shape = Math.max(shape, errors[0])
    worst = Math.max(worst, errors[1])
    norm = Math.max(norm, errors[2])
  }
  const crossed = orthogonality(modes, squaresOf(input, places), places)
  const all = [frequency, missed, closed, shape, worst, norm, crossed]
  return {
    against: AGAINST,
    errorPct: all.every(Number.isFinite) ? 100 * Math.max(...all) : Number.NaN,
    figures: {
      frequency_pct: 100 * frequency,
      count_pct: 100 * missed,
      closed_form_pct: 100 * closed,
      pressure_pct: 100 * shape,
      worst_node_pct: 100 * worst,
      norm_pct: 100 * norm,
      orthogonality_pct: 100 * crossed,
      elements: output.elements,
    },
  }
}
