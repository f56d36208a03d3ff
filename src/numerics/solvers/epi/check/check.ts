import { expm1, log } from '#numerics/math.ts'
import { alongTaylor, cauchy, type TaylorSystem } from '#numerics/methods/ode/taylor.ts'
import { integral } from '#numerics/methods/quadrature.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import { type Compartments, startOf } from '#numerics/solvers/epi/problem.ts'
import type { EpiInput, EpiOutput } from '#numerics/solvers/epi/schema.ts'

const ORDER = 24
const RELATIVE = 1e-17
const STEPS_MAX = 400_000
/** Relative disagreement of numbers that follow from others. */
const ECHO = 1e-9
/** Share of the peak above which the invariant still tells how many are infectious. */
const TOLD_MIN = 1e-3
/** Curvature of the peak, as a share of its height over the run, from which on its time is told at all. */
const CURVED_MIN = 1e-3

/** The equations as they are written, in people. */
const epidemic = (input: EpiInput): TaylorSystem => {
  const { model, beta, gamma, sigma, N, vaccination } = input
  const nu = vaccination.rate
  return {
    size: 5,
    series: 5,
    coefficients: ([S, E, I, R, V], order) => {
      if (S === undefined || E === undefined || I === undefined || R === undefined || V === undefined) return
      for (let n = 0; n < order; n++) {
        const infected = (beta * cauchy(S, I, n)) / N
        const ill = model === 'SEIR' ? sigma * E[n] : infected
        S[n + 1] = -(infected + nu * S[n]) / (n + 1)
        E[n + 1] = (infected - ill) / (n + 1)
        I[n + 1] = (ill - gamma * I[n]) / (n + 1)
        R[n + 1] = (gamma * I[n]) / (n + 1)
        V[n + 1] = (nu * S[n]) / (n + 1)
      }
    },
  }
}

/** Exact states at the outputs and at the peak, row after row; undefined when the series do not reach the end. */
const followed = (input: EpiInput, { times, peakTime }: EpiOutput, start: Compartments): Float64Array | undefined => {
  const { S, E, I, R, V } = start
  const order = Array.from(times, (t, k) => ({ t, k }))
  order.push({ t: peakTime, k: times.length })
  order.sort((a, b) => a.t - b.t || a.k - b.k)
  const rows = new Float64Array(5 * order.length)
  rows.set([S, E, I, R, V])
  const floor = 1e-6 * (E + I)
  const accuracy = {
    order: ORDER,
    relative: RELATIVE,
    floor: Float64Array.of(0, floor, floor, floor + 1e-9 * input.N, 1e-9 * input.N),
    stepsMax: STEPS_MAX,
  }
  const visit = (at: number, state: Float64Array): undefined => {
    rows.set(state, 5 * (order[at]?.k ?? 0))
  }
  const steps = alongTaylor(epidemic(input), accuracy, {
    start: [S, E, I, R, V],
    times: order.map(({ t }) => t),
    visit,
  })
  return steps === undefined ? undefined : rows
}

/**
 * The largest error of any compartment at any output, in percent of the largest number that it holds; of the
 * susceptible relative to themselves and to how many of them leave.
 */
const coursePct = (output: EpiOutput, rows: Float64Array): number => {
  const found = [output.susceptible, output.exposed, output.infectious, output.recovered, output.vaccinated]
  const count = output.times.length
  let worst = 0
  for (const [c, column] of found.entries()) {
    let scale = 0
    for (let k = 0; k < count; k++) scale = Math.max(scale, c === 0 ? Math.abs(rows[5 * k] - rows[0]) : rows[5 * k + c])
    for (let k = 0; k < count; k++) {
      const exact = rows[5 * k + c]
      const error = Math.abs((column[k] as number) - exact)
      const share = error === 0 ? 0 : error / (c === 0 ? Math.min(scale, exact) : scale)
      worst = Math.max(worst, share)
    }
  }
  return 100 * worst
}

