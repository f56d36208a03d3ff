import { exp, log, sqrt } from '#numerics/math.ts'
import type { Outcome, Progress } from '#numerics/runtime/solver.ts'
import { pathsOf } from '#numerics/solvers/quant/problem.ts'
import { type QuantEvidence, type QuantInput, type QuantOutput, SCRAMBLES } from '#numerics/solvers/quant/schema.ts'
import { type Greeks, toldOf } from './greeks.ts'
import { blockOf, type Normals, normalsOf } from './normals.ts'
import { type Sample, shiftOf, type Walk, walkOf } from './path.ts'

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

/** Places of the sums of a run. */
interface Tally {
  readonly evidence: QuantEvidence
  readonly octaves: number
}

/** Adds the points `from` to `from + count` of a scramble, octave by octave. */
type Add = (tally: Tally, scramble: number, from: number, count: number) => void

/** Octave of a point: 0 for the first, 1 for the second, 2 for the third and fourth, …. */
const octaveOf = (point: number): number => 32 - Math.clz32(point)

/** Paths in general: their normals shifted, built and weighed one by one. */
const walked = (input: QuantInput, walk: Walk, normals: Normals): Add => {
  const { dimensions, loadings, variance } = walk
  const shift = shiftOf(input, walk)
  const towards = loadings.map((a) => a / sqrt(variance))
  const discount = exp(-input.r * input.T)
  const path = new Float64Array(dimensions)
  const { values, stride } = normals
  const sample: Sample = { payoff: 0, end: 0, toLogS: 0, toDrift: 0, toSigma: 0, curvature: 0 }
  return ({ evidence, octaves }, scramble, from, count) => {
    const { payoffs, controls, products, slopes } = evidence
    for (let i = 0; i < count; i++) {
      let along = 0
      for (let d = 0; d < dimensions; d++) {
        path[d] = values[d * stride + i] + shift * towards[d]
        along += path[d] * towards[d]
      }
      const weight = discount * (shift === 0 ? 1 : exp(shift * (shift / 2 - along)))
      walk.run(path, sample)
      const at = scramble * octaves + octaveOf(from + i)
      const payoff = weight * sample.payoff
      const control = weight * sample.end
      payoffs[at] += payoff
      controls[at] += control
      products[0] += payoff * control
      products[1] += control * control
      slopes[0] += weight * sample.toLogS
      slopes[1] += weight * sample.toDrift
      slopes[2] += weight * sample.toSigma
      slopes[3] += weight * sample.curvature
    }
  }
}

/** European options that are not shifted: the same numbers as by {@link walked}, without a path. */
const ended = (input: QuantInput, walk: Walk, normals: Normals): Add => {
  const { S, K, r, q, sigma, T } = input
  const sign = input.right === 'call' ? 1 : -1
  const { meanTime } = walk
  const law = { base: log(S) + (r - q - (sigma * sigma) / 2) * meanTime, sigma, root: sqrt(T) }
  const discount = exp(-r * T)
  const { values } = normals
  const inner = new Float64Array(normals.stride)
  return ({ evidence, octaves }, scramble, from, count) => {
    const { payoffs, controls, products, slopes } = evidence
    for (let i = 0; i < count; i++) inner[i] = law.root * values[i]
    normals.ends(count, law)
    let [toLogS, toDrift, toSigma, curvature] = [slopes[0], slopes[1], slopes[2], slopes[3]]
    let [crossed, squared] = [products[0], products[1]]
    for (let i = 0; i < count; ) {
      // The points of one octave in a row.
      const octave = octaveOf(from + i)
      const last = Math.min(count, (octave === 0 ? 1 : 2 * (1 << (octave - 1))) - from)
      const at = scramble * octaves + octave
      let [paid, held] = [payoffs[at], controls[at]]
      for (; i < last; i++) {
        const X = values[i]
        const gain = sign * (X - K)
        const control = discount * X
        held += control
        squared += control * control
        if (!(gain > 0)) continue
        const payoff = discount * gain
        const slope = sign * X
        const inside = inner[i]
        paid += payoff
        crossed += payoff * control
        toLogS += discount * slope
        toDrift += discount * (slope * meanTime)
        toSigma += discount * (slope * (inside - sigma * meanTime))
        curvature += discount * (slope * inside)
      }
      payoffs[at] = paid
      controls[at] = held
    }
    products.set([crossed, squared])
    slopes.set([toLogS, toDrift, toSigma, curvature])
  }
}

/** Sums over all paths of an option. */
export const sumsOf = (input: QuantInput, pathsRun: number, progress: Progress): QuantEvidence => {
  const walk = walkOf(input)
  const points = pathsRun / SCRAMBLES
  const octaves = octavesOf(points)
  const evidence = {
    payoffs: new Float64Array(SCRAMBLES * octaves),
    controls: new Float64Array(SCRAMBLES * octaves),
    products: new Float64Array(2),
    slopes: new Float64Array(4),
  }
  const normals = normalsOf(walk.dimensions, input.seed)
  const plain = input.product === 'european' && shiftOf(input, walk) === 0
  const add = (plain ? ended : walked)(input, walk, normals)
  const block = blockOf(points)
  for (let scramble = 0; scramble < SCRAMBLES; scramble++) {
    normals.scramble(scramble)
    for (let from = 0; from < points; from += block) {
      normals.next(block)
      add({ evidence, octaves }, scramble, from, block)
    }
    progress({ step: scramble + 1, steps: SCRAMBLES })
  }
  return evidence
}

const sum = (values: Float64Array): number => values.reduce((all, value) => all + value, 0)

/** Least-squares coefficient of payoff on control. */
const coefficientOf = ({ payoffs, controls, products }: QuantEvidence, paths: number): number => {
  const [payoff, control] = [sum(payoffs) / paths, sum(controls) / paths]
  const spread = products[1] / paths - control * control
  return spread > 0 ? (products[0] / paths - payoff * control) / spread : 0
}

/** Sensitivities from the derivatives along the paths. */
const greeksOf = (input: QuantInput, slopes: Float64Array, price: number): Greeks => {
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

/** The price of an option by scrambled Sobol points, however many paths it has. */
export const priced = (input: QuantInput, progress: Progress): Outcome<QuantOutput, QuantEvidence> => {
  const pathsRun = pathsRunOf(pathsOf(input))
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
      ...toldOf(input, greeksOf(input, slopes, price)),
      estimates: estimates as unknown as readonly number[],
      convergence: convergence as unknown as readonly number[],
    },
    evidence,
  }
}
