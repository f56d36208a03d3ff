/** The reaction kernel's step as plain loops: the same numbers in the same order, without lanes or ghosts. */

import { reactionOf } from '#numerics/solvers/react/lattice.ts'
import type { Fields } from '#numerics/solvers/react/problem.ts'
import type { ReactInput } from '#numerics/solvers/react/schema.ts'

const slopeOf = (input: ReactInput, { u, v }: Fields): Fields => {
  const { n, dx, Du, Dv, model } = input
  const [p0, p1, p2, p3, p4] = reactionOf(input) as readonly [number, number, number, number, number]
  const spread = (values: Float64Array, i: number, weight: number): number => {
    const column = i % n
    const row = (i - column) / n
    const at = (r: number, c: number): number => values[((row + r + n) % n) * n + ((column + c + n) % n)]
    return weight * (at(0, -1) + at(0, 1) + (at(-1, 0) + at(1, 0)) - 4 * at(0, 0))
  }
  const k: Fields = { u: new Float64Array(n * n), v: new Float64Array(n * n) }
  for (let i = 0; i < n * n; i++) {
    const [U, V] = [u[i], v[i]]
    const [su, sv] = [spread(u, i, Du / (dx * dx)), spread(v, i, Dv / (dx * dx))]
    if (model === 'gray-scott') {
      const uvv = U * (V * V)
      k.u[i] = su - uvv + p0 * (1 - U)
      k.v[i] = sv + uvv - p1 * V
    } else {
      k.u[i] = su + p0 * (U - (1 / 3) * (U * (U * U)) - V) + p1
      k.v[i] = sv + (p2 * U + p3 - p4 * V)
    }
  }
  return k
}

/** Both fields a step later. */
export const twinStep = (input: ReactInput, base: Fields): Fields => {
  const { dt } = input
  const plus = (from: Fields, k: Fields, weight: number): Fields => ({
    u: from.u.map((value, i) => value + weight * k.u[i]),
    v: from.v.map((value, i) => value + weight * k.v[i]),
  })
  let k = slopeOf(input, base)
  let sum = plus(base, k, dt / 6)
  let stage = plus(base, k, dt / 2)
  for (const weight of [dt / 2, dt]) {
    k = slopeOf(input, stage)
    sum = plus(sum, k, dt / 3)
    stage = plus(base, k, weight)
  }
  return plus(sum, slopeOf(input, stage), dt / 6)
}

/** The sum of a field as the kernel takes it: even and odd columns apart, an odd last column by itself. */
export const twinTotal = (values: Float64Array, n: number): number => {
  let [even, odd, last] = [0, 0, 0]
  for (let i = 0; i < values.length; i++) {
    const column = i % n
    if (n % 2 === 1 && column === n - 1) last += values[i]
    else if (column % 2 === 0) even += values[i]
    else odd += values[i]
  }
  return even + odd + last
}