/** How far the peak is from the exact course: its height, that nothing is higher, and that nothing rises there. */
const peakPct = (input: EpiInput, output: EpiOutput, rows: Float64Array): number => {
  const { peakInfectious, peakTime, infectious, times, t_max } = output
  const at = 5 * times.length
  const [S, E, I] = [rows[at], rows[at + 1], rows[at + 2]]
  const height = Math.abs(peakInfectious - I) / I
  let higher = 0
  for (let k = 0; k < times.length; k++) higher = Math.max(higher, (infectious[k] as number) / peakInfectious - 1)
  const rise =
    input.model === 'SEIR' ? input.sigma * E - input.gamma * I : (input.beta * S * I) / input.N - input.gamma * I
  if (peakTime === 0 || peakTime === t_max) return 100 * Math.max(height, higher)
  const turned = Math.abs(rise) / ((input.gamma + input.beta + input.sigma) * I)
  const infected = (input.beta * S * I) / input.N
  const bend =
    input.model === 'SEIR'
      ? input.sigma * (infected - input.sigma * E) - input.gamma * rise
      : (input.beta * (S * rise - (infected + input.vaccination.rate * S) * I)) / input.N - input.gamma * rise
  const curved = Math.abs(bend) * t_max * t_max > CURVED_MIN * I
  return 100 * Math.max(height, higher, turned, curved ? Math.abs(rise / bend) / t_max : 0)
}

/**
 * SIR alone, without a vaccination rate: the time at which so many are susceptible, by quadrature of dw/(βI/N) with I
 * from the invariant, against the time of the last output that has a thousandth of the peak left. Undefined elsewhere.
 */
const timePct = (input: EpiInput, output: EpiOutput, start: Compartments): number | undefined => {
  const { model, beta, gamma, N, vaccination, outputs } = input
  if (model !== 'SIR' || vaccination.rate > 0 || beta === 0 || start.I === 0) return undefined
  const { infectious, susceptible, times, peakInfectious } = output
  let k = outputs
  while (k > 0 && !((infectious[k] as number) > TOLD_MIN * peakInfectious)) k--
  if (k === 0) return undefined
  const end = log((susceptible[k] as number) / start.S)
  const infected = (w: number): number => start.I - start.S * expm1(w) + (gamma / beta) * N * w
  const time = integral((w) => -N / (beta * infected(w)), 0, end)
  return (100 * Math.abs(time - (times[k] as number))) / (times[k] as number)
}

const near = (a: number, b: number, scale: number): boolean => Math.abs(a - b) <= ECHO * scale

const nearOrNull = (a: number | null, b: number | null | undefined, scale: number): boolean =>
  a === null || b === null || b === undefined ? a === (b ?? null) : near(a, b, scale)

/** Whether S + E + I − (γ/β)·N·ln S must keep its value. */
const isKept = ({ beta, vaccination }: EpiInput): boolean => beta > 0 && vaccination.rate === 0

/**
 * The final-size relation at the limit that is given, in percent of the limit. With anybody infected it has one root
 * below the number at which infections cease to grow; another is where nobody had ever been infected.
 */
const limitPct = (input: EpiInput, { susceptibleLimit: limit }: EpiOutput, { S, E, I }: Compartments): number => {
  const { beta, gamma, N } = input
  const stands = isKept(input) && gamma > 0
  if (limit === null || !stands) return stands || limit !== null ? 100 : 0
  if (E + I === 0) return limit === S ? 0 : 100
  const pull = beta / (gamma * N)
  if (limit > Math.min(S, 1 / pull) * (1 + ECHO)) return 100
  const left = log(limit / S)
  const slope = Math.abs(1 - pull * limit)
  const apart = Math.abs(left + pull * (S + E + I - limit))
  // Where the limit is nobody's peak the slope vanishes, and the relation says as much as its rounding lets it.
  return (100 * apart) / Math.max(slope, 1e-6)
}

/** Whether the drift of the invariant that is given is that of the courses: it is rounding, so summed the same way. */
const isDrift = (input: EpiInput, { invariantDriftPct, ...output }: EpiOutput, { S, E, I }: Compartments): boolean => {
  if (invariantDriftPct === null || !isKept(input)) return invariantDriftPct === null && !isKept(input)
  const weight = (input.gamma / input.beta) * input.N
  let drift = 0
  for (let k = 0; k < output.times.length && S > 0; k++) {
    const open = output.susceptible[k] as number
    const ill = (output.exposed[k] as number) - E + ((output.infectious[k] as number) - I)
    drift = Math.max(drift, Math.abs(open - S + ill - weight * log(open / S)))
  }
  const own = (100 * drift) / input.N
  return near(invariantDriftPct, own, own)
}

