import { exp, sqrt } from '#numerics/math.ts'
import type { TumorInput, TumorOutput } from './schema.ts'

/** All nodes of a tissue, edges included, row-major with x along the rows; a line is one row. */
export interface Tissue {
  readonly rows: number
  readonly columns: number
  readonly dx: number
  readonly dy: number
}

/** The nodes of an input. */
export const tissueOf = ({ dim, nx, ny, lx, ly }: TumorInput): Tissue => ({
  rows: dim === 1 ? 1 : ny + 1,
  columns: nx + 1,
  dx: lx / nx,
  dy: dim === 1 ? 0 : ly / ny,
})

/** Speed of the exact wave of Ablowitz and Zeppetella: 5·sqrt(D·rho/6). */
export const waveSpeed = ({ D, rho }: TumorInput): number => 5 * sqrt((D * rho) / 6)

/** u = (1 + exp(sqrt(rho/6D)·(x − x0 − c·t)))⁻² (Ablowitz, Zeppetella, Bull. Math. Biol. 41 (1979) 835). */
export const exactWaveAt = (input: TumorInput, x: number, time: number): number => {
  const { D, rho, lx, initial } = input
  const grown = 1 + exp(sqrt(rho / (6 * D)) * (x - initial.x * lx - waveSpeed(input) * time))
  return 1 / (grown * grown)
}

/** Density at every node at time 0; `values` must have been found to have their length. */
export const startOf = (input: TumorInput): Float64Array => {
  const { rows, columns, dx } = tissueOf(input)
  const { kind, x, y, sigma, amplitude, values } = input.initial
  if (kind === 'values') return Float64Array.from(values ?? [])
  const density = new Float64Array(rows * columns)
  for (let row = 0; row < rows; row++) {
    const b = rows === 1 ? 0 : (row / (rows - 1) - y) / sigma
    for (let column = 0; column < columns; column++) {
      const a = (column / (columns - 1) - x) / sigma
      density[row * columns + column] =
        kind === 'wave' ? exactWaveAt(input, column * dx, 0) : amplitude * exp(-(a * a + b * b) / 2)
    }
  }
  return density
}

/** Integral over the domain of a function of the density: nodes on an edge count half in each direction. */
export const integralOf = (tissue: Tissue, density: ArrayLike<number>, term: (u: number) => number): number => {
  const { rows, columns, dx, dy } = tissue
  let sum = 0
  for (let row = 0; row < rows; row++) {
    const from = row * columns
    let line = (term(density[from]) + term(density[from + columns - 1])) / 2
    for (let at = from + 1; at < from + columns - 1; at++) line += term(density[at])
    sum += rows > 1 && (row === 0 || row === rows - 1) ? line / 2 : line
  }
  return sum * dx * (rows > 1 ? dy : 1)
}

/** Greatest x where the density is 1/2 on the middle row, straight between its nodes; 0 where it is nowhere. */
export const frontOf = ({ rows, columns, dx }: Tissue, density: ArrayLike<number>): number => {
  const from = Math.floor((rows - 1) / 2) * columns
  for (let column = columns - 1; column >= 0; column--) {
    const here = density[from + column]
    if (!(here >= 0.5)) continue
    if (column === columns - 1) return column * dx
    return (column + (here - 0.5) / (here - density[from + column + 1])) * dx
  }
  return 0
}

/** Places of the front that are shown at most, the start's included. */
const SAMPLES_MAX = 201

/** Largest second difference, as a part of the largest density, that diffusion takes without damping first. */
const ROUGHNESS_MAX = 0.1

/** Steps after which the front is shown. */
export const sampledSteps = (steps: number): readonly number[] => {
  const count = Math.min(SAMPLES_MAX, steps + 1)
  return Array.from({ length: count }, (_, i) => Math.floor((steps * i) / (count - 1)))
}

/** D·dt over the squares of the spacings. */
export const rOf = (input: TumorInput): { readonly along: number; readonly across: number } => {
  const { dx, dy } = tissueOf(input)
  const spread = input.D * input.dt
  return { along: spread / (dx * dx), across: input.dim === 1 ? 0 : spread / (dy * dy) }
}

/** Whether a start is so rough that diffusion begins with damped steps (Rannacher). */
export const isDamped = (input: TumorInput, start: Float64Array): boolean => {
  const { rows, columns } = tissueOf(input)
  const { along, across } = rOf(input)
  if (Math.max(along, across) <= 1) return false
  let [roughest, largest] = [0, 0]
  for (let at = 0; at < start.length; at++) {
    const column = at % columns
    const row = (at - column) / columns
    largest = Math.max(largest, Math.abs(start[at]))
    if (column > 0 && column < columns - 1)
      roughest = Math.max(roughest, Math.abs(start[at - 1] - 2 * start[at] + start[at + 1]))
    if (row > 0 && row < rows - 1)
      roughest = Math.max(roughest, Math.abs(start[at - columns] - 2 * start[at] + start[at + columns]))
  }
  return roughest > ROUGHNESS_MAX * largest
}

/** Every member that only repeats or follows from the input. */
export const echoesOf = (input: TumorInput) => {
  const { dx, dy } = tissueOf(input)
  const { dim, nx, ny, dt, steps } = input
  return {
    dim,
    damped: isDamped(input, startOf(input)),
    nx,
    ny: dim === 1 ? 0 : ny,
    dx,
    dy,
    dt,
    steps,
    time: dt * steps,
  } satisfies Partial<TumorOutput>
}

/** The times of the fronts. */
export const timesOf = ({ dt, steps }: TumorInput): Float64Array =>
  Float64Array.from(sampledSteps(steps), (step) => step * dt)
