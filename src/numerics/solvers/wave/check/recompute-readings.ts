import { sqrt } from '#numerics/math.ts'
import { asField } from '#numerics/methods/fields.ts'
import type { Schedule } from '#numerics/solvers/wave/problem.ts'
import type { WaveInput, WaveOutput } from '#numerics/solvers/wave/schema.ts'

/**
 * What run and check of a wave take from one function, worked out anew for the check: the times of a run, and the
 * numbers that are read off its fields.
 */

/** Speed of light in m/s, as the SI has it. */
const LIGHT_SPEED = 299_792_458
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