/**
 * Whether a start is the one that the input states: who is neither ill nor immune is open, and a share of the open is
 * vaccinated. Run and series take their start from one function, so that this is worked out anew.
 */
export const isProblemOf = (input: EpiInput, start: Compartments): boolean => {
  const { model, N, I0, E0, R0, vaccination, initial } = input
  const exposed = model === 'SEIR' ? E0 : 0
  const share = vaccination.initialFraction
  const open = N - (I0 + exposed + R0)
  const wanted = initial ?? { S: (1 - share) * open, E: exposed, I: I0, R: R0, V: share * open }
  return (['S', 'E', 'I', 'R', 'V'] as const).every((it) => near(start[it], wanted[it], 1e-3 * N))
}

/** Whether every number that repeats or follows from the rest does. */
const echoes = (input: EpiInput, output: EpiOutput, start: Compartments): boolean => {
  const { N, outputs, t_max, beta, gamma } = input
  const { times, susceptible, exposed, infectious, recovered, vaccinated } = output
  const all = [susceptible, exposed, infectious, recovered, vaccinated]
  if ([times, ...all].some((it) => it.length !== outputs + 1)) return false
  const ends = [
    output.susceptibleEnd,
    output.exposedEnd,
    output.infectiousEnd,
    output.recoveredEnd,
    output.vaccinatedEnd,
  ]
  const first = [start.S, start.E, start.I, start.R, start.V]
  const infected = output.exposedEnd + output.infectiousEnd + output.recoveredEnd - (start.E + start.I + start.R)
  return (
    isProblemOf(input, start) &&
    isDrift(input, output, start) &&
    output.model === input.model &&
    output.N === N &&
    output.t_max === t_max &&
    Array.from(times).every((t, k) => near(t, (k / outputs) * t_max, t_max)) &&
    Array.from(times).every((_, k) =>
      near(
        all.reduce((sum, it) => sum + (it[k] as number), 0),
        N,
        N,
      ),
    ) &&
    all.every((it, c) => it[0] === first[c] && it[outputs] === ends[c]) &&
    nearOrNull(output.reproductionNumber, gamma > 0 ? beta / gamma : null, beta) &&
    nearOrNull(output.herdImmunityThreshold, beta > 0 ? Math.max(0, (beta - gamma) / beta) : null, 1) &&
    Math.abs(output.attackRate * N - infected) <= 1e-9 * Math.abs(infected) + 1e-14 * N &&
    output.peakTime >= 0 &&
    output.peakTime <= t_max
  )
}

const AGAINST =
  'Taylor series of the equations in people, at every output and the peak; the invariant, the final-size relation ' +
  'and, for SIR, the time by quadrature'

/** Checks the courses of an epidemic: see protocols/solvers/epi.md. */
export const checkEpi = (input: EpiInput, output: EpiOutput): Reality => {
  const start = startOf(input)
  if (!echoes(input, output, start)) return { against: AGAINST, errorPct: 100, figures: { echo_wrong: 1 } }
  const rows = followed(input, output, start)
  if (rows === undefined) return { against: AGAINST, errorPct: Number.NaN, figures: { t_max: input.t_max } }
  const course = coursePct(output, rows)
  const peak = start.I + start.E === 0 ? 0 : peakPct(input, output, rows)
  const time = timePct(input, output, start)
  const limit = limitPct(input, output, start)
  const invariant = output.invariantDriftPct ?? 0
  const errorsPct = [course, peak, time ?? 0, limit, invariant]
  return {
    against: AGAINST,
    errorPct: Math.max(...errorsPct),
    figures: {
      course_pct: course,
      peak_pct: peak,
      ...(time === undefined ? {} : { time_pct: time }),
      final_size_pct: limit,
      invariant_pct: invariant,
      t_max: input.t_max,
    },
  }
}
