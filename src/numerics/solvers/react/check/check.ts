import { Fault } from '#core/fault.ts'
import { sqrt } from '#numerics/math.ts'
import { distanceOf, localErrorOf } from '#numerics/methods/fields.ts'
import type { Outcome, Reality } from '#numerics/runtime/solver.ts'
import { createLattice } from '#numerics/solvers/react/lattice.ts'
import { SIGNAL_MIN } from '#numerics/solvers/react/limits.ts'
import { type Fields, keptOf, restOf, startOf } from '#numerics/solvers/react/problem.ts'
import type { ReactEvidence, ReactInput, ReactOutput } from '#numerics/solvers/react/schema.ts'
import { isStartOf } from './recompute-problem.ts'
import { meansHold, type Recomputed, recomputeR, recomputeReadings, repeatsInput, rests } from './recompute-readings.ts'
import { referenceReaction } from './reference.ts'

/** What recomputing a number from the fields that were sent may differ by. */
const ROUNDING = 1e-11

/** Where the stability of the method ends on the negative axis: −dt times the fastest rate. */
const STABLE_MAX = 2.78

/** dt times the fastest decay on the lattice: of its roughest mode, and of the reaction (of u near ±2, or of v). */
const stiffnessOf = (input: ReactInput): number =>
  8 * recomputeR(input) + input.dt * (input.model === 'gray-scott' ? input.F + input.k : 3 * input.rate)

const AGAINST = 'the whole run at half the step by a method of fifth order, and the budget of what is fed and taken out'

/** The outcome of a run with the start that its input states. */
type Finished = Outcome<ReactOutput, ReactEvidence> & { readonly start: Fields }

/** States of the run by their step: the start from the input, the end from the answer, the others from the evidence. */
const statesOf = (input: ReactInput, { output, evidence, start }: Finished) => {
  const size = input.n * input.n
  const kept = keptOf(input.steps)
  return (step: number): Fields => {
    if (step === 0) return start
    if (step === input.steps) return { u: Float64Array.from(output.u), v: Float64Array.from(output.v) }
    const at = 2 * size * kept.indexOf(step)
    return { u: evidence.states.subarray(at, at + size), v: evidence.states.subarray(at + size, at + 2 * size) }
  }
}

/** Whether every member that only repeats or follows from the input does so, and the arrays have their lengths. */
const echoes = (input: ReactInput, { output, evidence, start }: Finished): boolean => {
  const size = input.n * input.n
  return (
    isStartOf(input, start) &&
    rests(input, restOf(input)) &&
    repeatsInput(input, output) &&
    output.u.length === size &&
    output.v.length === size &&
    evidence.totals.length === 2 * (input.steps + 1) &&
    evidence.states.length === 2 * size * keptOf(input.steps).length &&
    meansHold(input, output, evidence.totals)
  )
}

/** Root of the sum of squares of a field's deviation from rest, and the largest. */
const deviationOf = (values: ArrayLike<number>, rest: number): { readonly norm: number; readonly largest: number } => {
  let [norm, largest] = [0, 0]
  for (let i = 0; i < values.length; i++) {
    const off = values[i] - rest
    norm += off * off
    largest = Math.max(largest, Math.abs(off))
  }
  return { norm: sqrt(norm), largest }
}

/** How far a state is from where the check arrives, per field, on the scale of the deviation from rest. */
const stateError = (input: ReactInput, found: Fields, due: Fields) => {
  const rest = restOf(input)
  const partOf = (name: 'u' | 'v') => {
    const { norm, largest } = deviationOf(due[name], rest[name])
    return {
      relative: distanceOf(found[name], due[name]).error / norm,
      largest,
      local: localErrorOf(found[name], due[name], { columns: input.n, beyond: 'ring' }),
    }
  }
  const [u, v] = [partOf('u'), partOf('v')]
  return {
    error: Math.max(u.relative, v.relative),
    local: Math.max(u.local / u.largest, v.local / v.largest),
    signal: v.largest,
  }
}

/** ∫ over the whole run by Simpson's rule, its 3/8 form on the last three intervals of an odd number of them. */
const simpson = (values: Float64Array, h: number): number => {
  const n = values.length - 1
  if (n === 1) return (h * (values[0] + values[1])) / 2
  const even = n % 2 === 0 ? n : n - 3
  let sum = 0
  for (let i = 0; i < even; i += 2) sum += (h * (values[i] + 4 * values[i + 1] + values[i + 2])) / 3
  if (even === n) return sum
  return sum + ((3 * h) / 8) * (values[even] + 3 * values[even + 1] + 3 * values[even + 2] + values[n])
}

/**
 * The budget over the whole run, on the scale of what flowed: Gray–Scott Σ(u + v) against what F feeds and F + k takes
 * out, FitzHugh–Nagumo Σv against its linear recovery. Diffusion and the reaction cancel in it.
 */
const budgetPct = (input: ReactInput, totals: Float64Array): number => {
  const { n, dt, steps, F, k, rate, epsilon, a, b } = input
  const size = n * n
  const gray = input.model === 'gray-scott'
  const of = (term: (u: number, v: number) => number): Float64Array =>
    Float64Array.from({ length: steps + 1 }, (_, i) => term(totals[2 * i], totals[2 * i + 1]))
  const stock = of((u, v) => (gray ? u + v : v))
  const flow = of((u, v) => (gray ? F * (size - u) - (F + k) * v : rate * epsilon * (u + a * size - b * v)))
  const turned = of((u, v) =>
    gray
      ? Math.abs(F * (size - u)) + Math.abs((F + k) * v)
      : rate * epsilon * (Math.abs(u) + Math.abs(a * size - b * v)),
  )
  const scale = simpson(turned, dt)
  const change = stock[steps] - stock[0]
  const off = Math.abs(change - simpson(flow, dt))
  return scale > 0 ? (100 * off) / scale : off > ROUNDING * size ? 100 : 0
}

