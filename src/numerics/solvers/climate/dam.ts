import { sqrt } from '#numerics/math.ts'
import type { ClimateInput } from './schema.ts'

/** The waves of a broken dam: a rarefaction back into the deep water, a bore ahead, even water between them. */
export interface DamBreak {
  /** Depth and velocity between the waves. */
  readonly depth: number
  readonly velocity: number
  /** Speeds of the bore and of both ends of the rarefaction, positive towards the shallow side. */
  readonly bore: number
  readonly head: number
  readonly tail: number
  /** Depth and velocity at x/t. */
  readonly at: (speed: number) => { readonly h: number; readonly u: number }
}

const BISECTIONS = 200

/** Ritter's solution before a dry bed: no bore, and a rarefaction down to no water, which goes ahead at 2c. */
const dryBreak = (c: number, g: number, left: number): DamBreak => ({
  depth: 0,
  velocity: 2 * c,
  bore: 2 * c,
  head: -c,
  tail: 2 * c,
  at: (speed) => {
    if (speed <= -c) return { h: left, u: 0 }
    if (speed >= 2 * c) return { h: 0, u: 0 }
    const wave = (2 * c - speed) / 3
    return { h: (wave * wave) / g, u: (2 * (c + speed)) / 3 }
  },
})

/**
 * Stoker's similarity solution (Water Waves, 1957, section 10.8): along the rarefaction u + 2c = 2·c_l, across the bore
 * the two jump conditions; the depth between is where both velocities agree.
 */
export const damBreakOf = ({ gravity: g, depth: left, ahead }: ClimateInput): DamBreak => {
  const right = left * ahead
  const c = sqrt(g * left)
  if (right === 0) return dryBreak(c, g, left)
  const behind = (h: number): number => 2 * (c - sqrt(g * h))
  const before = (h: number): number => (h - right) * sqrt((g * (h + right)) / (2 * h * right))
  let [low, high] = [right, left]
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (low + high) / 2
    if (behind(middle) > before(middle)) low = middle
    else high = middle
  }
  const depth = (low + high) / 2
  const velocity = behind(depth)
  const bore = (depth * velocity) / (depth - right)
  const [head, tail] = [-c, velocity - sqrt(g * depth)]
  const at = (speed: number): { readonly h: number; readonly u: number } => {
    if (speed <= head) return { h: left, u: 0 }
    if (speed >= bore) return { h: right, u: 0 }
    if (speed >= tail) return { h: depth, u: velocity }
    const wave = (2 * c - speed) / 3
    return { h: (wave * wave) / g, u: (2 * (c + speed)) / 3 }
  }
  return { depth, velocity, bore, head, tail, at }
}

const SAMPLES = 64

/** Means of depth and volume flux over the cells of a row at a time: two dams, back to back, at lx/4 and 3·lx/4. */
export const damRow = (input: ClimateInput, time: number) => {
  const { nx, lx } = input
  const { at } = damBreakOf(input)
  const dx = lx / nx
  const h = new Float64Array(nx)
  const p = new Float64Array(nx)
  for (let column = 0; column < nx; column++) {
    for (let i = 0; i < SAMPLES; i++) {
      const off = (column + (i + 0.5) / SAMPLES) * dx - lx / 2
      const { h: depth, u } = at((Math.abs(off) - lx / 4) / time)
      h[column] += depth / SAMPLES
      p[column] += (Math.sign(off) * depth * u) / SAMPLES
    }
  }
  return { h, p }
}
