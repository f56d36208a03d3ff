import { exp, log, PI, sqrt } from '#numerics/math.ts'
import { ERROR_PCT_MAX, type Reality } from '#numerics/runtime/solver.ts'
import { closedPrice } from '#numerics/solvers/quant/closed.ts'
import { pathsOf } from '#numerics/solvers/quant/problem.ts'
import {
  GREEK_PCT_MAX,
  PATHS_MAX,
  type QuantEvidence,
  type QuantInput,
  type QuantOutput,
  SCRAMBLES,
} from '#numerics/solvers/quant/schema.ts'

/** Relative disagreement of numbers that the evidence gives a second time. */
const ECHO = 1e-9
/** Share by which run and check may differ on the distance of a sensitivity: their differences do. */
const EDGE = 1e-3

const total = (values: ArrayLike<number>): number => {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i] as number
  return sum
}

const near = (found: number, wanted: number, scale: number): boolean =>
  Math.abs(found - wanted) <= ECHO * Math.max(Math.abs(wanted), scale)

/** The control variate's coefficient by the evidence. */
const coefficientHolds = (output: QuantOutput, evidence: QuantEvidence): boolean => {
  const n = output.pathsRun
  const payoff = total(evidence.payoffs) / n
  const control = total(evidence.controls) / n
  const covariance = evidence.products[0] / n - payoff * control
  const variance = evidence.products[1] / n - control * control
  // Both are differences of nearly equal numbers: they are compared on the scale of those.
  return Math.abs(output.controlCoefficient * variance - covariance) <= 1e-7 * Math.max(variance, Math.abs(covariance))
}

/** Price of each scramble and of all by the first points of each, worked out of the evidence again. */
const pricesHold = (input: QuantInput, output: QuantOutput, { payoffs, controls }: QuantEvidence): boolean => {
  const octaves = output.convergence.length
  const { estimates, convergence, controlCoefficient: beta, price } = output
  const mean = input.S / exp(input.q * input.T)
  const scale = input.S * ECHO
  for (let octave = 0; octave < octaves; octave++) {
    const points = 1 << octave
    let all = 0
    for (let scramble = 0; scramble < SCRAMBLES; scramble++) {
      const from = scramble * octaves
      const paid = total(payoffs.subarray(from, from + octave + 1)) / points
      const held = total(controls.subarray(from, from + octave + 1)) / points
      const one = paid + beta * (mean - held)
      all += one
      if (octave === octaves - 1 && !near(estimates[scramble] ?? Number.NaN, one, scale)) return false
    }
    if (!near(convergence[octave] ?? Number.NaN, all / SCRAMBLES, scale)) return false
  }
  return near(total(estimates) / SCRAMBLES, price, scale)
}

/** Whether the answer repeats the input, has its lengths, and follows from the evidence. */
const echoes = (input: QuantInput, output: QuantOutput, evidence: QuantEvidence): boolean => {
  const { product, asian, barrier, S, K, r, q, sigma, T, right } = input
  const paths = pathsOf(input)
  const steps = product === 'european' ? 1 : product === 'asian' ? asian.dates : barrier.steps
  const { pathsRun, price, standardError, estimates, convergence } = output
  const octaves = convergence.length
  const lengths =
    estimates.length === SCRAMBLES &&
    octaves >= 1 &&
    octaves <= 31 &&
    pathsRun === SCRAMBLES * (1 << (octaves - 1)) &&
    pathsRun >= paths &&
    pathsRun < 2 * paths &&
    evidence.payoffs.length === SCRAMBLES * octaves &&
    evidence.controls.length === SCRAMBLES * octaves
  if (!lengths) return false
  const squares = total(Array.from(estimates, (it) => (it - price) * (it - price)))
  const sigmas = sqrt(squares / SCRAMBLES / (SCRAMBLES - 1))
  // The average over the dates has the mean time T·(n + 1)/2n and the variance T·(n + 1)·(2n + 1)/6n².
  const n = product === 'asian' ? steps : 1
  const deviation = sigma * sqrt((T * (n + 1) * (2 * n + 1)) / (6 * n * n))
  const away = (log(K) - log(S) - ((r - q - (sigma * sigma) / 2) * T * (n + 1)) / (2 * n)) / deviation
  const shift = right === 'call' ? Math.max(0, away) : Math.min(0, away)
  return (
    output.product === product &&
    output.right === right &&
    output.scrambles === SCRAMBLES &&
    output.dimensions === steps &&
    near(standardError, sigmas, ECHO * price) &&
    near(output.fourSigmaPct, (400 * sigmas) / price, ECHO) &&
    near(output.shift, shift, 1) &&
    coefficientHolds(output, evidence) &&
    pricesHold(input, output, evidence)
  )
}

/** Central differences of the closed form, refined once (Richardson): exact far below what they are compared with. */
const slope = (f: (x: number) => number, x: number, h: number): number => {
  const by = (step: number): number => (f(x + step) - f(x - step)) / (2 * step)
  return (4 * by(h) - by(2 * h)) / 3
}

