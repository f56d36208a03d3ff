import { littleEndianBytes } from '#core/arrays.ts'
import { concat } from '#core/bytes.ts'
import { exp } from '#numerics/math.ts'
import { dopri5 } from '#numerics/methods/ode/dopri5.ts'
import { dopri8 } from '#numerics/methods/ode/dopri8.ts'
import { createIntegrator, type Integrator } from '#numerics/methods/ode/integrator.ts'
import { asSeries, createRecorder, timesOf } from '#numerics/methods/ode/record.ts'
import { zeroBetween } from '#numerics/methods/ode/zero.ts'
import type { Advancing } from '#numerics/runtime/course.ts'
import { journalOf, type RunOrigin } from '#numerics/runtime/origin.ts'
import { type Compartments, finalSizeOf, invariantDriftPctOf, startOf } from '#numerics/solvers/epi/problem.ts'
import type { EpiInput, EpiOutput } from '#numerics/solvers/epi/schema.ts'

/** Error of a step: of ln S, and relative of the others. */
const TOLERANCE = 1e-12
/** Share of the first infected below which a class is as good as empty. */
const EMPTY = 1e-4
/** Steps of one interval between outputs. */
const STEPS_MAX = 400_000
const SIZE = 5

/** w = ln(S/S_0), then E, I, R, V as shares of N. */
const integratorOf = (input: EpiInput, start: Compartments): Integrator => {
  const { beta, gamma, N, model, vaccination } = input
  const sigma = model === 'SEIR' ? input.sigma : 0
  const latent = model === 'SEIR' ? 1 : 0
  const share = start.S / N
  const nu = vaccination.rate
  const infected = (start.E + start.I) / N
  const floor = infected > 0 ? EMPTY * TOLERANCE * infected : TOLERANCE
  const method = input.method === 'dopri5' ? dopri5 : dopri8
  return createIntegrator(
    method,
    (_, y, rate) => {
      const force = beta * y[2]
      const susceptible = share * exp(y[0])
      const arrivals = force * susceptible
      const onset = latent === 1 ? sigma * y[1] : arrivals
      rate[0] = -force - nu
      rate[1] = latent * (arrivals - onset)
      rate[2] = onset - gamma * y[2]
      rate[3] = gamma * y[2]
      rate[4] = nu * susceptible
    },
    SIZE,
    {
      relative: TOLERANCE,
      absolute: Float64Array.of(TOLERANCE, floor, floor, TOLERANCE * infected + floor, TOLERANCE),
      stepsMax: STEPS_MAX,
    },
  )
}

/** Rate of change of the infectious at a state, by its sign. */
const risingOf = ({ model, beta, gamma, sigma, N }: EpiInput, { S }: Compartments) => {
  const share = S / N
  return (y: Float64Array): number => (model === 'SEIR' ? sigma * y[1] : beta * y[2] * share * exp(y[0])) - gamma * y[2]
}

/** An epidemic on its way. */
export interface EpiMotion extends Advancing {
  /** The state, the peak so far and its time, and the hash of the answers so far. */
  readonly bytes: () => Uint8Array
  readonly output: () => EpiOutput
}

interface Parts {
  readonly times: Float64Array
  readonly columns: readonly Float64Array[]
  readonly peak: Float64Array
}

const reportOf = (input: EpiInput, start: Compartments, { times, columns, peak }: Parts): EpiOutput => {
  const { beta, gamma, N, model, t_max, outputs } = input
  const [S, E, I, R, V] = columns as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]
  const courses = { susceptible: asSeries(S), exposed: asSeries(E), infectious: asSeries(I) }
  return {
    model,
    N,
    t_max,
    reproductionNumber: gamma > 0 ? beta / gamma : null,
    herdImmunityThreshold: beta > 0 ? Math.max(0, 1 - gamma / beta) : null,
    susceptibleEnd: S[outputs],
    exposedEnd: E[outputs],
    infectiousEnd: I[outputs],
    recoveredEnd: R[outputs],
    vaccinatedEnd: V[outputs],
    attackRate: (E[outputs] - start.E + (I[outputs] - start.I) + (R[outputs] - start.R)) / N,
    susceptibleLimit: finalSizeOf(input) ?? null,
    peakInfectious: peak[0],
    peakTime: peak[1],
    invariantDriftPct: invariantDriftPctOf(input, courses),
    times: asSeries(times),
    ...courses,
    recovered: asSeries(R),
    vaccinated: asSeries(V),
  }
}

/** An epidemic from its start or where one stopped. Each interval begins afresh from the state. */
export const createEpi = (input: EpiInput, origin: RunOrigin = {}): EpiMotion => {
  const { N, outputs, t_max } = input
  const start = startOf(input)
  const it = integratorOf(input, start)
  const rising = risingOf(input, start)
  const journal = journalOf(origin)
  const { held, step } = journal
  const state = held?.doubles(SIZE) ?? Float64Array.of(0, start.E / N, start.I / N, start.R / N, start.V / N)
  const times = timesOf(t_max, outputs)
  /** The most infectious so far, and when. */
  const peak = held?.doubles(2) ?? Float64Array.of(start.I, 0)
  const record = createRecorder(journal, { rows: outputs + 1, size: SIZE, before: held === undefined ? 0 : step + 1 })
  if (held === undefined) record.keep([start.S, start.E, start.I, start.R, start.V])
  else
    journal.taken((tape) => {
      for (let k = 0; k <= step; k++) record.keep(tape.doubles(SIZE))
    })
  const out = new Float64Array(SIZE)
  const risingAt = (t: number): number => {
    it.at(t, out)
    return rising(out)
  }
  const seen = (infectious: number, t: number): void => {
    if (infectious <= peak[0]) return
    peak[0] = infectious
    peak[1] = t
  }
  const stretch = (from: number, to: number): void => {
    it.begin(from, state, to)
    let before = rising(it.y)
    while (it.t() !== to) {
      it.step()
      const now = rising(it.y)
      if (before > 0 && now <= 0) {
        const t = zeroBetween(risingAt, it.from(), it.t())
        it.at(t, out)
        seen(N * out[2], t)
      }
      before = now
    }
    state.set(it.y)
    seen(N * state[2], to)
  }
  return {
    advance: (from, to, each) => {
      for (let k = from; k < to; k++) {
        stretch(times[k], times[k + 1])
        record.keep([start.S * exp(state[0]), N * state[1], N * state[2], N * state[3], N * state[4]])
        each(k + 1)
      }
    },
    bytes: () => concat(littleEndianBytes(Float64Array.of(...state, ...peak)), record.bytes()),
    output: () => reportOf(input, start, { times, peak, columns: [0, 1, 2, 3, 4].map((c) => record.column(c)) }),
  }
}
