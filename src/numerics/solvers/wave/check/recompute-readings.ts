import { sqrt } from '#numerics/math.ts'
import { asField } from '#numerics/methods/fields.ts'
import type { Schedule } from '#numerics/solvers/wave/problem.ts'
import type { WaveInput, WaveOutput } from '#numerics/solvers/wave/schema.ts'

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

/** The mean square over the cells of a grid: a cell's is that of its corners. */
const meanSquareOf = (values: ArrayLike<number>, { nx, ny }: WaveInput, line: boolean): number => {
  const [field, rows, corners] = [asField(values), line ? 1 : ny, line ? 2 : 4]
  let sum = 0
  for (let j = 0; j < rows; j++) {
    const here = j * (nx + 1)
    const beyond = here + nx + 1
    for (let i = 0; i < nx; i++) {
      const a = field[here + i]
      const b = field[here + i + 1]
      let squares = a * a + b * b
      if (!line) {
        const c = field[beyond + i]
        const d = field[beyond + i + 1]
        squares = squares + c * c + d * d
      }
      sum += squares / corners
    }
  }
  return sum / (nx * rows)
}

/** The mean squared slope over the cells of a grid: along and across, each of both sides of a cell. */
const meanSlopeOf = (values: ArrayLike<number>, { nx, ny, lx, ly }: WaveInput, line: boolean): number => {
  const [field, rows, alongX, alongY] = [asField(values), line ? 1 : ny, nx / lx, ny / ly]
  let sum = 0
  for (let j = 0; j < rows; j++) {
    const here = j * (nx + 1)
    const beyond = here + nx + 1
    for (let i = 0; i < nx; i++) {
      const a = field[here + i]
      const b = field[here + i + 1]
      const below = (b - a) * alongX
      if (line) {
        sum += below * below
        continue
      }
      const c = field[beyond + i]
      const d = field[beyond + i + 1]
      const above = (d - c) * alongX
      const left = (c - a) * alongY
      const right = (d - b) * alongY
      sum += (below * below + above * above + left * left + right * right) / 2
    }
  }
  return sum / (nx * rows)
}

/** The readings of a main field, cell by cell. */
export const recomputeReadings = (input: WaveInput, field: ArrayLike<number>): Readings => {
  const line = input.mode === 'maxwell' || input.dim === 1
  const [column, row] = [Math.floor(input.nx / 2), line ? 0 : Math.floor(input.ny / 2)]
  let minimum = Number.POSITIVE_INFINITY
  let maximum = Number.NEGATIVE_INFINITY
  const own = asField(field)
  for (let at = 0; at < own.length; at++) {
    minimum = Math.min(minimum, own[at])
    maximum = Math.max(maximum, own[at])
  }
  const meanSquare = meanSquareOf(own, input, line)
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
export const recomputeEnergy = (input: WaveInput, output: WaveOutput): number => {
  const { displacement = [], velocity = [], electric = [], magnetic = [] } = output
  if (input.mode === 'membrane') {
    const line = input.dim === 1
    const slopes = meanSlopeOf(displacement, input, line)
    return (meanSquareOf(velocity, input, line) + input.c * input.c * slopes) / 2
  }
  let [field, flux] = [0, 0]
  for (let i = 0; i < input.nx; i++) {
    const [a, b] = [electric[i] as number, electric[i + 1] as number]
    field += (around(input, i) * a * a + around(input, i + 1) * b * b) / 2
    flux += (magnetic[i] as number) * (magnetic[i] as number)
  }
  return (field / (LIGHT_SPEED * LIGHT_SPEED) + flux) / (2 * MAGNETIC * input.nx)
}
