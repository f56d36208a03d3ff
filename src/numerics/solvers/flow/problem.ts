import { pow, TAU } from '#numerics/math.ts'
import type { FlowInput, FlowOutput } from './schema.ts'

/** A flow with all that its input leaves open. */
export interface FlowProblem {
  readonly kind: FlowInput['case']
  readonly nx: number
  readonly ny: number
  readonly dx: number
  readonly dy: number
  readonly viscosity: number
  /** Force along x per mass that drives a channel. */
  readonly force: number
  readonly dt: number
  readonly steps: number
  /** The largest dt that is stable, by {@link STABILITY}; without end for a cavity. */
  readonly dtMax: number
}

/**
 * Lengths of the stability region of the classical Runge–Kutta method on the imaginary and on the real axis, a little
 * inside. The triangle between them lies in the region: rate of advection / 2.8 + rate of diffusion / 2.75 ≤ 1/dt.
 */
export const STABILITY = { advection: 2.8, diffusion: 2.75 } as const
/** Share of the largest stable step that is taken unless one is given. */
const STEP_SHARE = 0.9
/** Reynolds numbers of a cavity: below, the vorticity's balance shows too little; above, steady flow takes its time. */
export const CAVITY_RE = [10, 1000] as const
/** Time of a channel unless steps are given, in length²/viscosity: one decay of its slowest mode. */
const CHANNEL_TIME = 0.1

/** Pseudo-time steps of a cavity on each grid, and the longest of them, in length/speed. */
const cavitySteps = (re: number): number => (re > 400 ? 480 : 240)
const cavityStep = (re: number): number => (re <= 100 ? re / 500 : 0.2 * pow(re / 100, 0.3))

/** Reynolds number over cells a side of a cavity, beyond which central differences do not carry its layers. */
export const CELL_REYNOLDS_MAX = 4

/** The fewest cells a side, a power of two from `least` on, that carry a cavity's layers. */
export const cavityCells = (re: number, least: number): number => {
  let cells = least
  while (re / cells > CELL_REYNOLDS_MAX) cells *= 2
  return cells
}

/** From this Reynolds number on a cavity of 128 cells a side is 0.11 % off or more, and one of 256 less than 0.04 %. */
const CAVITY_RE_FINE = 270

/** Cells along x and along y unless given: of a cavity as many as its Reynolds number takes. */
const sizesOf = ({ case: kind, re }: FlowInput): readonly [number, number] => {
  if (kind === 'channel') return [16, 64]
  return kind === 'cavity' && re >= CAVITY_RE_FINE ? [256, 256] : [128, 128]
}

const stableStep = (input: FlowInput, { dx, dy, viscosity }: Pick<FlowProblem, 'dx' | 'dy' | 'viscosity'>): number => {
  const { stream, speed } = input
  const vortex = input.case === 'taylor-green'
  const along = vortex ? Math.abs(stream.u) + speed : speed
  const across = vortex ? Math.abs(stream.v) + speed : 0
  const advection = along / dx + across / dy
  const diffusion = 4 * viscosity * (1 / (dx * dx) + 1 / (dy * dy))
  return 1 / (advection / STABILITY.advection + diffusion / STABILITY.diffusion)
}

/** Fills in what an input leaves open. Nothing is refused here. */
export const problemOf = (input: FlowInput): FlowProblem => {
  const { re, speed, length } = input
  const kind = input.case
  const [wide, high] = sizesOf(input)
  const nx = input.nx ?? wide
  const ny = input.ny ?? (kind === 'cavity' ? nx : high)
  const side = kind === 'taylor-green' ? TAU * length : length
  const dy = side / ny
  const dx = kind === 'channel' ? dy : side / nx
  const viscosity = (speed * length) / re
  const shape = {
    kind,
    nx,
    ny,
    dx,
    dy,
    viscosity,
    force: kind === 'channel' ? (8 * viscosity * speed) / (length * length) : 0,
  }
  if (kind === 'cavity') {
    const dt = input.dt ?? (cavityStep(re) * length) / speed
    return { ...shape, dt, steps: input.steps ?? cavitySteps(re), dtMax: Number.POSITIVE_INFINITY }
  }
  const dtMax = stableStep(input, shape)
  const time = kind === 'channel' ? (CHANNEL_TIME * length * length) / viscosity : length / speed
  const { dt, steps } = input
  if (steps !== undefined) return { ...shape, dt: dt ?? STEP_SHARE * dtMax, steps, dtMax }
  const count = Math.max(1, Math.ceil(time / (dt ?? STEP_SHARE * dtMax) - 1e-9))
  return { ...shape, dt: dt ?? time / count, steps: count, dtMax }
}

/** Samples of the speed that is sealed, beside that of the start. */
const SAMPLES_MAX = 25

/** Steps between two samples. */
export const sampleEvery = (steps: number): number => Math.ceil(steps / SAMPLES_MAX)

/** Values by line of y (x fastest) from values by line of x, and back when the sizes are exchanged. */
export const transposed = (values: ArrayLike<number>, rows: number, columns: number): Float64Array => {
  const out = new Float64Array(rows * columns)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) out[column * rows + row] = values[row * columns + column] as number
  }
  return out
}

/** Steps between two residuals that are kept. */
export const RESIDUAL_EVERY = 5

/** The coarsest grid takes twice the steps: it starts from rest. */
export const COARSEST_FACTOR = 2

/** Steps of a whole run: on n/4, n/2 and n. */
export const nestedSteps = (steps: number): number => (COARSEST_FACTOR + 2) * steps

/** The larger of two numbers; NaN, once it is there, stays: a comparison with it is false, and cannot hide it. */
export const worst = (found: number, off: number): number => (off <= found || Number.isNaN(found) ? found : off)

/**
 * The largest divergence of a cell times its smaller side over a speed; x fastest, walls or a ring in each direction.
 */
export const divergenceOf = (
  { u, v, nx, ny, dx, dy }: Pick<FlowOutput, 'u' | 'v' | 'nx' | 'ny' | 'dx' | 'dy'>,
  { ringX, ringY }: { readonly ringX: boolean; readonly ringY: boolean },
  speed: number,
): number => {
  let most = 0
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const at = j * nx + i
      const left = i > 0 ? (u[at - 1] as number) : ringX ? (u[at + nx - 1] as number) : 0
      const below = j > 0 ? (v[at - nx] as number) : ringY ? (v[at + (ny - 1) * nx] as number) : 0
      most = worst(most, Math.abs(((u[at] as number) - left) / dx + ((v[at] as number) - below) / dy))
    }
  }
  return (most * Math.min(dx, dy)) / speed
}
