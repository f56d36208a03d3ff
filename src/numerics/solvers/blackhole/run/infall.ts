import { sqrt, TAU } from '#numerics/math.ts'
import { dopri8 } from '#numerics/methods/ode/dopri8.ts'
import { createIntegrator, type Derivative, type Integrator } from '#numerics/methods/ode/integrator.ts'
import { asSeries } from '#numerics/methods/ode/record.ts'
import { zeroBetween } from '#numerics/methods/ode/zero.ts'
import type { Outcome, Progress } from '#numerics/runtime/solver.ts'
import { driftsOf, invariantsOf } from '#numerics/solvers/blackhole/drifts.ts'
import { holeOf, unitsOf } from '#numerics/solvers/blackhole/hole.ts'
import {
  fateOf,
  type Particle,
  particleOf,
  T_EDGE,
  tortoise,
  turnsOf,
  vRateOf,
} from '#numerics/solvers/blackhole/problem.ts'
import type { BlackholeEvidence, BlackholeInput, BlackholeOutput } from '#numerics/solvers/blackhole/schema.ts'

const TOLERANCE = 1e-14
/** Steps of one run; a radial period takes some tens. */
const STEPS_MAX = 20_000
/** Samples of a step for the answer, of a run of few periods and of a long one. */
const SAMPLES_FEW = 4
const TURNS_FEW = 12

/**
 * All components of the geodesic equation in ingoing Eddington–Finkelstein coordinates (v, r, φ), in which nothing
 * happens at the horizon: v″ = −v′²/r² + rφ′², r″ = (1 − 2/r)·v″ + 2r′v′/r², φ″ = −2r′φ′/r. State: r, φ, v, r′, φ′, v′.
 */
const geodesic: Derivative = (_, y, rate) => {
  const r = y[0]
  const [dr, dphi, dv] = [y[3], y[4], y[5]]
  const bend = r * dphi * dphi - (dv / r) * (dv / r)
  rate[0] = dr
  rate[1] = dphi
  rate[2] = dv
  rate[3] = (1 - 2 / r) * bend + (2 * (dr / r) * dv) / r
  rate[4] = (-2 * dr * dphi) / r
  rate[5] = bend
}

/** One sample: proper time, then the state. */
type Row = readonly [tau: number, r: number, phi: number, v: number, rRate: number, phiRate: number, vRate: number]

/** What a run saw: samples, where it passed its nearest places, and where it left the outside. */
interface Path {
  readonly rows: readonly Row[]
  readonly nearest: readonly Row[]
  readonly edge: Row | undefined
}

const start = (it: Particle): readonly number[] => [it.r, it.phi, it.v, it.rRate, it.phiRate, vRateOf(it)]

const integratorOf = (it: Particle, farthest: number): Integrator => {
  const reach = Math.max(it.r, farthest)
  const speed = Math.max(Math.abs(it.rRate), sqrt(2 / reach))
  const turn = it.phiRate === 0 ? 1 : Math.abs(it.phiRate)
  return createIntegrator(dopri8, geodesic, 6, {
    relative: TOLERANCE,
    absolute: Float64Array.of(0, TOLERANCE, TOLERANCE * reach, TOLERANCE * speed, 1e-3 * TOLERANCE * turn, 0),
    stepsMax: STEPS_MAX,
  })
}

/** Follows a particle until `ends` says so for a sign change of one of its events. */
const follow = (input: BlackholeInput, it: Particle, progress: Progress): Path => {
  const fate = fateOf(it)
  const { far } = turnsOf(it)
  const integrator = integratorOf(it, far === undefined ? it.r : 1 / far)
  const { turns } = input.orbit
  const samples = fate === 'bound' && turns > TURNS_FEW ? 1 : SAMPLES_FEW
  // A time that no run reaches: every one ends by an event.
  integrator.begin(0, start(it), Number.MAX_VALUE)
  const out = new Float64Array(6)
  const rowAt = (tau: number): Row => {
    integrator.at(tau, out)
    return [tau, out[0], out[1], out[2], out[3], out[4], out[5]]
  }
  const event = (of: (y: Float64Array) => number): number =>
    zeroBetween(
      (tau) => {
        integrator.at(tau, out)
        return of(out)
      },
      integrator.from(),
      integrator.t(),
    )
  const rows: Row[] = [[0, ...(start(it) as [number, number, number, number, number, number])]]
  const nearest: Row[] = []
  let edge: Row | undefined = it.r <= T_EDGE ? rows[0] : undefined
  const stop = fate === 'scattered' ? it.r : 2 * input.end
  const before = new Float64Array(6)
  for (;;) {
    before.set(integrator.y)
    integrator.step()
    const { y } = integrator
    if (before[3] < 0 && y[3] >= 0) nearest.push(rowAt(event((s) => s[3])))
    if (edge === undefined && y[0] <= T_EDGE) edge = rowAt(event((s) => s[0] - T_EDGE))
    const over = fate === 'bound' && nearest.length === turns + 1
    const back = fate === 'scattered' && y[3] > 0 && before[0] < stop && y[0] >= stop
    const fallen = fate === 'captured' && y[0] <= stop
    const last = over ? nearest.at(-1)?.[0] : back || fallen ? event((s) => s[0] - stop) : undefined
    const [from, to] = [integrator.from(), last ?? integrator.t()]
    for (let k = 1; k <= samples; k++)
      rows.push(k === samples && last === undefined ? rowAt(to) : rowAt(from + ((to - from) * k) / samples))
    progress({ step: Math.min(nearest.length, turns), steps: turns + 1 })
    if (last !== undefined) break
  }
  return { rows, nearest, edge }
}

