import { assert } from '#core/assert.ts'
import { product, traceOf } from '#numerics/methods/linear/dense.ts'
import { spectralRadius } from '#numerics/methods/linear/eigenvalues.ts'
import { type System, systemOf } from '#numerics/solvers/kalman/problem.ts'
import type { KalmanInput, KalmanOutput } from '#numerics/solvers/kalman/schema.ts'
import { whitenessOf } from '#numerics/solvers/kalman/whiteness.ts'
import type { Filter } from './filter.ts'

/** The matrix that moves the error of the prediction on: A·(I − K·C). */
export const closedLoop = ({ n, m, A, C }: System, K: Float64Array): Float64Array => {
  const [kept, loop] = [new Float64Array(n * n), new Float64Array(n * n)]
  product(K, C, kept, { rows: n, inner: m, columns: n })
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) kept[i * n + j] = (i === j ? 1 : 0) - kept[i * n + j]
  product(A, kept, loop, { rows: n, inner: n, columns: n })
  return loop
}

const asSeries = (values: Float64Array): readonly number[] => values as unknown as readonly number[]

/** The answer of a filter that took all its measurements in. */
export const reportOf = (input: KalmanInput, filter: Filter): KalmanOutput => {
  const { model, states, observations, steps } = input
  assert(filter.traces.length === steps, 'a record has all steps')
  const { meanNis, nisSigmas, lagSigmas } = whitenessOf(filter.normalised, observations)
  return {
    model,
    states,
    observations,
    steps,
    settled: filter.settled(),
    traceP: traceOf(filter.predicted, states),
    closedLoopRadius: spectralRadius(closedLoop(systemOf(input), filter.gain), states),
    meanNis,
    nisSigmas,
    predicted: asSeries(filter.predicted.slice()),
    filtered: asSeries(filter.filtered.slice()),
    gain: asSeries(filter.gain.slice()),
    traces: asSeries(filter.traces),
    gains: asSeries(filter.gains),
    innovations: asSeries(filter.innovations),
    deviations: asSeries(filter.deviations),
    lagSigmas: asSeries(lagSigmas),
    estimate: asSeries(filter.estimate.slice()),
    truth: asSeries(filter.truth.slice()),
  }
}
