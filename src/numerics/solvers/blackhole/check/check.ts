import { log, PI, sqrt } from '#numerics/math.ts'
import { constantOf } from '#numerics/operators/constants.ts'
import { Precise } from '#numerics/operators/decimal.ts'
import type { Outcome, Reality } from '#numerics/runtime/solver.ts'
import { driftsOf } from '#numerics/solvers/blackhole/drifts.ts'
import { unitsOf } from '#numerics/solvers/blackhole/hole.ts'
import {
  fateOf,
  type Particle,
  particleOf,
  radialSquare,
  T_EDGE,
  turnsOf,
} from '#numerics/solvers/blackhole/problem.ts'
import type { BlackholeEvidence, BlackholeInput, BlackholeOutput } from '#numerics/solvers/blackhole/schema.ts'
import { outsideTime, overAngles, periodsBy, radialTimes } from './exact.ts'
import { isProblemOf } from './recompute-problem.ts'

const ECHO = 1e-9

/** r + 2·ln((r − 2)/2) by a difference of logarithms: the coordinate times of the run stand on the other form. */
const tortoise = (r: number): number => r + 2 * (log(r - 2) - log(2))

const near = (a: number | null, b: number | null, scale: number): boolean =>
  a === null || b === null ? a === b : Math.abs(a - b) <= ECHO * scale

/** The numbers of the black hole again at 50 digits: the largest relative error in percent. */
const holePct = ({ M }: BlackholeInput, output: BlackholeOutput): number => {
  const precise = (key: string) => new Precise(constantOf(key).text)
  const [c, G, hbar, k] = [precise('c'), precise('G'), precise('hbar'), precise('k_B')]
  const pi = Precise.acos(-1)
  const mass = new Precise(M)
  const radius = G.times(mass).times(2).dividedBy(c.pow(2))
  const gm = G.times(mass)
  const wanted: readonly (readonly [number, InstanceType<typeof Precise>])[] = [
    [output.schwarzschildRadius, radius],
    [output.photonSphereRadius, radius.times('1.5')],
    [output.marginallyBoundRadius, radius.times(2)],
    [output.iscoRadius, radius.times(3)],
    [output.iscoEnergy, new Precise(8).dividedBy(9).sqrt()],
    [output.iscoAngularMomentum, new Precise(12).sqrt()],
    [output.captureAngularMomentum, new Precise(4)],
    [output.hawkingTemperature, hbar.times(c.pow(3)).dividedBy(pi.times(8).times(gm).times(k))],
    [
      output.evaporationTime,
      pi
        .times(5120)
        .times(gm.pow(2))
        .times(mass)
        .dividedBy(hbar.times(c.pow(4))),
    ],
    [output.hawkingPower, hbar.times(c.pow(6)).dividedBy(pi.times(15_360).times(gm.pow(2)))],
  ]
  return wanted.reduce(
    (most, [found, exact]) => Math.max(most, Number(new Precise(found).minus(exact).dividedBy(exact).abs().times(100))),
    0,
  )
}

/** The samples in GM/c² and GM/c³, by columns. */
interface Samples {
  readonly count: number
  readonly tau: Float64Array
  readonly r: Float64Array
  readonly phi: Float64Array
  readonly v: Float64Array
  readonly rRate: Float64Array
  readonly phiRate: Float64Array
  readonly vRate: Float64Array
}

const samplesOf = ({ rows }: BlackholeEvidence): Samples => {
  const count = Math.floor(rows.length / 7)
  const column = (c: number): Float64Array => Float64Array.from({ length: count }, (_, k) => rows[7 * k + c])
  const [tau, r, phi, v] = [column(0), column(1), column(2), column(3)]
  return { count, tau, r, phi, v, rRate: column(4), phiRate: column(5), vRate: column(6) }
}

/** What the rates keep: the largest drifts of energy, angular momentum and norm, in percent. */
const keptOf = (it: Particle, { count, r, rRate, phiRate, vRate }: Samples): readonly [number, number, number] => {
  const energyAt = (k: number): number => vRate[k] - (2 * vRate[k]) / r[k] - rRate[k]
  const momentumAt = (k: number): number => phiRate[k] * r[k] * r[k]
  let worst: readonly [number, number, number] = [0, 0, 0]
  for (let k = 0; k < count; k++) {
    const norm = vRate[k] * (2 * rRate[k] - vRate[k] + (2 * vRate[k]) / r[k]) + momentumAt(k) * phiRate[k]
    const momentum = it.momentum === 0 ? momentumAt(k) : momentumAt(k) / momentumAt(0) - 1
    worst = [
      Math.max(worst[0], Math.abs(energyAt(k) - energyAt(0)) / Math.max(Math.abs(it.binding), 2 / r[k])),
      Math.max(worst[1], Math.abs(momentum)),
      Math.max(worst[2], Math.abs(norm + 1)),
    ]
  }
  return [100 * worst[0], 100 * worst[1], 100 * worst[2]]
}

