/**
 * A system in its own loops: a composition and, beside it, RK4. A pair is both their states, (x, y, u, v) each: two
 * places and their rates; the pendulum's y and v stay zero. No two systems share a loop, so that each compiles to
 * straight arithmetic.
 */
export type Motion = (pair: Float64Array, composition: Composition, rk4: Rk4) => void

/**
 * Steps of a composition: kicks of the rates and drifts of the places in turn, kicks[0], drifts[0], …, kicks[stages].
 * The force at the end of a step is that of the next step's first kick.
 */
export interface Composition {
  readonly steps: number
  readonly by: Composed
}

/** Steps of length h of the classical Runge–Kutta method of order 4. */
export interface Rk4 {
  readonly steps: number
  readonly h: number
}

/** No step of RK4. */
export const NO_RK4: Rk4 = { steps: 0, h: 0 }

/** Lengths of the kicks and drifts of one step. */
export interface Composed {
  readonly kicks: Float64Array
  readonly drifts: Float64Array
}

/** The kicks and drifts of a composition of kick–drift–kick steps with these weights over a step of length h. */
export const composedOf = (weights: Float64Array, h: number): Composed => {
  const stages = weights.length
  const kicks = new Float64Array(stages + 1)
  for (let i = 0; i <= stages; i++) {
    const before = i === 0 ? 0 : weights[i - 1]
    const after = i === stages ? 0 : weights[i]
    kicks[i] = ((before + after) * h) / 2
  }
  return { kicks, drifts: weights.map((weight) => weight * h) }
}