const nothing = {
  fate: 'none',
  energy: null,
  angularMomentum: null,
  properTime: null,
  coordinateTime: null,
  precession: null,
  radialPeriod: null,
  coordinatePeriod: null,
  sweep: null,
  nearest: null,
  farthest: null,
  energyDriftPct: null,
  momentumDriftPct: null,
  normDriftPct: null,
  properTimes: null,
  coordinateTimes: null,
  radii: null,
  angles: null,
  rates: null,
  end: null,
} as const

/** Coordinate time of a sample outside. */
const timeOf = ([, r, , v]: Row): number => v - tortoise(r)

/** Samples at which the particle is outside 1 + 1e-6 Schwarzschild radii: the first ones. */
const outsideOf = (rows: readonly Row[]): readonly Row[] => {
  const inside = rows.findIndex(([, r]) => r < T_EDGE)
  return inside < 0 ? rows : rows.slice(0, inside)
}

/** What a radial period of a bound orbit takes, by its first and last nearest place. */
const periodsOf = (nearest: readonly Row[], time: number) => {
  const [first, last] = [nearest[0], nearest.at(-1)]
  if (first === undefined || last === undefined || first === last) return {}
  const turns = nearest.length - 1
  return {
    // One turn is taken off before the division: what is left is small in weak fields.
    precession: Math.abs(last[2] - first[2]) / turns - TAU,
    radialPeriod: (time * (last[0] - first[0])) / turns,
    coordinatePeriod: (time * (timeOf(last) - timeOf(first))) / turns,
  }
}

/** Runs an input: the black hole alone, or with a particle. */
export const solveBlackhole = (
  input: BlackholeInput,
  progress: Progress,
): Outcome<BlackholeOutput, BlackholeEvidence | null> => {
  const hole = holeOf(input.M)
  if (input.mode === 'hawking') {
    progress({ step: 1, steps: 1 })
    return { output: { mode: 'hawking', ...hole, ...nothing }, evidence: null }
  }
  const it = particleOf(input)
  const { length, time } = unitsOf(input.M)
  const { rows, nearest, edge } = follow(input, it, progress)
  const fate = fateOf(it) as 'captured' | 'bound' | 'scattered'
  const flat = Float64Array.from(rows.flat())
  const last = rows.at(-1) as Row
  const [energy, momentum] = invariantsOf(last)
  const { far } = turnsOf(it)
  const outside = outsideOf(rows)
  const begun = it.r > T_EDGE ? timeOf(rows[0] as Row) : 0
  const left = last[1] > T_EDGE ? last : edge
  const column = (of: (row: Row) => number, from: readonly Row[] = rows): readonly number[] =>
    asSeries(Float64Array.from(from, of))
  progress({ step: input.orbit.turns + 1, steps: input.orbit.turns + 1 })
  const output: BlackholeOutput = {
    mode: input.mode,
    ...hole,
    ...nothing,
    fate,
    energy,
    angularMomentum: momentum,
    properTime: time * last[0],
    coordinateTime: it.r > T_EDGE && left !== undefined ? time * (timeOf(left) - begun) : null,
    ...(fate === 'bound' ? periodsOf(nearest, time) : {}),
    sweep: fate === 'scattered' ? last[2] - it.phi : null,
    nearest: nearest[0] === undefined ? null : length * nearest[0][1],
    farthest: fate === 'bound' && far !== undefined ? length / far : null,
    ...driftsOf(it, flat),
    properTimes: column(([tau]) => time * tau),
    coordinateTimes: column((row) => time * (timeOf(row) - begun), outside),
    radii: column(([, r]) => length * r),
    angles: column(([, , phi]) => phi),
    rates: column(([, , , , rRate]) => rRate),
    end: asSeries(Float64Array.of(last[1], last[2], last[3], last[4], last[5])),
  }
  return { output, evidence: { rows: flat } }
}