/** The same run at twice the step, or undefined where that is not stable or does not fit. */
const atTwiceTheStep = (input: ReactInput): ReactInput | undefined =>
  input.steps % 2 !== 0 || 2 * stiffnessOf(input) > STABLE_MAX
    ? undefined
    : { ...input, dt: 2 * input.dt, steps: input.steps / 2 }

const endOf = (input: ReactInput, start: Fields): Fields => {
  const lattice = createLattice(input, start)
  lattice.advance(0, input.steps, () => undefined)
  return lattice.fields()
}

/**
 * How far a run on every other node is from this one: what the lattice is away from the continuum. Not gated, and so at
 * twice the step where that is stable.
 */
const coarsePct = (input: ReactInput, { output: { u, v }, start }: Finished): number => {
  const n = input.n / 2
  if (!Number.isInteger(n) || n < 8) return Number.NaN
  const thin = (values: ArrayLike<number>): Float64Array => {
    const thinned = new Float64Array(n * n)
    for (let row = 0; row < n; row++) {
      for (let column = 0; column < n; column++) thinned[row * n + column] = values[2 * (row * input.n + column)]
    }
    return thinned
  }
  const half = { ...input, n, dx: 2 * input.dx }
  const rest = restOf(input)
  const found = endOf(atTwiceTheStep(half) ?? half, { u: thin(start.u), v: thin(start.v) })
  const gray = input.model === 'gray-scott'
  const [mine, still] = gray ? [found.v, rest.v] : [found.u, rest.u]
  const due = thin(gray ? v : u)
  return (100 * distanceOf(mine, due).error) / deviationOf(due, still).norm
}

const readingsPct = (output: ReactOutput, due: Recomputed): number => {
  const off = [
    (output.integralU - due.integralU) / due.sizeU,
    (output.integralV - due.integralV) / due.sizeV,
    (output.activity - due.activity) / due.activity,
  ].map(Math.abs)
  return 100 * off.reduce((most, it) => Math.max(most, it <= ROUNDING ? 0 : it), 0)
}

/** How far the numbers read off the end are from those of the check's own end. */
const endPct = (output: ReactOutput, due: Recomputed): number => {
  const off = [
    output.integralU / due.integralU - 1,
    output.integralV / due.integralV - 1,
    output.activity / due.activity - 1,
  ]
  return 100 * Math.max(...off.map(Math.abs))
}

/** Steps of the reference in one of the run: where errors grow, a reference at the run's step grows the same ones. */
const REFINED = 2

/** The way from the start to the end once more: errors at each kept state and at the end, and the end arrived at. */
const goAgain = (input: ReactInput, outcome: Finished) => {
  const again = referenceReaction({ ...input, dt: input.dt / REFINED })
  const stateAt = statesOf(input, outcome)
  let due = outcome.start
  let from = 0
  const errors = [...new Set([...keptOf(input.steps), input.steps])].map((to) => {
    due = again(due, REFINED * (to - from))
    from = to
    return stateError(input, stateAt(to), due)
  })
  return { errors, end: due }
}

/**
 * Checks a run on the lattice: the whole of it integrated anew, single nodes of the end that stand out, the budget of
 * the sums after every step, and the numbers read off the fields.
 *
 * @throws Fault ILL_POSED when everything has come to rest.
 */
export const checkReact = (input: ReactInput, ended: Outcome<ReactOutput, ReactEvidence>): Reality => {
  const outcome: Finished = { ...ended, start: startOf(input) }
  if (!echoes(input, outcome)) return { against: AGAINST, errorPct: 100, figures: { echo_wrong: 1 } }
  const { output, evidence } = outcome
  const { errors, end } = goAgain(input, outcome)
  const last = errors.at(-1)
  if (last !== undefined && last.signal <= SIGNAL_MIN) {
    throw new Fault('ILL_POSED', 'Everything has come to rest: nothing is left to measure an error against.', {
      measured: last.signal,
      limit: SIGNAL_MIN,
    })
  }
  const coursePct = 100 * errors.reduce((most, { error }) => (error <= most ? most : error), 0)
  // The sums at the end are those of the fields that were sent.
  const cell = input.dx * input.dx
  const due = recomputeReadings(input, output.u, output.v, restOf(input).u)
  const size = input.n * input.n
  const sums = [
    due.integralU / cell - evidence.totals[2 * input.steps],
    due.integralV / cell - evidence.totals[2 * input.steps + 1],
  ]
  const sumsPct = (100 * Math.max(...sums.map(Math.abs))) / size
  const budget = budgetPct(input, evidence.totals)
  const readPct = endPct(output, recomputeReadings(input, end.u, end.v, restOf(input).u))
  const localPct = 100 * (last?.local ?? Number.NaN)
  const errorsPct = [coursePct, readPct, budget, localPct, sumsPct <= 1e-8 ? 0 : 100, readingsPct(output, due)]
  const broken = errorsPct.some((error) => !Number.isFinite(error))
  return {
    against: AGAINST,
    errorPct: broken ? Number.NaN : Math.max(...errorsPct),
    figures: {
      course_pct: coursePct,
      readings_pct: readPct,
      budget_pct: budget,
      local_pct: localPct,
      half_lattice_pct: coarsePct(input, outcome),
      dt: input.dt,
    },
  }
}
