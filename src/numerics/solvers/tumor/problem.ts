import { exp, sqrt } from '#numerics/math.ts'
import type { TumorInput } from './schema.ts'

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
