import { sqrt } from '#numerics/math.ts'
import type { Schedule } from './grid.ts'
import type { WaveInput, WaveOutput } from './schema.ts'

/**
 * What run and check of a wave take from one function, worked out anew for the check: the times of a run, and the
 * numbers that are read off its fields.
 */

/** Speed of light in m/s and magnetic constant in N/A², as the SI and CODATA 2022 have them. */
const LIGHT_SPEED = 299_792_458
const MAGNETIC = 1.256_637_061_27e-6
/** Disagreement of times that are worked out in another order, and of a count of steps. */
const CLOSE = 1e-9

/** Whether a run goes on for the time that is asked for, at the speed of the input, in the fewest steps allowed. */
export const isScheduled = (input: WaveInput, { speed, time, steps, dt, courant }: Schedule): boolean => {
  const { mode, dim, nx, ny, lx, ly, t_max } = input
  const light = mode === 'maxwell'
  const pace = light ? LIGHT_SPEED : input.c
  const crossings = light ? (2 * lx) / LIGHT_SPEED : 1
  const wanted = t_max ?? crossings
  const [alongX, alongY] = [nx / lx, light || dim === 1 ? 0 : ny / ly]
  const rate = pace * sqrt(alongX * alongX + alongY * alongY)
  const longest = input.dt ?? input.courant / rate
  return (
    speed === pace &&
    Math.abs(time - wanted) <= CLOSE * wanted &&
    Math.abs(steps * dt - wanted) <= CLOSE * wanted &&
    Math.abs(courant - rate * dt) <= CLOSE * courant &&
    dt <= longest * (1 + CLOSE) &&
    (steps === 1 || (steps - 1) * longest < wanted * (1 + CLOSE))
  )
}

/** Whether every member that only repeats or follows from the input does so. */
export const repeats = (input: WaveInput, output: WaveOutput, { time, steps, dt, courant }: Schedule): boolean => {
  const light = input.mode === 'maxwell'
  const line = light || input.dim === 1
  const due = {
    ...{ mode: input.mode, boundary: input.boundary, dim: line ? 1 : 2, order: light ? 2 : input.order },
    ...{ nx: input.nx, ny: line ? 0 : input.ny, dx: input.lx / input.nx, dy: line ? 0 : input.ly / input.ny },
    ...{ time, steps, dt, courant },
  } satisfies Partial<WaveOutput>
  return Object.entries(due).every(([name, value]) => output[name as keyof WaveOutput] === value)
}

/** Numbers read off the fields. */
export interface Readings {
  readonly rms: number
  readonly centre: number
  readonly minimum: number
  readonly maximum: number
}

/** Sums over the cells of a grid: squares as the mean of a cell's corners, and squares of slopes along its sides. */
const overCells = (field: ArrayLike<number>, { nx, ny, lx, ly }: WaveInput, line: boolean) => {
  const columns = nx + 1
  const [alongX, alongY] = [nx / lx, ny / ly]
  let [squares, slopes] = [0, 0]
  if (line) {
    for (let i = 0; i < nx; i++) {
      const [a, b] = [field[i] as number, field[i + 1] as number]
      squares += (a * a + b * b) / 2
      slopes += (b - a) * alongX * ((b - a) * alongX)
    }
    return { meanSquare: squares / nx, meanSlope: slopes / nx }
  }
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const at = j * columns + i
      const a = field[at] as number
      const b = field[at + 1] as number
      const c = field[at + columns] as number
      const d = field[at + columns + 1] as number
      squares += (a * a + b * b + c * c + d * d) / 4
      const [below, above, left, right] = [(b - a) * alongX, (d - c) * alongX, (c - a) * alongY, (d - b) * alongY]
      slopes += (below * below + above * above + left * left + right * right) / 2
    }
  }
  return { meanSquare: squares / (nx * ny), meanSlope: slopes / (nx * ny) }
}

/** The readings of a main field, cell by cell. */
export const ownReadings = (input: WaveInput, field: ArrayLike<number>): Readings => {
  const line = input.mode === 'maxwell' || input.dim === 1
  const [column, row] = [Math.floor(input.nx / 2), line ? 0 : Math.floor(input.ny / 2)]
  let [minimum, maximum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let at = 0; at < field.length; at++) {
    minimum = Math.min(minimum, field[at] as number)
    maximum = Math.max(maximum, field[at] as number)
  }
  const { meanSquare } = overCells(field, input, line)
  return { rms: sqrt(meanSquare), centre: field[row * (input.nx + 1) + column] as number, minimum, maximum }
}

/** Relative permittivity around a node: what the layer has of the cell whose middle it is. */
const around = ({ slab, nx }: WaveInput, i: number): number => {
  if (slab === undefined) return 1
  const [from, to] = [slab.from * nx - i, slab.to * nx - i]
  const share = Math.min(0.5, Math.max(-0.5, to)) - Math.min(0.5, Math.max(-0.5, from))
  return 1 - share + share * slab.permittivity
}

/** The mean energy that an answer's fields have: m²/s² of a membrane, J/m³ of light. */
export const ownEnergy = (input: WaveInput, output: WaveOutput): number => {
  const { displacement = [], velocity = [], electric = [], magnetic = [] } = output
  if (input.mode === 'membrane') {
    const line = input.dim === 1
    const { meanSlope } = overCells(displacement, input, line)
    return (overCells(velocity, input, line).meanSquare + input.c * input.c * meanSlope) / 2
  }
  let [field, flux] = [0, 0]
  for (let i = 0; i < input.nx; i++) {
    const [a, b] = [electric[i] as number, electric[i + 1] as number]
    field += (around(input, i) * a * a + around(input, i + 1) * b * b) / 2
    flux += (magnetic[i] as number) * (magnetic[i] as number)
  }
  return (field / (LIGHT_SPEED * LIGHT_SPEED) + flux) / (2 * MAGNETIC * input.nx)
}
