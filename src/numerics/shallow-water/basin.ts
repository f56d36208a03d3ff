import { cos, exp, PI, sin, sqrt, TAU } from '#numerics/math.ts'
import type { ClimateInput } from './schema.ts'

/** Means over all cells, row-major with x along the rows. */
export interface Water {
  readonly h: Float64Array
  readonly p: Float64Array
  readonly q: Float64Array
}

const HOURS_12 = 43_200

/** Nodes and weights of Gauss's rule of three points on (−1/2, 1/2). */
const GAUSS = [
  [-0.3872983346207417, 5 / 18],
  [0, 8 / 18],
  [0.3872983346207417, 5 / 18],
] as const

/** Means over the cells of a smooth function of x and y in metres, by Gauss's rule: exact to the sixth order. */
export const meansOf = ({ nx, ny, lx, ly }: ClimateInput, at: (x: number, y: number) => number): Float64Array => {
  const [dx, dy] = [lx / nx, ly / ny]
  return Float64Array.from({ length: nx * ny }, (_, i) => {
    const column = i % nx
    const row = (i - column) / nx
    let sum = 0
    for (const [b, wb] of GAUSS) {
      for (const [a, wa] of GAUSS) sum += wa * wb * at((column + 0.5 + a) * dx, (row + 0.5 + b) * dy)
    }
    return sum
  })
}

/** A hill of height 1 that is smooth all round the torus: of width sigma at its top. */
const hillOf = ({ lx, ly }: ClimateInput, { x, y, sigma }: { x: number; y: number; sigma: number }) => {
  const off = (d: number): number => sin(PI * d) / (PI * sigma)
  return (a: number, b: number): number => {
    const [dx, dy] = [off(a / lx - x), off(b / ly - y)]
    return exp(-(dx * dx + dy * dy) / 2)
  }
}

/** Height of the bottom's hill. */
export const bottomHeight = ({ mode, bottom, depth }: ClimateInput): number => {
  if (mode === 'jet' || mode === 'dam-break') return 0
  return bottom.height ?? (mode === 'rest' ? 0.3 * depth : 0)
}

/** Means of the bottom over all cells. */
export const bottomOf = (input: ClimateInput): Float64Array => {
  const { mode, bottom, nx, ny } = input
  if (bottom.values !== undefined && (mode === 'rest' || mode === 'general')) return Float64Array.from(bottom.values)
  const height = bottomHeight(input)
  if (height === 0) return new Float64Array(nx * ny)
  const hill = hillOf(input, bottom)
  return meansOf(input, (x, y) => height * hill(x, y))
}

/**
 * The jet: velocities (−ψ_y, ψ_x) and depth H + f·ψ/g with ψ = A·cos(k·x), an exact steady solution of the full
 * equations, since depth and velocity are constant along its straight streamlines.
 */
const jetOf = (input: ClimateInput): Water => {
  const { speed, m, n, lx, ly, depth, gravity, coriolis } = input
  const [kx, ky] = [(TAU * m) / lx, (TAU * n) / ly]
  const size = speed / sqrt(kx * kx + ky * ky)
  const height = (coriolis * size) / gravity
  const h = (x: number, y: number): number => depth + height * cos(kx * x + ky * y)
  const slope = (x: number, y: number): number => -size * sin(kx * x + ky * y)
  return {
    h: meansOf(input, h),
    p: meansOf(input, (x, y) => -ky * slope(x, y) * h(x, y)),
    q: meansOf(input, (x, y) => kx * slope(x, y) * h(x, y)),
  }
}

/** The wall of water: `depth` between a quarter and three quarters of lx, `ahead` of it outside. */
const damOf = ({ nx, ny, depth, ahead }: ClimateInput): Float64Array =>
  Float64Array.from({ length: nx * ny }, (_, i) => {
    const x = ((i % nx) + 0.5) / nx
    // A cell that a dam stands in has its part of both depths.
    const behind = Math.max(0, Math.min(1, (0.25 - Math.abs(x - 0.5)) * nx + 0.5))
    return depth * (ahead + (1 - ahead) * behind)
  })

/** The water at time 0. Arrays must have been found to have their lengths. */
export const startOf = (input: ClimateInput): Water => {
  const { mode, nx, ny, depth, initial } = input
  const still = (): Float64Array => new Float64Array(nx * ny)
  if (mode === 'jet') return jetOf(input)
  if (mode === 'dam-break') return { h: damOf(input), p: still(), q: still() }
  const bottom = bottomOf(input)
  if (mode === 'rest') return { h: bottom.map((b) => depth - b), p: still(), q: still() }
  const given = (values: readonly number[] | undefined): Float64Array =>
    values === undefined ? still() : Float64Array.from(values)
  if (initial.depth !== undefined) {
    return { h: Float64Array.from(initial.depth), p: given(initial.fluxX), q: given(initial.fluxY) }
  }
  const hill = hillOf(input, initial)
  const surface = meansOf(input, (x, y) => depth + initial.amplitude * hill(x, y))
  return { h: surface.map((it, i) => it - bottom[i]), p: given(initial.fluxX), q: given(initial.fluxY) }
}

/** f, which a dam break is too short for. */
export const turnOf = ({ mode, coriolis }: ClimateInput): number => (mode === 'dam-break' ? 0 : coriolis)

/** Steps of a run. */
export interface Schedule {
  readonly time: number
  readonly steps: number
  readonly dt: number
  /** Largest (|u| + c)·dt/dx + (|v| + c)·dt/dy at the start. */
  readonly courant: number
}

const STEP_SLACK = 1e-9

/** The largest (|u| + c)/dx + (|v| + c)/dy of some water, in 1/s. */
export const rateOf = ({ nx, ny, lx, ly, gravity }: ClimateInput, { h, p, q }: Water): number => {
  const [dx, dy] = [lx / nx, ly / ny]
  let most = 0
  for (let i = 0; i < h.length; i++) {
    const c = sqrt(gravity * h[i])
    most = Math.max(most, (Math.abs(p[i] / h[i]) + c) / dx + (Math.abs(q[i] / h[i]) + c) / dy)
  }
  return most
}

/** Whole steps that end at the run's time, none longer than asked for. */
export const scheduleOf = (input: ClimateInput, start: Water): Schedule => {
  const { mode, lx, gravity, depth } = input
  const time = input.t_max ?? (mode === 'dam-break' ? lx / 8 / sqrt(gravity * depth) : HOURS_12)
  const rate = rateOf(input, start)
  const steps = Math.max(1, Math.ceil(time / (input.dt ?? input.courant / rate) - STEP_SLACK))
  return { time, steps, dt: time / steps, courant: (rate * time) / steps }
}