/** Whether every number that repeats or follows from the samples does. */
const echoes = (input: BlackholeInput, output: BlackholeOutput, seen: Samples): boolean => {
  const { length, time } = unitsOf(input.M)
  const it = particleOf(input)
  const { count, tau, r, phi, v, rRate, phiRate } = seen
  const outside = r.findIndex((it) => it < T_EDGE)
  const shown = outside < 0 ? count : outside
  const last = count - 1
  const begun = it.r > T_EDGE ? v[0] - tortoise(r[0]) : 0
  const total = tau[last]
  const same = (
    found: readonly number[] | null,
    wanted: ArrayLike<number>,
    [scale, at]: readonly [number, number],
  ): boolean =>
    found !== null &&
    found.length === wanted.length &&
    Array.from(found).every((value, k) =>
      near(value, scale * (wanted[k] as number), scale * Math.max(Math.abs(wanted[k] as number), at)),
    )
  const times = Float64Array.from({ length: shown }, (_, k) => v[k] - tortoise(r[k]) - begun)
  // An advanced time that has run on for long leaves its last bits in every difference.
  const rounding = 1e-6 * Math.max(Math.abs(v[0]), Math.abs(v[last]))
  const { end } = output
  return (
    count >= 2 &&
    output.fate === fateOf(it) &&
    [
      r[0] === it.r,
      phi[0] === it.phi,
      v[0] === it.v,
      rRate[0] === it.rRate,
      phiRate[0] === it.phiRate,
      tau[0] === 0,
    ].every(Boolean) &&
    tau.every((value, k) => k === 0 || value >= tau[k - 1]) &&
    near(output.energy, sqrt(1 + it.binding), sqrt(1 + it.binding) + Math.abs(it.rRate)) &&
    near(output.angularMomentum, it.momentum, Math.abs(it.momentum)) &&
    near(output.properTime, time * total, time * total) &&
    same(output.properTimes, tau, [time, total]) &&
    same(output.radii, r, [length, 0]) &&
    same(output.angles, phi, [1, Math.abs(phi[last])]) &&
    same(output.rates, rRate, [1, 1e-6]) &&
    same(output.coordinateTimes, times, [time, Math.max(Math.abs(times[shown - 1] ?? 0), rounding)]) &&
    end?.length === 5 &&
    [r, phi, v, rRate, phiRate].every((column, i) => column[last] === end[i])
  )
}

/**
 * Proper time since the start of a radial motion at a radius: by the cycloid, on the way up or down, or by quadrature.
 */
const radialSince = (it: Particle, r: number, rRate: number): number => {
  if (it.binding >= 0) return radialTimes(it, it.r, r).tau
  const top = -2 / it.binding
  const since = (radius: number, rate: number): number => (rate > 0 ? -1 : 1) * radialTimes(it, top, radius).tau
  return since(r, rRate) - since(it.r, it.rRate)
}

/** The samples against the exact motion: radial closed forms or quadrature, else Taylor series over the angle. */
const pathPct = (it: Particle, { count, tau, r, phi, v, rRate }: Samples): number => {
  const last = count - 1
  let worst = 0
  if (it.momentum === 0) {
    for (let k = 1; k < count; k++) {
      worst = Math.max(worst, Math.abs(tau[k] - radialSince(it, r[k], rRate[k])) / tau[last])
      const speed = sqrt(Math.max(0, radialSquare(it, 1 / r[k])))
      worst = Math.max(worst, Math.abs(Math.abs(rRate[k]) - speed) / Math.max(speed, sqrt(2 / it.r)))
    }
    return 100 * worst
  }
  const rows = overAngles(it, phi)
  if (rows === undefined) return Number.NaN
  const fastest = rRate.reduce((most, rate) => Math.max(most, Math.abs(rate)), 0)
  const advance = Math.abs(v[last] - v[0])
  for (let k = 1; k < count; k++) {
    const [u, w, exactTau, exactV] = rows.subarray(4 * k, 4 * k + 4) as unknown as [number, number, number, number]
    worst = Math.max(
      worst,
      Math.abs(r[k] * u - 1),
      Math.abs(rRate[k] + it.momentum * w) / fastest,
      Math.abs(tau[k] - exactTau) / tau[last],
      Math.abs(v[k] - exactV) / advance,
    )
  }
  return 100 * worst
}

