import type { Composed } from '#numerics/solvers/action/run/motion.ts'

const { sqrt } = Math

const pullAt = (x: number, y: number, mu: number): number => {
  const square = x * x + y * y
  return -mu / (square * sqrt(square))
}

/** Steps of a composition about a centre, in place. @param state x, y, u, v. */
export const twinCompose = (state: Float64Array, mu: number, steps: number, { kicks, drifts }: Composed): void => {
  const kick = (by: number): void => {
    const pull = by * pullAt(state[0], state[1], mu)
    state[2] += pull * state[0]
    state[3] += pull * state[1]
  }
  for (let step = 0; step < steps; step++) {
    for (let i = 0; i < drifts.length; i++) {
      kick(kicks[i])
      state[0] += drifts[i] * state[2]
      state[1] += drifts[i] * state[3]
    }
    kick(kicks[drifts.length])
  }
}

/** Steps of RK4 about a centre, in place. */
export const twinRk4 = (state: Float64Array, mu: number, steps: number, h: number): void => {
  const rateAt = (s: Float64Array): Float64Array => {
    const pull = pullAt(s[0], s[1], mu)
    return Float64Array.of(s[2], s[3], pull * s[0], pull * s[1])
  }
  const moved = (rate: Float64Array, by: number): Float64Array => state.map((value, i) => value + by * rate[i])
  for (let step = 0; step < steps; step++) {
    const a = rateAt(state)
    const b = rateAt(moved(a, h / 2))
    const c = rateAt(moved(b, h / 2))
    const d = rateAt(moved(c, h))
    for (let i = 0; i < 4; i++) state[i] += (h / 6) * (a[i] + 2 * (b[i] + c[i]) + d[i])
  }
}
