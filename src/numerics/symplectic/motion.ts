/**
 * A system in its own loops. A state is (x, y, u, v): two places and their rates; the pendulum's y and v stay zero. No
 * two systems share a loop, so that each compiles to straight arithmetic.
 */
export interface Motion {
  /**
   * Takes steps of a composition in place: kicks of the rates and drifts of the places in turn, kicks[0], drifts[0], …,
   * kicks[stages]. The force at the end of a step is that of the next step's first kick.
   */
  compose(state: Float64Array, steps: number, by: Composed): void
  /** Takes steps of length h of the classical Runge–Kutta method of order 4 in place. */
  rk4(state: Float64Array, steps: number, h: number): void
}

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
