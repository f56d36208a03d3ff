import { assert } from '#core/assert.ts'
import { product, traceOf } from '#numerics/linear/dense.ts'
import { spectralRadius } from '#numerics/linear/eigenvalues.ts'
import type { Filter } from './run.ts'
import type { KalmanInput, KalmanOutput } from './schema.ts'
import { type System, systemOf } from './system.ts'
import { whitenessOf } from './whiteness.ts'

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
