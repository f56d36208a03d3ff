import { littleEndianBytes } from '#core/arrays.ts'
import { concat } from '#core/bytes.ts'
import { expm1, log } from '#numerics/math.ts'
import { compositionOf } from '#numerics/methods/compositions.ts'
import { dopri8 } from '#numerics/methods/ode/dopri8.ts'
import { createIntegrator } from '#numerics/methods/ode/integrator.ts'
import { asSeries, createRecorder, timesOf } from '#numerics/methods/ode/record.ts'
import { zeroBetween } from '#numerics/methods/ode/zero.ts'
import type { Advancing } from '#numerics/runtime/course.ts'
import { journalOf, type RunOrigin } from '#numerics/runtime/origin.ts'
import { type Cycle, cycleOf, driftPctOf, populationOf } from '#numerics/solvers/lotka/cycle.ts'
import { isAtRest, reachOf, substepsOf } from '#numerics/solvers/lotka/limits.ts'
import type { LotkaInput, LotkaOutput } from '#numerics/solvers/lotka/schema.ts'

/** Error of a step in the logarithm of a population: its relative error. */
const TOLERANCE = 1e-13
/** Steps of DOPRI8 in one interval between outputs. */
const STEPS_MAX = 500_000

/** Takes (s, w) over one interval; tells each time at which s rises through zero. */
type Stretch = (state: Float64Array, from: number, to: number, risen: (t: number) => void) => void

const bySteps = ({ alpha, gamma }: LotkaInput, cycle: Cycle): Stretch => {
  const reach = Math.min(1, reachOf(cycle))
  const it = createIntegrator(
    dopri8,
    (_, y, rate) => {
      rate[0] = -alpha * expm1(y[1])
      rate[1] = gamma * expm1(y[0])
    },
    2,
    { relative: TOLERANCE, absolute: TOLERANCE * reach, stepsMax: STEPS_MAX },
  )
  const out = new Float64Array(2)
  const sAt = (t: number): number => {
    it.at(t, out)
    return out[0]
  }
  return (state, from, to, risen) => {
    it.begin(from, state, to)
    let before = state[0]
    while (it.t() !== to) {
      it.step()
      const now = it.y[0]
      if (before < 0 && now >= 0) risen(zeroBetween(sAt, it.from(), it.t()))
      before = now
    }
    state.set(it.y)
  }
}

/** One step of length h: kicks of w by s and drifts of s by w, composed to order 8. */
const createMap = ({ alpha, gamma }: LotkaInput): ((state: Float64Array, h: number) => void) => {
  const weights = compositionOf(8)
  return (state, h) => {
    let s = state[0]
    let w = state[1]
    for (let stage = 0; stage < weights.length; stage++) {
      const part = weights[stage] * h
      w += (part / 2) * gamma * expm1(s)
      s -= part * alpha * expm1(w)
      w += (part / 2) * gamma * expm1(s)
    }
    state[0] = s
    state[1] = w
  }
}

const bySymplectic = (input: LotkaInput): Stretch => {
  const substeps = substepsOf(input)
  const map = createMap(input)
  const before = new Float64Array(2)
  const trial = new Float64Array(2)
  return (state, from, to, risen) => {
    const h = (to - from) / substeps
    const sAfter = (span: number): number => {
      trial.set(before)
      map(trial, span)
      return trial[0]
    }
    for (let k = 0; k < substeps; k++) {
      before.set(state)
      map(state, h)
      if (before[0] < 0 && state[0] >= 0) risen(from + k * h + zeroBetween(sAfter, 0, h))
    }
  }
}

const still: Stretch = () => undefined

/** Prey and predators on their way. */
export interface LotkaMotion extends Advancing {
  /** s, w, the rises told so far (count, first, last), and the hash of the answers so far. */
  readonly bytes: () => Uint8Array
  readonly output: () => LotkaOutput
}

const stretchOf = (input: LotkaInput, cycle: Cycle): Stretch => {
  if (isAtRest(cycle)) return still
  return input.method === 'dopri8' ? bySteps(input, cycle) : bySymplectic(input)
}

/** A course from its start or where one stopped. Each interval begins afresh from s and w. */
export const createLotka = (input: LotkaInput, origin: RunOrigin = {}): LotkaMotion => {
  const { x0, y0, outputs, t_max, alpha, beta, gamma, delta } = input
  const cycle = cycleOf(input)
  const stretch = stretchOf(input, cycle)
  const journal = journalOf(origin)
  const { held, step } = journal
  const state = held?.doubles(2) ?? Float64Array.of(cycle.s, cycle.w)
  /** Rises so far: how many, the first and the last. */
  const rises = held?.doubles(3) ?? new Float64Array(3)
  const times = timesOf(t_max, outputs)
  const record = createRecorder(journal, { rows: outputs + 1, size: 2, before: held === undefined ? 0 : step + 1 })
  if (held === undefined) record.keep([x0, y0])
  else
    journal.taken((tape) => {
      for (let k = 0; k <= step; k++) record.keep(tape.doubles(2))
    })
  const risen = (t: number): void => {
    if (rises[0] === 0) rises[1] = t
    rises[0]++
    rises[2] = t
  }
  return {
    advance: (from, to, each) => {
      for (let k = from; k < to; k++) {
        stretch(state, times[k], times[k + 1], risen)
        const resting = stretch === still
        const prey = resting ? x0 : populationOf(cycle.prey, state[0])
        record.keep([prey, resting ? y0 : populationOf(cycle.predators, state[1])])
        each(k + 1)
      }
    },
    bytes: () => concat(littleEndianBytes(Float64Array.of(...state, ...rises)), record.bytes()),
    output: () => {
      const cycles = Math.max(0, rises[0] - 1)
      const [prey, predators] = [record.column(0), record.column(1)]
      return {
        method: input.method,
        t_max: input.t_max,
        preyEnd: prey[outputs],
        predatorsEnd: predators[outputs],
        preyEquilibrium: cycle.prey,
        predatorsEquilibrium: cycle.predators,
        invariant: delta * x0 - gamma * log(x0) + beta * y0 - alpha * log(y0),
        invariantExcess: cycle.height,
        invariantDriftPct: driftPctOf(input, cycle, { prey, predators }),
        period: cycles > 0 ? (rises[2] - rises[1]) / cycles : null,
        cycles,
        times: asSeries(times),
        prey: asSeries(prey),
        predators: asSeries(predators),
      }
    },
  }
}
