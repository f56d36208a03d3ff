import { log, PI, TAU } from '#numerics/math.ts'
import type { Outcome, Progress } from '#numerics/runtime/solver.ts'
import { refuseEnds } from '#numerics/solvers/zeta/limits.ts'
import type { ZetaInput, ZetaOutput } from '#numerics/solvers/zeta/schema.ts'
import { theta } from './siegel.ts'
import { zerosFrom } from './zeros.ts'

/** Height below which zeta has no zero with positive ordinate, and above which the angle rises. */
export const BELOW_ALL = 10

/** Zeros that are to be reported, and the heights between which these are all. */
interface Found {
  readonly zeros: readonly number[]
  readonly first: number
  readonly lower: number
  readonly upper: number
  /** The zeros just outside. */
  readonly beside: readonly number[]
}

const firstZeros = (n: number, progress: Progress): Found => {
  const stream = zerosFrom(0)
  const zeros: number[] = []
  while (zeros.length < n) {
    zeros.push(stream.next())
    progress({ step: zeros.length, steps: n })
  }
  // The next one bounds the height up to which these are all.
  const upper = ((zeros[n - 1] ?? 0) + stream.next()) / 2
  return { zeros, first: 1, lower: 0, upper, beside: [] }
}

const zerosBetween = (lower: number, upper: number, progress: Progress): Found => {
  const stream = zerosFrom(lower)
  const expected = Math.max(1, Math.ceil((theta(Math.max(upper, BELOW_ALL)) - theta(Math.max(lower, BELOW_ALL))) / PI))
  const zeros: number[] = []
  let first = stream.number()
  let zero = stream.next()
  const beside: number[] = []
  while (zero < lower) {
    first++
    beside[0] = zero
    zero = stream.next()
  }
  while (zero <= upper) {
    zeros.push(zero)
    progress({ step: Math.min(zeros.length, expected), steps: expected + 1 })
    zero = stream.next()
  }
  progress({ step: expected + 1, steps: expected + 1 })
  return { zeros, first, lower, upper, beside: [...beside, zero] }
}

/** Distances of neighbours over the local mean. */
export const gapsOf = (zeros: ArrayLike<number>): Float64Array =>
  Float64Array.from({ length: Math.max(0, zeros.length - 1) }, (_, k) => {
    const [here, next] = [zeros[k] as number, zeros[k + 1] as number]
    return ((next - here) * log(here / TAU)) / TAU
  })

/** Finds and reports. @throws Fault ILL_POSED for a range whose ends are zeros, or that has none. */
export const solveZeta = (input: ZetaInput, progress: Progress): Outcome<ZetaOutput, null> => {
  const { mode, n, T1, T2 } = input
  const found = mode === 'first' ? firstZeros(n, progress) : zerosBetween(T1, T2, progress)
  const { zeros, first, lower, upper } = found
  refuseEnds(input, zeros, found.beside)
  const gaps = gapsOf(zeros)
  return {
    output: {
      mode,
      count: zeros.length,
      first,
      last: zeros[zeros.length - 1] ?? 0,
      lower,
      upper,
      countLower: first - 1,
      countUpper: first - 1 + zeros.length,
      // Zero k belongs between the Gram points k − 2 and k − 1.
      gramFailures: zeros.filter((zero, k) => Math.floor(theta(zero) / PI) !== first + k - 2).length,
      smallestGap: gaps.length === 0 ? 0 : gaps.reduce((least, it) => Math.min(least, it)),
      meanGap: gaps.length === 0 ? 0 : gaps.reduce((sum, it) => sum + it, 0) / gaps.length,
      zeros: Float64Array.from(zeros) as unknown as readonly number[],
    },
    evidence: null,
  }
}
