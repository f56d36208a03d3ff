import { exp, sqrt } from '#numerics/math.ts'
import { inverseNormal } from '#numerics/methods/normal.ts'
import { streamOf } from '#numerics/methods/random.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import { closedPrice } from './closed.ts'
import type { QuantInput, QuantOutput } from './schema.ts'

/** Paths that are shown, and their steps; they are drawn from a stream of their own. */
const PATHS_SHOWN = 12
const PATH_STEPS = 96
const PATH_STREAM = 65_535
const PLACES = 121

const money = (name: string) => ({ name, unit: 'money' })

/** The estimate as paths are added, with four standard errors at its end, beside the closed form. */
const convergencePlot = (input: QuantInput, { convergence, pathsRun, price, standardError }: QuantOutput): Plot => {
  const octaves = convergence.length
  const paths = Float64Array.from({ length: octaves }, (_, k) => pathsRun / (1 << (octaves - 1 - k)))
  const exact = closedPrice(input)
  return {
    kind: 'curves',
    title: 'Price by the first paths',
    x: { name: 'paths', unit: '1', scale: 'log' },
    y: money('price'),
    curves: [
      { name: 'price', x: paths, y: convergence },
      {
        name: '± 4 standard errors',
        x: [pathsRun, pathsRun],
        y: [price - 4 * standardError, price + 4 * standardError],
        style: 'segments',
      },
      { name: 'closed form', x: paths, y: new Float64Array(octaves).fill(exact), style: 'dashes' },
    ],
  }
}

/** The estimate of each scramble, with the deviation of a single one from their mean. */
const scramblesPlot = ({ estimates, price, standardError, scrambles }: QuantOutput): Plot => {
  const number = Float64Array.from(estimates, (_, k) => k + 1)
  const deviation = standardError * sqrt(scrambles)
  const ends = Array.from(estimates, (it) => [it - deviation, it + deviation]).flat()
  return {
    kind: 'curves',
    title: 'Price by scramble',
    x: { name: 'scramble', unit: '1' },
    y: money('price'),
    curves: [
      { name: 'price', x: number, y: estimates, style: 'points' },
      { name: '± standard deviation', x: Array.from(number, (k) => [k, k]).flat(), y: ends, style: 'segments' },
      { name: 'mean', x: number, y: new Float64Array(number.length).fill(price), style: 'dashes' },
    ],
  }
}

/** What is paid at T, and the price by the closed form, against the underlying now; a barrier bounds it. */
const payoffPlot = (input: QuantInput, { price }: QuantOutput): Plot => {
  const { S, K, product, right, barrier } = input
  const down = barrier.kind.startsWith('down')
  const floor = product === 'barrier' && down ? barrier.H : 0
  const ceiling = product === 'barrier' && !down ? barrier.H : Number.POSITIVE_INFINITY
  const low = Math.max(Math.min(S, K) / 2, floor)
  const high = Math.min(Math.max(S, K) * 1.5, ceiling)
  // A little inside the ends, where a barrier is touched.
  const places = Float64Array.from({ length: PLACES }, (_, k) => low + ((high - low) * (k + 0.5)) / PLACES)
  const sign = right === 'call' ? 1 : -1
  return {
    kind: 'curves',
    title: product === 'barrier' ? 'Price, and what is paid when the barrier allows' : 'Price and payoff',
    x: money('underlying'),
    y: money('value'),
    curves: [
      { name: 'price, closed form', x: places, y: places.map((it) => closedPrice({ ...input, S: it })) },
      { name: 'payoff at T', x: places, y: places.map((it) => Math.max(0, sign * (it - K))), style: 'dashes' },
      { name: 'price, simulated', x: [S], y: [price], style: 'points' },
    ],
  }
}

/** Some paths of the underlying, drawn by the seed, with the strike and a barrier. */
const pathsPlot = ({ S, K, r, q, sigma, T, seed, product, barrier }: QuantInput): Plot => {
  const stream = streamOf(seed, PATH_STREAM)
  const dt = T / PATH_STEPS
  const time = Float64Array.from({ length: PATH_STEPS + 1 }, (_, k) => k * dt)
  const drift = r - q - (sigma * sigma) / 2
  const paths = Array.from({ length: PATHS_SHOWN }, (_, path) => {
    let W = 0
    const y = time.map((t, k) => {
      if (k > 0) W += sqrt(dt) * inverseNormal(stream.uniform(path * PATH_STEPS + k - 1))
      return S * exp(drift * t + sigma * W)
    })
    return { name: `path ${path + 1}`, x: time, y }
  })
  const level = (name: string, at: number) => ({ name, x: [0, T], y: [at, at], style: 'dashes' as const })
  const levels = product === 'barrier' ? [level('strike', K), level('barrier', barrier.H)] : [level('strike', K)]
  return {
    kind: 'curves',
    title: 'Paths of the underlying',
    x: { name: 'time', unit: 'yr' },
    y: money('underlying'),
    curves: [...paths, ...levels],
  }
}

/** Convergence, scrambles, payoff and paths. */
export const plotsOf = (input: QuantInput, output: QuantOutput): readonly Plot[] => [
  convergencePlot(input, output),
  scramblesPlot(output),
  payoffPlot(input, output),
  pathsPlot(input),
]
