import { sqrt } from '#numerics/math.ts'
import { type Fields, restOf, rOf } from '#numerics/solvers/react/problem.ts'
import type { ReactEvidence, ReactInput, ReactOutput } from '#numerics/solvers/react/schema.ts'

/** Samples of the two means at most, the start included. */
const SAMPLES_MAX = 201

/** Steps after which the means are shown. */
export const sampledSteps = (steps: number): readonly number[] => {
  const count = Math.min(SAMPLES_MAX, steps + 1)
  return Array.from({ length: count }, (_, i) => Math.floor((steps * i) / (count - 1)))
}

/** Every member that only repeats or follows from the input. */
export const echoesOf = (input: ReactInput) => {
  const { model, n, dx, dt, steps } = input
  return { model, n, dx, dt, steps, time: dt * steps, r: rOf(input) } satisfies Partial<ReactOutput>
}

const sumOf = (values: ArrayLike<number>): number => {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]
  return sum
}

/** What is read off the fields. */
export const readingsOf = (input: ReactInput, u: ArrayLike<number>, v: ArrayLike<number>) => {
  const rest = restOf(input).u
  const cell = input.dx * input.dx
  let squares = 0
  for (let i = 0; i < u.length; i++) squares += (u[i] - rest) * (u[i] - rest)
  return { integralU: cell * sumOf(u), integralV: cell * sumOf(v), activity: sqrt(squares / u.length) }
}

/** The means at the sampled steps, from the sums that were kept. */
export const meansOf = ({ n, dt, steps }: ReactInput, totals: Float64Array) => {
  const at = sampledSteps(steps)
  const of = (which: number): Float64Array => Float64Array.from(at, (step) => totals[2 * step + which] / (n * n))
  return { times: Float64Array.from(at, (step) => step * dt), meanU: of(0), meanV: of(1) }
}

const sent = (values: Float64Array): readonly number[] => values as unknown as readonly number[]

/** The answer for the fields at the end of the run. */
export const reportOf = (input: ReactInput, { u, v }: Fields, { totals }: ReactEvidence): ReactOutput => {
  const { times, meanU, meanV } = meansOf(input, totals)
  return {
    ...echoesOf(input),
    ...readingsOf(input, u, v),
    times: sent(times),
    meanU: sent(meanU),
    meanV: sent(meanV),
    u: sent(u),
    v: sent(v),
  }
}
