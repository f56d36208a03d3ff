/** The kernel that goes the way of a reaction again, as plain loops: the same numbers in the same order. */

import type { Fields } from '#numerics/solvers/react/problem.ts'
import type { ReactInput } from '#numerics/solvers/react/schema.ts'

const STAGES = [
  [],
  [1 / 5],
  [3 / 40, 9 / 40],
  [44 / 45, -56 / 15, 32 / 9],
  [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
  [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
] as const
/** Of the slopes 1, 3, 4, 5 and 6. */
const WEIGHTS = [35 / 384, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84] as const

const slopesOf = (input: ReactInput, { u, v }: Fields): Fields => {
  const { n, dx, Du, Dv, F, k, rate, a, b, epsilon, current, model } = input
  const [alongU, alongV] = [Du / (dx * dx), Dv / (dx * dx)]
  const into: Fields = { u: new Float64Array(n * n), v: new Float64Array(n * n) }
  for (let i = 0; i < n * n; i++) {
    const column = i % n
    const row = (i - column) / n
    const spread = (values: Float64Array, weight: number): number => {
      const off = (r: number, c: number): number => values[((row + r + n) % n) * n + ((column + c + n) % n)] - values[i]
      return weight * (off(0, -1) + off(0, 1) + (off(-1, 0) + off(1, 0)))
    }
    const [U, V] = [u[i], v[i]]
    if (model === 'gray-scott') {
      const turned = U * V * V
      into.u[i] = spread(u, alongU) - turned + F * (1 - U)
      into.v[i] = spread(v, alongV) + turned - (F + k) * V
    } else {
      into.u[i] = spread(u, alongU) + rate * (U - (U * U * U) / 3 - V + current)
      into.v[i] = spread(v, alongV) + rate * epsilon * (U + a - b * V)
    }
  }
  return into
}

/** from + dt·(a·k₁ + b·k₂ + (c·k₃ + d·k₄) + e·k₅), as many as there are. */
const gathered = (from: Float64Array, ks: readonly Float64Array[], weights: readonly number[]): Float64Array =>
  from.map((value, i) => {
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = weights.map((weight, j) => weight * ks[j][i])
    if (weights.length <= 3) return value + (a + b + c)
    return value + (weights.length === 4 ? a + b + (c + d) : a + b + (c + d) + e)
  })

/** Both fields a step later. */
export const twinRetraced = (input: ReactInput, start: Fields): Fields => {
  const ks: Fields[] = []
  const after = (slopes: readonly Fields[], of: readonly number[]): Fields => {
    const weights = of.map((weight) => input.dt * weight)
    const along = (name: 'u' | 'v') =>
      gathered(
        start[name],
        slopes.map((it) => it[name]),
        weights,
      )
    return { u: along('u'), v: along('v') }
  }
  for (const of of STAGES) ks.push(slopesOf(input, after(ks, of)))
  const [one, , three, four, five, six] = ks as [Fields, Fields, Fields, Fields, Fields, Fields]
  return after([one, three, four, five, six], WEIGHTS)
}
