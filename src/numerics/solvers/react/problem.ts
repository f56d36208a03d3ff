import { streamOf } from '#numerics/methods/random.ts'
import { keptSteps } from '#numerics/runtime/segments.ts'
import type { ReactInput } from './schema.ts'

/** Two fields on the lattice, row-major. */
export interface Fields {
  readonly u: Float64Array
  readonly v: Float64Array
}

const BISECTIONS = 200

/**
 * The uniform state of rest that deviations are measured from: (1, 0) of Gray–Scott; of FitzHugh–Nagumo a root
 * of u − u³/3 − v + I = 0 with b·v = u + a.
 */
export const restOf = ({ model, a, b, current }: ReactInput): { readonly u: number; readonly v: number } => {
  if (model === 'gray-scott') return { u: 1, v: 0 }
  // With b = 0 the second equation gives u alone.
  if (b === 0) return { u: -a, v: -a + (a * a * a) / 3 + current }
  const slope = (u: number): number => u - (u * u * u) / 3 - (u + a) / b + current
  // The cubic falls in the end: far to the left it is positive.
  let [low, high] = [-1, 1]
  while (slope(low) <= 0) low *= 2
  while (slope(high) >= 0) high *= 2
  for (let i = 0; i < BISECTIONS && low < high; i++) {
    const middle = (low + high) / 2
    if (slope(middle) > 0) low = middle
    else high = middle
  }
  return { u: low, v: (low + a) / b }
}

/** What a spot holds: the square of Pearson's experiments; of FitzHugh–Nagumo a stimulus. */
export const spotOf = (input: ReactInput): { readonly u: number; readonly v: number } =>
  input.model === 'gray-scott' ? { u: 0.5, v: 0.25 } : { u: 1.5, v: restOf(input).v }

/** Both fields at time 0. `values` must have been found to have their lengths. */
export const startOf = (input: ReactInput): Fields => {
  const { n, initial } = input
  if (initial.kind === 'values') {
    return { u: Float64Array.from(initial.u ?? []), v: Float64Array.from(initial.v ?? []) }
  }
  const [rest, spot] = [restOf(input), spotOf(input)]
  const u = new Float64Array(n * n).fill(rest.u)
  const v = new Float64Array(n * n).fill(rest.v)
  const side = Math.floor(initial.size * n)
  const from = Math.floor((n - side) / 2)
  for (let row = from; row < from + side; row++) {
    u.fill(spot.u, row * n + from, row * n + from + side)
    v.fill(spot.v, row * n + from, row * n + from + side)
  }
  if (initial.kind === 'noise') {
    const [forU, forV] = [streamOf(initial.seed, 0), streamOf(initial.seed, 1)]
    for (let i = 0; i < n * n; i++) {
      u[i] += initial.noise * (2 * forU.uniform(i) - 1)
      v[i] += initial.noise * (2 * forV.uniform(i) - 1)
    }
  }
  return { u, v }
}

/** The larger D·dt/dx². */
export const rOf = ({ Du, Dv, dt, dx }: ReactInput): number => (Math.max(Du, Dv) * dt) / (dx * dx)

/** Steps up to which the end of a run is compared alone. */
const WHOLE_STEPS = 40
/** Steps between the two states of each pair that is kept. */
const STRETCH_STEPS = 10

/** The steps after which the fields are kept for the check. */
export const keptOf = (steps: number): readonly number[] =>
  steps <= WHOLE_STEPS ? [] : keptSteps(steps, STRETCH_STEPS)
