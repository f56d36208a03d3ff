import type { ReactInput } from './schema.ts'
import type { Fields } from './start.ts'

// Dormand and Prince's fifth order (J. Comput. Appl. Math. 6 (1980) 19), without its error estimate.
const NODES = [
  [],
  [1 / 5],
  [3 / 40, 9 / 40],
  [44 / 45, -56 / 15, 32 / 9],
  [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
  [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
] as const
const WEIGHTS = [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84] as const

/** The slopes of both fields, node by node from the equations as books write them. */
const slopes = (input: ReactInput, { u, v }: Fields, into: Fields): void => {
  const { n, dx, Du, Dv, F, k, rate, a, b, epsilon, current, model } = input
  const [alongU, alongV] = [Du / (dx * dx), Dv / (dx * dx)]
  for (let row = 0; row < n; row++) {
    const here = row * n
    const above = ((row + n - 1) % n) * n
    const below = ((row + 1) % n) * n
    for (let column = 0; column < n; column++) {
      const at = here + column
      const left = here + (column === 0 ? n - 1 : column - 1)
      const right = here + (column === n - 1 ? 0 : column + 1)
      const [U, V] = [u[at], v[at]]
      const spreadU = alongU * (u[left] - U + (u[right] - U) + (u[above + column] - U) + (u[below + column] - U))
      const spreadV = alongV * (v[left] - V + (v[right] - V) + (v[above + column] - V) + (v[below + column] - V))
      if (model === 'gray-scott') {
        into.u[at] = spreadU - U * V * V + F * (1 - U)
        into.v[at] = spreadV + U * V * V - (F + k) * V
      } else {
        into.u[at] = spreadU + rate * (U - (U * U * U) / 3 - V + current)
        into.v[at] = spreadV + rate * epsilon * (U + a - b * V)
      }
    }
  }
}

/** Both fields some steps later, by a method of fifth order: code, stencil and method of its own. */
export const reintegrated = (input: ReactInput, start: Fields, steps: number): Fields => {
  const size = start.u.length
  const fresh = (): Fields => ({ u: new Float64Array(size), v: new Float64Array(size) })
  const now: Fields = { u: start.u.slice(), v: start.v.slice() }
  const stage = fresh()
  const ks = NODES.map(fresh)
  const gather = (to: Fields, weights: readonly number[]): void => {
    for (const name of ['u', 'v'] as const) {
      const [target, from] = [to[name], now[name]]
      if (target !== from) target.set(from)
      for (const [j, weight] of weights.entries()) {
        if (weight === 0) continue
        const slope = (ks[j] as Fields)[name]
        const scale = input.dt * weight
        for (let i = 0; i < size; i++) target[i] += scale * slope[i]
      }
    }
  }
  for (let step = 0; step < steps; step++) {
    for (const [j, weights] of NODES.entries()) {
      if (j > 0) gather(stage, weights)
      slopes(input, j === 0 ? now : stage, ks[j] as Fields)
    }
    gather(now, WEIGHTS)
  }
  return now
}