/** Sensitivities once more out of the evidence: what stands for those that are withheld. */
const recomputeGreeks = (input: QuantInput, { pathsRun, price }: QuantOutput, { slopes }: QuantEvidence) => {
  const { S, r, q, sigma, T, product, asian } = input
  const [byLogS, byDrift, vega, curvature] = [0, 1, 2, 3].map((k) => (slopes[k] ?? Number.NaN) / pathsRun) as [
    number,
    number,
    number,
    number,
  ]
  const n = product === 'asian' ? asian.dates : 1
  const theta = r * price - (r - q) * (byDrift / T) - (sigma * vega) / (2 * T)
  const driven = product === 'barrier' ? 2 * (r * price - theta - (r - q) * byLogS) : 0
  const stein = (6 * n * n * curvature) / (sigma * T * (n + 1) * (2 * n + 1)) - byLogS
  return {
    delta: byLogS / S,
    gamma: (product === 'barrier' ? driven / (sigma * sigma) : stein) / (S * S),
    vega,
    theta,
    rho: byDrift - T * price,
  }
}

/**
 * Distances of the sensitivities from the closed form's, in percent of what each is at the money: the largest of those
 * that are told, and the least of those that are withheld.
 */
const greeksPct = (input: QuantInput, output: QuantOutput, evidence: QuantEvidence) => {
  const { S, K, r, q, sigma, T } = input
  const sampled = recomputeGreeks(input, output, evidence)
  const at = (over: Partial<QuantInput>): number => closedPrice({ ...input, ...over })
  const density = 1 / sqrt(2 * PI)
  const held = S * exp(-q * T)
  const owed = K * exp(-r * T)
  const step = 1e-3 * sigma * Math.min(1, sqrt(T)) * S
  const curved = (h: number): number => (at({ S: S + h }) - 2 * at({}) + at({ S: S - h })) / (h * h)
  const gamma = (4 * curved(step) - curved(2 * step)) / 3
  const exact = [
    ['delta', slope((x) => at({ S: x }), S, step), exp(-q * T)],
    ['gamma', gamma, (density * exp(-q * T)) / (S * sigma * sqrt(T))],
    ['vega', slope((x) => at({ sigma: x }), sigma, 1e-3 * sigma), held * density * sqrt(T)],
    [
      'theta',
      -slope((x) => at({ T: x }), T, 1e-3 * T),
      (held * density * sigma) / (2 * sqrt(T)) + Math.abs(r) * owed + Math.abs(q) * held,
    ],
    ['rho', slope((x) => at({ r: x }), r, 1e-4), T * owed],
  ] as const
  let [told, withheld, left] = [0, Number.POSITIVE_INFINITY, 0]
  for (const [name, wanted, scale] of exact) {
    const found = output[name]
    const pct = (100 * Math.abs((found ?? sampled[name]) - wanted)) / scale
    if (found !== null) told = Math.max(told, pct)
    else if (pct < withheld) withheld = pct
    if (found === null) left++
  }
  return { told, withheld, left }
}

const forms = {
  european: 'Black–Scholes',
  asian: 'the closed form of the geometric average over the same dates',
  barrier: 'Reiner–Rubinstein, a barrier watched without a pause',
} as const

/**
 * Checks a price against its closed form, and by four standard errors over the scrambles; both are in percent of the
 * price. The sums in the evidence must give every other number again, and the sensitivities must lie within 0.3 % of
 * their natural scales of those of the closed form.
 */
export const checkQuant = (input: QuantInput, output: QuantOutput, evidence: QuantEvidence): Reality => {
  const against = forms[input.product]
  if (!echoes(input, output, evidence)) return { against, errorPct: 100, figures: { echo_wrong: 1 } }
  const exact = closedPrice(input)
  const pricePct = (100 * Math.abs(output.price - exact)) / exact
  const spreadPct = (400 * output.standardError) / exact
  const greeks = greeksPct(input, output, evidence)
  const within = greeks.told <= GREEK_PCT_MAX * (1 + EDGE) && greeks.withheld > GREEK_PCT_MAX * (1 - EDGE)
  const wrong = within ? 0 : Math.max(greeks.told, 100)
  const errorsPct = [pricePct, spreadPct, wrong]
  const broken = errorsPct.some((error) => !Number.isFinite(error))
  const scale = spreadPct / ERROR_PCT_MAX
  // At the least that scrambling promises, a standard error that falls as 1/√paths.
  const safe = scale > 1 ? Math.ceil(output.pathsRun * scale * scale) : undefined
  // An order has nothing to go by where paths were left out.
  const named = safe !== undefined && safe <= PATHS_MAX && input.paths === undefined
  return {
    against,
    errorPct: broken ? Number.NaN : errorsPct.reduce((most, error) => Math.max(most, error), 0),
    figures: {
      price_pct: pricePct,
      four_sigma_pct: spreadPct,
      greeks_pct: greeks.told,
      greeks_withheld: greeks.left,
      exact,
      ...(safe !== undefined && { paths_safe: safe }),
    },
    ...(named && { wayOut: { suggestion: { paths: safe }, says: `By order 0.5, paths ${safe} would pass.` } }),
  }
}