/** Coordinate time of the run by another way than its v: 0 where none is told. */
const timePct = (input: BlackholeInput, output: BlackholeOutput, it: Particle, seen: Samples): number => {
  const { time } = unitsOf(input.M)
  const { coordinateTime } = output
  if (it.r <= T_EDGE) return coordinateTime === null ? 0 : 100
  if (coordinateTime === null) return 100
  const { r, v, count } = seen
  const inside = r.findIndex((radius) => radius < T_EDGE)
  const from = inside < 0 ? count - 1 : inside - 1
  const sampled = v[from] - tortoise(r[from]) - (it.v - tortoise(it.r))
  const rest = inside < 0 || r[from] <= T_EDGE ? 0 : outsideTime(it, r[from], T_EDGE)
  const whole = sampled + rest
  const radial = it.momentum === 0 && it.rRate <= 0 ? radialTimes(it, it.r, Math.max(T_EDGE, r[count - 1])).t : whole
  const found = coordinateTime / time
  return 100 * Math.max(Math.abs(found / whole - 1), Math.abs(found / radial - 1))
}

/** Where the run ended, and what its fate says of turning points, periods and sweep: the largest error in percent. */
const fatePct = (input: BlackholeInput, output: BlackholeOutput, it: Particle, seen: Samples): number => {
  const { length, time } = unitsOf(input.M)
  const { fate, precession, radialPeriod, coordinatePeriod, sweep, nearest, farthest } = output
  const { r, phi, rRate, count } = seen
  const last = count - 1
  const turns = turnsOf(it)
  const off = (found: number | null, wanted: number): number => (found === null ? 1 : Math.abs(found / wanted - 1))
  const none = (...values: readonly (number | null)[]): number => (values.every((value) => value === null) ? 0 : 1)
  if (fate === 'captured') {
    return (
      100 *
      Math.max(off(r[last], 2 * input.end), none(precession, radialPeriod, coordinatePeriod, sweep, nearest, farthest))
    )
  }
  if (turns.near === undefined) return 100
  if (fate === 'scattered') {
    const errors = [off(r[last], it.r), off(sweep, phi[last] - it.phi), off(nearest, length / turns.near)]
    return (
      100 * Math.max(...errors, rRate[last] > 0 ? 0 : 1, none(precession, radialPeriod, coordinatePeriod, farthest))
    )
  }
  if (turns.far === undefined) return 100
  const exact = periodsBy(it, { far: turns.far, near: turns.near })
  const signed = it.momentum < 0 ? -1 : 1
  const turned = (signed * (phi[last] - it.phi)) / (2 * PI + exact.precession)
  // From a start that is itself a nearest place, rounding decides whether it counts.
  const counted = turned > input.orbit.turns - 1e-6 && turned < input.orbit.turns + 1 + 1e-6 ? 0 : 1
  return (
    100 *
    Math.max(
      off(precession, exact.precession),
      off(radialPeriod, time * exact.tau),
      off(coordinatePeriod, time * exact.t),
      off(nearest, length / turns.near),
      off(r[last], 1 / turns.near),
      off(farthest, length / turns.far),
      counted,
      none(sweep),
    )
  )
}

const AGAINST = {
  hawking: 'the formulas again at 50 digits',
  radial: 'the cycloid in closed form at every sample, its coordinate time, energy and norm from the rates',
  orbit:
    'Taylor series over the angle (Binet) at every sample; periods and precession by quadrature; what the rates keep',
} as const

/** Checks a black hole and what falls: see protocols/solvers/blackhole.md. */
export const checkBlackhole = (
  input: BlackholeInput,
  { output, evidence }: Outcome<BlackholeOutput, BlackholeEvidence | null>,
): Reality => {
  const against = AGAINST[input.mode]
  const broken: Reality = { against, errorPct: 100, figures: { echo_wrong: 1 } }
  if (output.mode !== input.mode) return broken
  const hole = holePct(input, output)
  if (input.mode === 'hawking') {
    const { properTime, fate, properTimes } = output
    if (evidence !== null || properTime !== null || properTimes !== null || fate !== 'none') return broken
    return { against, errorPct: hole, figures: { hole_pct: hole } }
  }
  if (evidence === null) return broken
  const seen = samplesOf(evidence)
  const it = particleOf(input)
  if (!isProblemOf(input, it) || !echoes(input, output, seen)) return broken
  const drifts = driftsOf(it, evidence.rows)
  const held =
    near(output.energyDriftPct, drifts.energyDriftPct, drifts.energyDriftPct) &&
    near(output.momentumDriftPct, drifts.momentumDriftPct, drifts.momentumDriftPct) &&
    near(output.normDriftPct, drifts.normDriftPct, drifts.normDriftPct)
  if (!held) return broken
  const [energy, momentum, norm] = keptOf(it, seen)
  const path = pathPct(it, seen)
  const time = timePct(input, output, it, seen)
  const fate = fatePct(input, output, it, seen)
  const errorsPct = [hole, energy, momentum, norm, path, time, fate]
  return {
    against,
    errorPct: Math.max(...errorsPct),
    figures: {
      path_pct: path,
      time_pct: time,
      fate_pct: fate,
      energy_pct: energy,
      momentum_pct: momentum,
      norm_pct: norm,
      hole_pct: hole,
    },
  }
}
