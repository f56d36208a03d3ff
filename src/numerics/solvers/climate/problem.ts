import { cos, exp, PI, sin, sqrt, TAU } from '#numerics/math.ts'
import type { ClimateInput, ClimateOutput } from './schema.ts'

/** Means over all cells, row-major with x along the rows. */
export interface Water {
  readonly h: Float64Array
  readonly p: Float64Array
  readonly q: Float64Array
}

const HOURS_12 = 43_200

/** Nodes and weights of Gauss's rule of three points on (−1/2, 1/2): means by it are exact to the sixth order. */
const GAUSS = [
  [-0.3872983346207417, 5 / 18],
  [0, 8 / 18],
  [0.3872983346207417, 5 / 18],
] as const

/** The nine points of a cell, x fastest: places within it, and weights. */
const ALONG = Float64Array.from({ length: 9 }, (_, k) => (GAUSS[k % 3] as readonly number[])[0] as number)
const ACROSS = Float64Array.from({ length: 9 }, (_, k) => (GAUSS[Math.floor(k / 3)] as readonly number[])[0] as number)
const WEIGHTS = Float64Array.from(GAUSS.flatMap(([, wb]) => GAUSS.map(([, wa]) => wa * wb)))

/** What is worked out once for an input, however often run and check ask for it; nobody writes into it. */
const oncePer = <T>(of: (input: ClimateInput) => T): ((input: ClimateInput) => T) => {
  const known = new WeakMap<ClimateInput, T>()
  return (input) => {
    const found = known.get(input) ?? of(input)
    known.set(input, found)
    return found
  }
}

/** Squares of how far Gauss's points of an axis are from a hill's top, in its widths: three for each cell. */
const offsOf = (cells: number, length: number, { at, sigma }: { at: number; sigma: number }): Float64Array => {
  const d = length / cells
  return Float64Array.from({ length: 3 * cells }, (_, i) => {
    const [point] = GAUSS[i % 3] as (typeof GAUSS)[number]
    const place = (Math.floor(i / 3) + 0.5 + point) * d
    const off = sin(PI * (place / length - at)) / (PI * sigma)
    return off * off
  })
}

/** Means over the cells of a function of a hill of height 1 that is smooth all round the torus, of width sigma. */
const hillMeans = (
  { nx, ny, lx, ly }: ClimateInput,
  { x, y, sigma }: { x: number; y: number; sigma: number },
  of: (hill: number) => number,
): Float64Array => {
  const [along, across] = [offsOf(nx, lx, { at: x, sigma }), offsOf(ny, ly, { at: y, sigma })]
  const means = new Float64Array(nx * ny)
  for (let row = 0; row < ny; row++) {
    for (let column = 0; column < nx; column++) {
      let sum = 0
      for (let j = 0; j < 3; j++) {
        const off = across[3 * row + j]
        for (let i = 0; i < 3; i++) sum += WEIGHTS[3 * j + i] * of(exp(-(along[3 * column + i] + off) / 2))
      }
      means[row * nx + column] = sum
    }
  }
  return means
}

/** Height of the bottom's hill. */
export const bottomHeight = ({ mode, bottom, depth }: ClimateInput): number => {
  if (mode === 'jet' || mode === 'dam-break') return 0
  return bottom.height ?? (mode === 'rest' ? 0.3 * depth : 0)
}

/** Means of the bottom over all cells. */
export const bottomOf = oncePer((input): Float64Array => {
  const { mode, bottom, nx, ny } = input
  if (bottom.values !== undefined && (mode === 'rest' || mode === 'general')) return Float64Array.from(bottom.values)
  const height = bottomHeight(input)
  if (height === 0) return new Float64Array(nx * ny)
  return hillMeans(input, bottom, (hill) => height * hill)
})

/**
 * The jet: velocities (−ψ_y, ψ_x) and depth H + f·ψ/g with ψ = A·cos(k·x), an exact steady solution of the full
 * equations, since depth and velocity are constant along its straight streamlines.
 */
