import { exp, sqrt } from '#numerics/math.ts'
import { inverseNormal } from '#numerics/normal.ts'
import type { Outcome, Progress } from '#numerics/solver.ts'
import { type Sample, shiftOf, walkOf } from './path.ts'
import { type QuantInput, type QuantOutput, SCRAMBLES } from './schema.ts'
import { pointsOf } from './sobol.ts'

/** What the check works with: sums over paths, weighted by the likelihood ratio and discounted. */
export interface QuantEvidence {
  /** Sums of the payoff, scramble by scramble, over points 1, 2, 3–4, 5–8, … */
  readonly payoffs: Float64Array
  /** The same sums of the control variate. */
  readonly controls: Float64Array
  /** Sums over all paths: payoff·control and control². */
  readonly products: Float64Array
  /** Sums over all paths of the derivatives to ln S, drift and sigma, and of the curvature. */
  readonly slopes: Float64Array
}

/** Paths as run: a power of two that is no less than asked. */
export const pathsRunOf = (paths: number): number => {
  let run = SCRAMBLES
  while (run < paths) run *= 2
  return run
}

/** Blocks of a scramble of `points` points: the first alone, then doubling. */
export const octavesOf = (points: number): number => {
  let octaves = 1
  for (let reached = 1; reached < points; reached *= 2) octaves++
  return octaves
}

/** Sums over all paths of an option. */
export const sumsOf = (input: QuantInput, pathsRun: number, progress: Progress): QuantEvidence => {
  const walk = walkOf(input)
  const { dimensions, loadings, variance } = walk
  const points = pathsRun / SCRAMBLES
  const octaves = octavesOf(points)
  const payoffs = new Float64Array(SCRAMBLES * octaves)
  const controls = new Float64Array(SCRAMBLES * octaves)
  const products = new Float64Array(2)
  const slopes = new Float64Array(4)
  const shift = shiftOf(input, walk)
  const towards = loadings.map((a) => a / sqrt(variance))
  const discount = exp(-input.r * input.T)
  const normals = new Float64Array(dimensions)
  const sample: Sample = { payoff: 0, end: 0, toLogS: 0, toDrift: 0, toSigma: 0, curvature: 0 }
  for (let scramble = 0; scramble < SCRAMBLES; scramble++) {
    const sequence = pointsOf(dimensions, input.seed, scramble)
    let [block, edge] = [0, 1]
    for (let point = 0; point < points; point++) {
      if (point === edge) {
        block++
        edge *= 2
      }
      sequence.next(normals)
      let along = 0
      for (let d = 0; d < dimensions; d++) {
        normals[d] = inverseNormal(normals[d]) + shift * towards[d]
        along += normals[d] * towards[d]
      }
      const weight = discount * (shift === 0 ? 1 : exp(shift * (shift / 2 - along)))
      walk.run(normals, sample)
      const payoff = weight * sample.payoff
      const control = weight * sample.end
      payoffs[scramble * octaves + block] += payoff
      controls[scramble * octaves + block] += control
      products[0] += payoff * control
      products[1] += control * control
      slopes[0] += weight * sample.toLogS
      slopes[1] += weight * sample.toDrift
      slopes[2] += weight * sample.toSigma
      slopes[3] += weight * sample.curvature
    }
    progress({ step: scramble + 1, steps: SCRAMBLES })
  }
  return { payoffs, controls, products, slopes }
}

const sum = (values: Float64Array): number => values.reduce((all, value) => all + value, 0)

/** Least-squares coefficient of payoff on control. */
const coefficientOf = ({ payoffs, controls, products }: QuantEvidence, paths: number): number => {
  const [payoff, control] = [sum(payoffs) / paths, sum(controls) / paths]
  const spread = products[1] / paths - control * control
  return spread > 0 ? (products[0] / paths - payoff * control) / spread : 0
}

/** Sensitivities from the derivatives along the paths. */
const greeksOf = (input: QuantInput, slopes: Float64Array, price: number) => {
  const { S, r, q, sigma, T, product } = input
  const { variance } = walkOf(input)
  const [toLogS, toDrift, vega, curvature] = [slopes[0], slopes[1], slopes[2], slopes[3]]
  // The price depends on T by sigma²·T, (r − q)·T and r·T alone, whence its derivative to T.
  const toT = ((sigma * vega) / 2 + (r - q) * toDrift) / T - r * price
  const delta = toLogS / S
  // Without a barrier by Stein's lemma; with one from the Black–Scholes equation, which the price obeys.
  const bySlope = (curvature / (sigma * variance) - toLogS) / (S * S)
  const byEquation = (2 * (r * price - (r - q) * toLogS + toT)) / (sigma * sigma * S * S)
  return {
    delta,
    gamma: product === 'barrier' ? byEquation : bySlope,
    vega,
    theta: -toT,
    rho: toDrift - T * price,
  }
}

/** Prices of each scramble, and of all by the first 1, 2, 4, … points of each. */
const estimatesOf = ({ payoffs, controls }: QuantEvidence, adjust: (payoff: number, control: number) => number) => {
  const octaves = payoffs.length / SCRAMBLES
  const estimates = new Float64Array(SCRAMBLES)
  const convergence = new Float64Array(octaves)
  const [paid, held] = [new Float64Array(SCRAMBLES), new Float64Array(SCRAMBLES)]
  let points = 1
  for (let octave = 0; octave < octaves; octave++) {
    for (let scramble = 0; scramble < SCRAMBLES; scramble++) {
      paid[scramble] += payoffs[scramble * octaves + octave]
      held[scramble] += controls[scramble * octaves + octave]
      estimates[scramble] = adjust(paid[scramble] / points, held[scramble] / points)
    }
    convergence[octave] = sum(estimates) / SCRAMBLES
    points *= 2
  }
  return { estimates, convergence, price: convergence[octaves - 1] as number }
}

/** Prices an option by scrambled Sobol points. */
export const solveQuant = (input: QuantInput, progress: Progress): Outcome<QuantOutput, QuantEvidence> => {
  const pathsRun = pathsRunOf(input.paths)
  const evidence = sumsOf(input, pathsRun, progress)
  const walk = walkOf(input)
  const controlCoefficient = coefficientOf(evidence, pathsRun)
  const expected = input.S * exp(-input.q * input.T)
  const { estimates, convergence, price } = estimatesOf(
    evidence,
    (payoff, control) => payoff - controlCoefficient * (control - expected),
  )
  const squares = estimates.reduce((all, it) => all + (it - price) * (it - price), 0)
  const standardError = sqrt(squares / (SCRAMBLES * (SCRAMBLES - 1)))
  const slopes = evidence.slopes.map((value) => value / pathsRun)
  return {
    output: {
      product: input.product,
      right: input.right,
      pathsRun,
      scrambles: SCRAMBLES,
      dimensions: walk.dimensions,
      price,
      standardError,
      fourSigmaPct: (400 * standardError) / price,
      controlCoefficient,
      shift: shiftOf(input, walk),
      ...greeksOf(input, slopes, price),
      estimates: estimates as unknown as readonly number[],
      convergence: convergence as unknown as readonly number[],
    },
    evidence,
  }
}
