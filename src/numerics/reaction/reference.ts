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
  const gray = model === 'gray-scott'
  const recovery = rate * epsilon
  const [intoU, intoV] = [into.u, into.v]
  for (let row = 0; row < n; row++) {
    const here = row * n
    const above = row === 0 ? n * n - n : here - n
    const below = row === n - 1 ? 0 : here + n
    for (let column = 0; column < n; column++) {
      const at = here + column
      const left = column === 0 ? here + n - 1 : at - 1
      const right = column === n - 1 ? here : at + 1
      const U = u[at]
      const V = v[at]
      const spreadU = alongU * (u[left] - U + (u[right] - U) + (u[above + column] - U) + (u[below + column] - U))
      const spreadV = alongV * (v[left] - V + (v[right] - V) + (v[above + column] - V) + (v[below + column] - V))
      if (gray) {
        const turned = U * V * V
        intoU[at] = spreadU - turned + F * (1 - U)
        intoV[at] = spreadV + turned - (F + k) * V
      } else {
        intoU[at] = spreadU + rate * (U - (U * U * U) / 3 - V + current)
        intoV[at] = spreadV + recovery * (U + a - b * V)
      }
    }
  }
}

/** to = from + Σ weight·slope, each node read and written once: the fields are larger than caches. */
const gather = (
  to: Float64Array,
  from: Float64Array,
  slopes: readonly Float64Array[],
  weights: readonly number[],
): void => {
  const [a, b, c, d, e, f] = slopes as readonly [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  const [wa = 0, wb = 0, wc = 0, wd = 0, we = 0, wf = 0] = weights
  if (weights.length <= 2) {
    for (let i = 0; i < to.length; i++) to[i] = from[i] + (wa * a[i] + wb * b[i])
  } else if (weights.length <= 4) {
    for (let i = 0; i < to.length; i++) to[i] = from[i] + (wa * a[i] + wb * b[i] + (wc * c[i] + wd * d[i]))
  } else {
    for (let i = 0; i < to.length; i++) {
      to[i] = from[i] + (wa * a[i] + wb * b[i] + (wc * c[i] + wd * d[i]) + (we * e[i] + wf * f[i]))
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
  const [us, vs] = [ks.map(({ u }) => u), ks.map(({ v }) => v)]
  const scaled = (weights: readonly number[]): readonly number[] => weights.map((weight) => input.dt * weight)
  const stages = NODES.map(scaled)
  const weights = scaled(WEIGHTS)
  for (let step = 0; step < steps; step++) {
    for (const [j, of] of stages.entries()) {
      if (j > 0) {
        gather(stage.u, now.u, us, of)
        gather(stage.v, now.v, vs, of)
      }
      slopes(input, j === 0 ? now : stage, ks[j] as Fields)
    }
    gather(now.u, now.u, us, weights)
    gather(now.v, now.v, vs, weights)
  }
  return now
}