const jetOf = (input: ClimateInput): Water => {
  const { nx, ny, speed, m, n, lx, ly, depth, gravity, coriolis } = input
  const [kx, ky] = [(TAU * m) / lx, (TAU * n) / ly]
  const size = speed / sqrt(kx * kx + ky * ky)
  const height = (coriolis * size) / gravity
  const [dx, dy] = [lx / nx, ly / ny]
  const water = { h: new Float64Array(nx * ny), p: new Float64Array(nx * ny), q: new Float64Array(nx * ny) }
  for (let i = 0; i < nx * ny; i++) {
    const column = i % nx
    const row = (i - column) / nx
    let [h, p, q] = [0, 0, 0]
    for (let k = 0; k < 9; k++) {
      const theta = kx * ((column + 0.5 + ALONG[k]) * dx) + ky * ((row + 0.5 + ACROSS[k]) * dy)
      const slope = -size * sin(theta)
      const deep = depth + height * cos(theta)
      const weight = WEIGHTS[k]
      h += weight * deep
      p += weight * (-ky * slope * deep)
      q += weight * (kx * slope * deep)
    }
    water.h[i] = h
    water.p[i] = p
    water.q[i] = q
  }
  return water
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
export const startOf = oncePer((input): Water => {
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
  const surface = hillMeans(input, initial, (hill) => depth + initial.amplitude * hill)
  return { h: surface.map((it, i) => it - bottom[i]), p: given(initial.fluxX), q: given(initial.fluxY) }
})

/** Depth before a dam, as a part of the one behind it, below which the bed counts as dry. */
export const AHEAD_DRY = 0.01

/** Whether a dam breaks over a bed that is dry or nearly so: its front is a thin tongue, faster than the water. */
export const isDry = ({ mode, ahead }: ClimateInput): boolean => mode === 'dam-break' && ahead < AHEAD_DRY

/** The front is twice as fast as the waves at the start, and a step half as long keeps every cell from running dry. */
const DRY_RATES = 4

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

/** Time in which the waves of a dam break spread well and do not meet: over a dry bed they would after lx/8. */
export const spreadOf = (input: ClimateInput): number =>
  input.lx / (isDry(input) ? 10 : 8) / sqrt(input.gravity * input.depth)

/** The largest (|u| + c)/dx + (|v| + c)/dy of some water, in 1/s. */
export const rateOf = ({ nx, ny, lx, ly, gravity }: ClimateInput, { h, p, q }: Water): number => {
  const [dx, dy] = [lx / nx, ly / ny]
  let most = 0
  for (let i = 0; i < h.length; i++) {
    if (h[i] === 0) continue
    const c = sqrt(gravity * h[i])
    most = Math.max(most, (Math.abs(p[i] / h[i]) + c) / dx + (Math.abs(q[i] / h[i]) + c) / dy)
  }
  return most
}

/** Whole steps that end at the run's time, none longer than asked for, for waves of a largest rate. */
export const scheduleAt = (input: ClimateInput, waves: number): Schedule => {
  const { mode } = input
  const rate = isDry(input) ? DRY_RATES * waves : waves
  const time = input.t_max ?? (mode === 'dam-break' ? spreadOf(input) : HOURS_12)
  const steps = Math.max(1, Math.ceil(time / (input.dt ?? input.courant / rate) - STEP_SLACK))
  return { time, steps, dt: time / steps, courant: (rate * time) / steps }
}

/** The steps of a run from some water. */
export const scheduleOf = (input: ClimateInput, start: Water): Schedule => scheduleAt(input, rateOf(input, start))

/** Every member that only repeats or follows from the input. */
export const echoesOf = (input: ClimateInput, { dt, steps, time }: Schedule) => {
  const { mode, nx, ny, lx, ly } = input
  return {
    mode,
    nx,
    ny,
    dx: lx / nx,
    dy: ly / ny,
    dt,
    steps,
    time,
    limited: mode === 'dam-break',
  } satisfies Partial<ClimateOutput>
}
