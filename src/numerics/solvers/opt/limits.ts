import { Fault } from '#core/fault.ts'
import { evaluate } from '#numerics/operators/evaluate.ts'
import { parseFunction } from './expression.ts'
import { boxOf } from './problem.ts'
import { meanOver, references } from './reference.ts'
import { type OptInput, PROVED_DIMENSION_MAX } from './schema.ts'

/** Largest coordinate of a box, and the narrowest box as a share of its places. */
const PLACE_MAX = 1e6
const WIDTH_SHARE_MIN = 1e-6
/** Beyond this Schwefel's function has lower minima than the known one. */
const SCHWEFEL_MAX = 500

const refuseDimension = ({ function: name, dimension }: OptInput): void => {
  const [least, most] = name === 'himmelblau' ? [2, 2] : name === 'expression' ? [1, PROVED_DIMENSION_MAX] : [2, 100]
  if (dimension >= least && dimension <= most) return
  const passes = dimension < least ? least : most
  throw new Fault('OUT_OF_RANGE', `/dimension: ${name} takes ${least} to ${most} coordinates, not ${dimension}.`, {
    path: '/dimension',
    measured: dimension,
    limit: passes,
    dimension: passes,
  })
}

const refuseSeries = (input: OptInput): void => {
  for (const name of ['lower', 'upper', 'shift'] as const) {
    const values = input[name]
    if (values === undefined) continue
    const path = `/${name}`
    if (values.length !== input.dimension) {
      const details = { path, measured: values.length, limit: input.dimension }
      throw new Fault(
        'INVALID_INPUT',
        `${path}: has ${values.length} numbers for ${input.dimension} coordinates.`,
        details,
      )
    }
    const far = values.find((x) => Math.abs(x) > PLACE_MAX)
    if (far !== undefined) {
      throw new Fault('OUT_OF_RANGE', `${path}: ${far} is beyond ${PLACE_MAX}.`, {
        path,
        measured: Math.abs(far),
        limit: PLACE_MAX,
      })
    }
  }
}

const refuseBox = (input: OptInput): void => {
  const { lower, upper } = boxOf(input)
  for (const [i, low] of lower.entries()) {
    const width = upper[i] - low
    const limit = WIDTH_SHARE_MIN * Math.max(1, Math.abs(low), Math.abs(upper[i]))
    if (width >= limit) continue
    throw new Fault('ILL_POSED', `The box is ${width} wide along coordinate ${i + 1}; it must be at least ${limit}.`, {
      path: `/upper/${i}`,
      measured: width,
      limit,
    })
  }
}

/** Corners of a box that passes: no farther out than places may be, and of Schwefel's function than it may reach. */
const corners = (input: OptInput, lower: readonly number[], upper: readonly number[]) => {
  // A little within, as moving the box back again rounds.
  const most = input.function === 'schwefel' ? SCHWEFEL_MAX * (1 - 1e-9) : Number.POSITIVE_INFINITY
  const by = (i: number): number => input.shift?.[i] ?? 0
  return {
    lower: lower.map((x, i) => Math.max(-PLACE_MAX, x, by(i) - most)),
    upper: upper.map((x, i) => Math.min(PLACE_MAX, x, by(i) + most)),
  }
}

/** The known minimum must be in the box, and must be that of the box. */
const refuseKnown = (input: OptInput): void => {
  const { function: name, dimension, shift } = input
  if (name === 'expression') return
  const { lower, upper } = boxOf(input)
  const [low, high] = [Array.from(lower), Array.from(upper)]
  const moved = (point: readonly number[]): readonly number[] => point.map((x, i) => x + (shift?.[i] ?? 0))
  const minimisers = references[name].minimisers(dimension).map(moved)
  if (!minimisers.some((point) => point.every((x, i) => x >= lower[i] && x <= upper[i]))) {
    const at = minimisers[0] as readonly number[]
    const off = at.findIndex((x, i) => x < lower[i] || x > upper[i])
    const measured = at[off] as number
    const why = `The known minimum of ${name}, at ${measured} in coordinate ${off + 1}, is not in the box.`
    // A width more on the side where it lies, so that it is not on the edge.
    const room = at.map((_, i) => upper[i] - lower[i])
    throw new Fault('ILL_POSED', why, {
      measured,
      limit: measured < lower[off] ? lower[off] : upper[off],
      ...corners(
        input,
        low.map((x, i) => ((at[i] as number) < x ? (at[i] as number) - (room[i] as number) : x)),
        high.map((x, i) => ((at[i] as number) > x ? (at[i] as number) + (room[i] as number) : x)),
      ),
    })
  }
  if (name === 'schwefel') refuseSchwefel(input, low, high)
}

/** Schwefel's known minimum is that of a box within ±500 alone. */
const refuseSchwefel = (input: OptInput, lower: readonly number[], upper: readonly number[]): void => {
  for (const [i, low] of lower.entries()) {
    const by = input.shift?.[i] ?? 0
    const measured = Math.max(by - low, (upper[i] as number) - by)
    if (measured <= SCHWEFEL_MAX) continue
    const why = `Schwefel’s function has lower minima beyond ±${SCHWEFEL_MAX}; the box reaches ${measured}.`
    throw new Fault('ILL_POSED', why, { measured, limit: SCHWEFEL_MAX, ...corners(input, lower, upper) })
  }
}

/** An own function must parse, and must vary. */
const refuseExpression = (input: OptInput): void => {
  if (input.function !== 'expression') return
  const { dimension } = input
  const parsed = parseFunction(input.expression.f, dimension)
  const { lower, upper } = boxOf(input)
  const mean = meanOver(
    (x) => evaluate(parsed, new Map(Array.from(x, (xi, i) => [`x${i + 1}`, xi - (input.shift?.[i] ?? 0)]))),
    lower,
    upper,
  )
  if (Number.isFinite(mean)) return
  throw new Fault(
    'ILL_POSED',
    'The expression has a value nowhere in the box, or values beyond the range of numbers.',
    {
      measured: 0,
      limit: 1,
    },
  )
}

/**
 * Every refusal before work.
 *
 * @throws Fault OUT_OF_RANGE (coordinates, places), INVALID_INPUT (lengths, grammar) and ILL_POSED (a box without
 * width or without the known minimum, an expression without values).
 */
export const refuseOpt = (input: OptInput): void => {
  refuseDimension(input)
  refuseSeries(input)
  refuseBox(input)
  refuseKnown(input)
  refuseExpression(input)
}
