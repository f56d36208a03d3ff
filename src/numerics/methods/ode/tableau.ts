/** Weights of some stages, the others being zero. */
export interface StageWeights {
  readonly at: Int32Array
  readonly by: Float64Array
}

/** A row from the numbers of its stages and their weights. */
export const rowOf = (at: readonly number[], by: readonly number[]): StageWeights => ({
  at: Int32Array.from(at),
  by: Float64Array.from(by),
})

/**
 * An explicit Runge–Kutta pair. The derivative at the end of a step counts as one more stage (number `nodes.length`)
 * and is the first of the next step; the stages of the interpolant follow it.
 */
export interface Tableau {
  /** Places of the stages in the step; the first is 0. */
  readonly nodes: readonly number[]
  /** Weights of the second and later stages. */
  readonly stages: readonly StageWeights[]
  /** Weights of the end value. */
  readonly end: StageWeights
  readonly extraNodes: readonly number[]
  readonly extra: readonly StageWeights[]
  /** Weights of the error estimate; of two (order 5, then 3) the second damps the first, as in dop853.f. */
  readonly errors: readonly StageWeights[]
  /** Weights of the terms of the interpolant beyond the cubic Hermite one. */
  readonly dense: readonly StageWeights[]
  /** One over the order by which the step follows the error. */
  readonly exponent: number
}
