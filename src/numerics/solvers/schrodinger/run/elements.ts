import { cos, PI } from '#numerics/math.ts'
import type { Mesh } from './mesh.ts'

/** Steps of an element at most: more of them would round more, and fewer elements would carry no more. */
const STEPS_MAX = 24
/** And at least. */
export const STEPS_MIN = 5
/** Newton's steps to a zero of a polynomial's slope. */
const POLISH_STEPS = 12
/** Places of a piece at which its depth is looked at. */
const LOOKS = 32

/** Legendre's polynomials of a degree and of the one below at s. */
const legendre = (degree: number, s: number): readonly [here: number, below: number] => {
  let [below, here] = [1, s]
  for (let k = 1; k < degree; k++) [below, here] = [here, ((2 * k + 1) * s * here - k * below) / (k + 1)]
  return [here, below]
}

/** Gauss–Lobatto's points and weights on [−1, 1], and Legendre's polynomial at the points. */
interface Lobatto {
  readonly points: Float64Array
  readonly weights: Float64Array
  readonly values: Float64Array
}

const lobattoOf = (steps: number): Lobatto => {
  // From Chebyshev's points, each Newton's step towards a zero of (1 − s²)·P′.
  const points = Float64Array.from({ length: steps + 1 }, (_, i) => {
    let s = -cos((PI * i) / steps)
    for (let step = 0; step < POLISH_STEPS; step++) {
      const [here, below] = legendre(steps, s)
      s -= (s * here - below) / ((steps + 1) * here)
    }
    return i === 0 ? -1 : i === steps ? 1 : s
  })
  const values = points.map((s) => legendre(steps, s)[0])
  const weights = values.map((value) => 2 / (steps * (steps + 1) * value * value))
  return { points, weights, values }
}

/** ∫ f_i′·f_j′ over [−1, 1] by the points themselves, exact for Lagrange's functions of them. */
const stiffnessOf = ({ points, weights, values }: Lobatto): Float64Array => {
  const n = points.length
  const slope = (at: number, of: number): number => {
    if (at !== of) return values[at] / (values[of] * (points[at] - points[of]))
    return at === 0 ? (-n * (n - 1)) / 4 : at === n - 1 ? (n * (n - 1)) / 4 : 0
  }
  const stiffness = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < n; k++) stiffness[i * n + j] += weights[k] * slope(k, i) * slope(k, j)
    }
  }
  return stiffness
}

/** Below this a share is a rounded whole number. */
const WHOLE = 1e-6
/** Share of an element's half by which its ends are inside it. */
const END = 1e-9

/** What the elements are laid for. */
export interface Pieces {
  /** Edges of the box and the places between them where v jumps, rising. */
  readonly ends: readonly number[]
  readonly v: (xi: number) => number
  /** Points inside the box, all pieces together. */
  readonly points: number
}

/** Steps of each piece: a third alike, a third by length, a third by the waves that fit between v and its edges. */
const stepsOf = ({ ends, v, points }: Pieces): readonly number[] => {
  const pieces = ends.slice(1).map((to, k) => [ends[k] as number, to] as const)
  const looked = pieces.map(([from, to]) =>
    Array.from({ length: LOOKS }, (_, i) => v(from + ((i + 0.5) / LOOKS) * (to - from))),
  )
  const top = Math.max(looked[0]?.[0] ?? 0, looked.at(-1)?.at(-1) ?? 0, ...looked.flat().map((it) => it / LOOKS))
  const waves = looked.map((values, k) => {
    const [from, to] = pieces[k] as readonly [number, number]
    return ((to - from) / LOOKS) * values.reduce((sum, it) => sum + Math.sqrt(Math.max(0, top - it)), 0)
  })
  const [length, phase] = [(ends.at(-1) as number) - (ends[0] as number), waves.reduce((sum, it) => sum + it, 0)]
  const spare = points + 1 - STEPS_MIN * pieces.length
  const shares = pieces.map(([from, to], k) => {
    const even = 1 / pieces.length
    return (even + (to - from) / length + (phase > 0 ? (waves[k] as number) / phase : even)) / 3
  })
  // Mirror images have the same; what rounding leaves over goes to the piece with most.
  const own = shares.map((share) => STEPS_MIN + Math.floor(share * spare + WHOLE))
  const most = shares.indexOf(shares.reduce((largest, share) => Math.max(largest, share), 0))
  own[most] = (own[most] as number) + points + 1 - own.reduce((sum, it) => sum + it, 0)
  return own
}

/**
 * Elements between jumps, each with Lagrange's functions of Gauss–Lobatto's points, joined where they meet (Rescigno,
 * McCurdy, Phys. Rev. A 62 (2000) 032706): every piece of a state is smooth, and is met faster than any power of the
 * points. `v` at a point that two elements share is that of both sides by their weights.
 */
export const elementMesh = (pieces: Pieces): Mesh & { readonly v: Float64Array } => {
  const { ends, points: n } = pieces
  const [points, weights, v] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)]
  const stiffness = new Float64Array(n * n)
  const known = new Map<number, readonly [Lobatto, Float64Array]>()
  let first = -1
  stepsOf(pieces).forEach((steps, piece) => {
    const [from, to] = [ends[piece] as number, ends[piece + 1] as number]
    const parts = Math.ceil(steps / STEPS_MAX)
    for (let part = 0; part < parts; part++) {
      const own = Math.floor(((part + 1) * steps) / parts) - Math.floor((part * steps) / parts)
      const found = known.get(own)
      const lobatto = found?.[0] ?? lobattoOf(own)
      const local = found?.[1] ?? stiffnessOf(lobatto)
      known.set(own, [lobatto, local])
      const left = from + (part / parts) * (to - from)
      const half = (to - from) / parts / 2
      const inside = (i: number): boolean => first + i >= 0 && first + i < n
      for (let i = 0; i <= own; i++) {
        if (!inside(i)) continue
        const at = first + i
        const s = lobatto.points[i] as number
        points[at] = i === 0 ? left : i === own && part + 1 === parts ? to : left + half * (1 + s)
        // At an end the limit from within: v itself has half of both sides at a jump.
        const within = left + half * (1 + Math.min(1 - END, Math.max(END - 1, s)))
        const weight = half * lobatto.weights[i]
        v[at] = (v[at] * weights[at] + pieces.v(within) * weight) / (weights[at] + weight)
        weights[at] += weight
        for (let j = 0; j <= own; j++) if (inside(j)) stiffness[at * n + first + j] += local[i * (own + 1) + j] / half
      }
      first += own
    }
  })
  const kinetic = (i: number, j: number): number => stiffness[i * n + j] / Math.sqrt(weights[i] * weights[j])
  return { points, weights, kinetic, v }
}
