import { exp, log } from '#numerics/math.ts'
import type { AcousticInput } from './schema.ts'

/** A part of a bore: a frustum of a cone, or an exponential horn. */
export interface Part {
  /** Place of its left end. */
  readonly x: number
  readonly length: number
  readonly from: number
  readonly to: number
  readonly exponential: boolean
}

/** By how much of its radius an open pipe sounds longer (Levine, Schwinger 1948; Nomura et al. 1960). */
const CORRECTIONS = { none: 0, unflanged: 0.6133, flanged: 0.8216 } as const

const innerParts = ({ L, section }: AcousticInput): readonly Part[] => {
  const { kind, radius, radiusEnd, points = [] } = section
  if (kind !== 'table') {
    const to = kind === 'uniform' ? radius : radiusEnd
    return [{ x: 0, length: L, from: radius, to, exponential: kind === 'exponential' }]
  }
  return points.slice(1).map((point, k) => {
    const before = points[k] as (typeof points)[number]
    return { x: before.x, length: point.x - before.x, from: before.radius, to: point.radius, exponential: false }
  })
}

/** The parts of a bore from the left; corrected ends are cylinders more. */
export const partsOf = (input: AcousticInput): readonly Part[] => {
  const parts = [...innerParts(input)]
  const share = CORRECTIONS[input.endCorrection]
  if (share === 0) return parts
  const [first, last] = [parts[0] as Part, parts.at(-1) as Part]
  const cylinder = (x: number, length: number, radius: number): Part => ({
    x,
    length,
    from: radius,
    to: radius,
    exponential: false,
  })
  if (input.left === 'open') parts.unshift(cylinder(first.x - share * first.from, share * first.from, first.from))
  if (input.right === 'open') parts.push(cylinder(last.x + last.length, share * last.to, last.to))
  return parts
}

/** Elements of each part: by its share of the length, at least two. */
export const elementsOf = (input: AcousticInput): readonly number[] => {
  const parts = partsOf(input)
  const whole = parts.reduce((sum, { length }) => sum + length, 0)
  return parts.map(({ length }) => Math.max(2, Math.floor((input.elements * length) / whole + 0.5)))
}

/** Radius of a part at a share of its length. */
export const radiusAt = ({ from, to, exponential }: Part, share: number): number =>
  exponential ? from * exp(share * log(to / from)) : from + share * (to - from)
