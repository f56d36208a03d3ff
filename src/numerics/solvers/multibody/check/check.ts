import { hypot, sqrt } from '#numerics/math.ts'
import { ERROR_PCT_MAX, type Outcome, type Reality } from '#numerics/runtime/solver.ts'
import {
  DRIFT_PCT_MAX,
  type MultibodyEvidence,
  type MultibodyInput,
  type MultibodyOutput,
} from '#numerics/solvers/multibody/schema.ts'
import { driftPct, lengthOf, type Measures, measure, type State, virialPct, weightedMean } from './measures.ts'
import { PAIRS_MIN, type PathErrors, pathErrors } from './path.ts'
import type { Attraction } from './recompute-motion.ts'

const same = (a: ArrayLike<number> | null, b: ArrayLike<number>): boolean => {
  if (a === null || a.length !== b.length) return false
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Whether two numbers that were summed in another order are one. */
const near = (a: number | null, b: number, scale: number): boolean => a !== null && Math.abs(a - b) <= 1e-11 * scale

/** The states of the evidence, or undefined when it has not the form that the input calls for. */
const statesOf = (input: MultibodyInput, { states, times }: MultibodyEvidence): readonly State[] | undefined => {
  const numbers = 6 * input.bodies.length
  if (times.length < 2 || states.length !== times.length * numbers) return undefined
  const all = Array.from(times, (_, k) => states.subarray(k * numbers, (k + 1) * numbers))
  const [first] = all
  const placed = input.bodies.every(({ position, velocity }, i) =>
    [0, 1, 2].every(
      (axis) =>
        first?.[3 * i + axis] === (position?.[axis] ?? 0) &&
        first?.[3 * (input.bodies.length + i) + axis] === (velocity?.[axis] ?? 0),
    ),
  )
  return placed ? all : undefined
}

/** States, and numbers in them, that are kept at most: as the solver's page has it. */
const KEPT_MAX = 2_000
const KEPT_NUMBERS_MAX = 240_000

/** Whether no state was left out that is to be kept: every law of the check is read at those alone. */
export const isDense = (input: MultibodyInput, times: Float64Array): boolean => {
  const steps = Math.max(1, Math.ceil(input.t_max / input.dt - 1e-9))
  const most = Math.max(1, Math.min(KEPT_MAX, Math.floor(KEPT_NUMBERS_MAX / (6 * input.bodies.length))))
  const every = Math.ceil(steps / most)
  const last = Math.ceil(steps / every)
  const due = (k: number): number => (Math.min(k * every, steps) / steps) * input.t_max
  return times.length === last + 1 && times.every((time, k) => near(time, due(k), input.t_max))
}

/** Whether an answer shows an even sample of the kept states: as many as asked for, from the first to the last. */
export const isEven = (samples: readonly number[], kept: number, outputs: number): boolean => {
  const last = kept - 1
  const every = Math.ceil(last / outputs)
  const before = samples[samples.length - 2] ?? 0
  const stepped = samples.every((k, i) => k === (i === samples.length - 1 ? last : i * every))
  return stepped && samples.length <= outputs + 1 && last - before < 2 * every
}

/** Whether every number of the answer repeats or follows from the input and the states. */
const echoes = (input: MultibodyInput, output: MultibodyOutput, seen: Seen): boolean => {
  const { states, times, measures, attraction } = seen
  const n = input.bodies.length
  const steps = Math.max(1, Math.ceil(input.t_max / input.dt - 1e-9))
  const last = states[states.length - 1] as State
  const samples = output.times === null ? [] : Array.from(output.times, (time) => times.indexOf(time))
  const rows = samples.flatMap((k) => (k < 0 ? [Number.NaN] : Array.from((states[k] as State).subarray(0, 3 * n))))
  const centre = weightedMean(last, attraction.masses, 0)
  const total = attraction.masses.reduce((sum, m) => sum + m, 0)
  const spread = attraction.masses.reduce((sum, m, i) => {
    const off = lengthOf([last[3 * i] - centre[0], last[3 * i + 1] - centre[1], last[3 * i + 2] - centre[2]])
    return sum + (m / total) * off * off
  }, 0)
  const scale = Math.max(...measures.map(({ kinetic, energy }) => kinetic + Math.abs(energy - kinetic)))
  const size = sqrt(spread)
  const first = measures[0] as Measures
  const end = measures[measures.length - 1] as Measures
  return (
    output.mode === 'gravity' &&
    output.n === n &&
    output.order === input.order &&
    output.steps === steps &&
    output.dt === input.t_max / steps &&
    near(output.t_max, input.t_max, input.t_max) &&
    near(times[times.length - 1], input.t_max, input.t_max) &&
    output.conservative &&
    output.conservationChecked &&
    output.energyDriftBoundPct === DRIFT_PCT_MAX &&
    output.phi === null &&
    output.phiRate === null &&
    near(output.initialEnergy, first.energy, scale) &&
    near(output.finalEnergy, end.energy, scale) &&
    near(output.energyDriftPct, seen.energyPct, (100 * scale) / Math.abs(first.energy)) &&
    near(output.size, size, size + hypot(hypot(centre[0], centre[1]), centre[2])) &&
    isDense(input, times) &&
    samples[0] === 0 &&
    isEven(samples, states.length, input.outputs) &&
    same(output.trajectory, rows) &&
    output.energies?.length === samples.length &&
    samples.every((k, i) => near(output.energies?.[i] ?? null, measures[k]?.energy ?? Number.NaN, scale)) &&
    same(output.positions, last.subarray(0, 3 * n)) &&
    same(output.velocities, last.subarray(3 * n))
  )
}

interface Seen {
  readonly states: readonly State[]
  readonly times: Float64Array
  readonly measures: readonly Measures[]
  readonly attraction: Attraction
  readonly energyPct: number
}

const LAWS = 'conservation of energy, momentum and angular momentum, the virial identity'
const AGAINST = `${LAWS}, and the whole run integrated again by extrapolation`

/** Pair evaluations that re-integration may cost, on those of the run. */
const BUDGET_SHARE = 0.5
/** Percent above which an error follows no order, so that a shorter run is the way out. */
const ORDERLY_PCT_MAX = 30

/** Where no step would do, the time up to which the run is within the bound. */
const wayOutOf = ({ pathPct, referencePct, horizon }: PathErrors): Pick<Reality, 'wayOut'> => {
  const orderly = pathPct <= ORDERLY_PCT_MAX && referencePct <= ERROR_PCT_MAX / 2
  if (orderly || !(horizon > 0)) return {}
  const why = 'Neighbouring orbits part so fast that the last digits of the start decide'
  return { wayOut: { suggestion: { t_max: horizon }, says: `${why}; up to t_max ${horizon} they do not.` } }
}

/** Largest departure of the energy from the first state's, in percent; NaN when any of them has none. */
export const energyDriftPct = (measures: readonly Pick<Measures, 'energy'>[]): number => {
  const start = measures[0]?.energy ?? Number.NaN
  return measures.reduce((worst, { energy }) => Math.max(worst, (100 * Math.abs(energy - start)) / Math.abs(start)), 0)
}

/**
 * Checks a run under gravity. The error is the largest of: energy drift, drift of momentum and of angular momentum on
 * the scales of Σ m|v| and Σ m|r × v|, the virial identity where the states are dense enough for Simpson's rule, and
 * segments integrated again from kept states. A drift of the energy above the bound is told as such.
 *
 * @param stages force evaluations of a step, for the budget.
 */
export const checkMultibody = (
  input: MultibodyInput,
  { output, evidence }: Outcome<MultibodyOutput, MultibodyEvidence | null>,
  stages: number,
): Reality => {
  const attraction: Attraction = {
    masses: Float64Array.from(input.bodies, ({ mass }) => mass),
    G: input.G,
    softening: input.softening,
  }
  const broken: Reality = {
    against: AGAINST,
    errorPct: 100,
    figures: { echo_wrong: 1, dt: output.dt, t_max: input.t_max },
  }
  const states = evidence === null ? undefined : statesOf(input, evidence)
  if (states === undefined || evidence === null) return broken
  const { times } = evidence
  const measures = states.map((state) => measure(state, attraction))
  const energyPct = energyDriftPct(measures)
  const time = { dt: output.dt, t_max: input.t_max }
  if (!(energyPct <= DRIFT_PCT_MAX)) {
    return { against: AGAINST, errorPct: energyPct, refusal: 'ENERGY_NOT_CONSERVED', figures: time }
  }
  if (!echoes(input, output, { states, times, measures, attraction, energyPct })) return broken
  const momentumPct = driftPct(
    measures,
    (it) => it.momentum,
    (it) => it.momentumScale,
  )
  const angularPct = driftPct(
    measures,
    (it) => it.angular,
    (it) => it.angularScale,
  )
  const virial = virialPct(measures, times)
  const n = input.bodies.length
  const budget = Math.max(PAIRS_MIN, (BUDGET_SHARE * output.steps * stages * n * (n - 1)) / 2)
  const path = pathErrors({ states, times }, attraction, budget)
  const errorsPct = [energyPct, momentumPct, angularPct, virial ?? 0, path.pathPct + path.referencePct]
  return {
    against: AGAINST,
    errorPct: Math.max(...errorsPct),
    figures: {
      energy_pct: energyPct,
      momentum_pct: momentumPct,
      angular_momentum_pct: angularPct,
      ...(virial === undefined ? {} : { virial_pct: virial }),
      path_pct: path.pathPct,
      reference_pct: path.referencePct,
      ...time,
    },
    ...wayOutOf(path),
  }
}
