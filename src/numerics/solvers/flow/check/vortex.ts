import type { Reality } from '#numerics/runtime/solver.ts'
import { type Exact, exactFlow } from '#numerics/solvers/flow/exact.ts'
import { divergenceOf, problemOf, worst } from '#numerics/solvers/flow/problem.ts'
import type { FlowInput, FlowOutput } from '#numerics/solvers/flow/schema.ts'
import { DIVERGENCE_MAX, echoesFlow } from './measure.ts'

/** The largest departure of a value's error from the mean of its four neighbours' on a ring; walls end the search. */
const localError = (found: ArrayLike<number>, exact: Float64Array, nx: number, ring: boolean): number => {
  const ny = exact.length / nx
  const error = (i: number, j: number): number => {
    const at = ((j + ny) % ny) * nx + ((i + nx) % nx)
    return (found[at] as number) - exact[at]
  }
  let most = 0
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const inside = ring || (j > 0 && j < ny - 1)
      const around = inside
        ? (error(i - 1, j) + error(i + 1, j) + error(i, j - 1) + error(i, j + 1)) / 4
        : (error(i - 1, j) + error(i + 1, j)) / 2
      most = worst(most, Math.abs(error(i, j) - around))
    }
  }
  return most
}

const largestOf = (values: Float64Array, offset = 0): number =>
  values.reduce((most, it) => Math.max(most, Math.abs(it - offset)), 0)

const rootOfSquares = (found: ArrayLike<number>, exact: Float64Array): number => {
  let sum = 0
  for (let at = 0; at < exact.length; at++)
    sum += ((found[at] as number) - exact[at]) * ((found[at] as number) - exact[at])
  return Math.sqrt(sum)
}

const AGAINST = {
  'taylor-green': 'Taylor–Green vortices carried and decayed in closed form, velocity, pressure and divergence',
  channel: 'Fourier series of the channel’s transient, and divergence',
} as const

/** Samples beside that of the start, at most. */
const SAMPLES_MAX = 25

/** Largest distance of the sampled speeds from the exact ones, and whether all are there. */
const samplesPct = (input: FlowInput, output: FlowOutput, { speedAt, speedScale }: Exact): number => {
  const { dt, steps } = problemOf(input)
  const every = Math.ceil(steps / SAMPLES_MAX)
  const { times = [], speeds = [] } = output
  const count = 1 + Math.ceil(steps / every)
  if (times.length !== count || speeds.length !== count) return 100
  let most = 0
  for (let k = 0; k < count; k++) {
    const time = dt * Math.min(steps, k * every)
    if (times[k] !== time) return 100
    most = worst(most, Math.abs((speeds[k] as number) - speedAt(time)))
  }
  return (100 * most) / speedScale
}

/**
 * Checks vortices or a channel: velocities in relative L2, the sealed speed and its samples against the exact flow, on
 * the scale of what is not the stream; single values that stand out from their neighbours; a divergence at rounding;
 * the pressure on its own scale. The error is the largest.
 */
export const checkMarch = (input: FlowInput, output: FlowOutput): Reality => {
  const kind = input.case === 'channel' ? 'channel' : 'taylor-green'
  const against = AGAINST[kind]
  if (!echoesFlow(input, output)) return { against, errorPct: 100, figures: { echo_wrong: 1 } }
  const { nx, ny } = problemOf(input)
  const channel = kind === 'channel'
  const exact = exactFlow(input)
  const { u, v, p, signal, startPct } = exact
  // Vortices without a start of their own have the speed that was asked for as their largest: U/√2 in the mean of
  // squares.
  const begun = exact.speedAt(0) / input.speed
  const asked = channel || input.start !== undefined || Math.abs(2 * begun * begun - 1) <= 1e-9
  if (!asked) return { against, errorPct: 100, figures: { echo_wrong: 1 } }
  const divergence = divergenceOf(output, { ringX: true, ringY: !channel }, input.speed)
  const ring = !channel
  const [alongScale, acrossScale] = channel
    ? [Math.sqrt((signal * signal) / (nx * ny)), input.speed]
    : [largestOf(u, input.stream.u), largestOf(v, input.stream.v)]
  const localPct =
    100 * worst(localError(output.u, u, nx, ring) / alongScale, localError(output.v, v, nx, ring) / acrossScale)
  const [offU, offV] = [rootOfSquares(output.u, u), rootOfSquares(output.v, v)]
  const velocityPct = (100 * Math.sqrt(offU * offU + offV * offV)) / signal
  const pressureScale = channel
    ? input.speed * input.speed * Math.sqrt(nx * ny)
    : rootOfSquares(
        p,
        p.map(() => 0),
      )
  const largestPressure = channel ? input.speed * input.speed : largestOf(p)
  const pressurePct = (100 * rootOfSquares(output.pressure, p)) / pressureScale
  const pressureLocalPct = (100 * localError(output.pressure, p, nx, ring)) / largestPressure
  const value = channel ? output.bulkSpeed : output.vortexSpeed
  const valuePct = (100 * Math.abs((value ?? Number.NaN) - exact.speedAt(output.time))) / exact.speedScale
  const energyPct = 100 * Math.abs((output.kineticEnergy ?? Number.NaN) / exact.kineticEnergy - 1)
  const historyPct = samplesPct(input, output, exact)
  const errorsPct = [velocityPct + startPct, localPct, valuePct, energyPct, historyPct, pressurePct, pressureLocalPct]
  const errorPct = divergence <= DIVERGENCE_MAX ? errorsPct.reduce(worst, 0) : 100
  return {
    against,
    errorPct: Number.isFinite(divergence) ? errorPct : Number.NaN,
    figures: {
      velocity_pct: velocityPct,
      pressure_pct: pressurePct,
      value_pct: valuePct,
      energy_pct: energyPct,
      local_pct: localPct,
      history_pct: historyPct,
      start_pct: startPct,
      divergence,
      dt: output.dt,
    },
  }
}
