import { sqrt } from '#numerics/math.ts'
import { type GridInput, gridOf, initialTemperature } from '#numerics/methods/diffusion/grid.ts'
import type { WaveInput } from './schema.ts'

/** The speed of light in vacuum, exact, in m/s. */
export const LIGHT = 299_792_458

/** Whether the problem lives on a line. */
export const isLine = ({ mode, dim }: WaveInput): boolean => mode === 'maxwell' || dim === 1

/** The same grid of nodes as a diffusion problem has: edges included, on a ring the last node repeats the first. */
export const nodesOf = (input: WaveInput): GridInput => ({
  dim: isLine(input) ? 1 : 2,
  nx: input.nx,
  ny: input.ny,
  lx: input.lx,
  ly: input.ly,
  initial: { ...input.initial, width: 0, height: 0 },
  boundary: { kind: input.boundary === 'free' ? 'insulated' : input.boundary, temperature: 0 },
})

/** Speed, time and steps of a run. */
export interface Schedule {
  readonly speed: number
  readonly time: number
  readonly steps: number
  readonly dt: number
  /** C = c·dt·sqrt(1/dx² + 1/dy²). */
  readonly courant: number
}

/** A quotient that rounding put a little above a whole number counts as that number. */
const STEP_SLACK = 1e-9

/** The steps of a run: whole ones that end at its time, none longer than asked for. */
export const scheduleOf = (input: WaveInput): Schedule => {
  const { dx, dy } = gridOf(nodesOf(input))
  const speed = input.mode === 'maxwell' ? LIGHT : input.c
  const time = input.t_max ?? (input.mode === 'maxwell' ? (2 * input.lx) / LIGHT : 1)
  const rate = speed * sqrt(1 / (dx * dx) + (isLine(input) ? 0 : 1 / (dy * dy)))
  const longest = input.dt ?? input.courant / rate
  const steps = Math.max(1, Math.ceil(time / longest - STEP_SLACK))
  return { speed, time, steps, dt: time / steps, courant: (rate * time) / steps }
}

/** Displacement or electric field at every node at time 0; `values` must have been found to have their length. */
export const startOf = (input: WaveInput): Float64Array => {
  const grid = nodesOf(input)
  const start = initialTemperature(grid)
  return input.boundary === 'fixed' ? grounded(start, grid) : start
}

/** A field whose edge nodes are zero: what a fixed edge holds. */
export const grounded = (values: Float64Array, grid: GridInput): Float64Array => {
  const { rows, columns } = gridOf(grid)
  const still = values.slice()
  for (let row = 0; row < rows; row++) {
    still[row * columns] = 0
    still[row * columns + columns - 1] = 0
  }
  if (rows > 1) {
    still.fill(0, 0, columns)
    still.fill(0, (rows - 1) * columns)
  }
  return still
}

/** One layer between two planes, in metres. */
export interface Layer {
  readonly from: number
  readonly to: number
  /** Refractive index. */
  readonly index: number
  /** Time light takes through it, in seconds. */
  readonly seconds: number
}

/** The layers of a line from left to right; empty ones are left out. */
export const layersOf = ({ lx, slab }: WaveInput): readonly Layer[] => {
  const planes =
    slab === undefined
      ? [{ from: 0, to: lx, index: 1 }]
      : [
          { from: 0, to: slab.from * lx, index: 1 },
          { from: slab.from * lx, to: slab.to * lx, index: sqrt(slab.permittivity) },
          { from: slab.to * lx, to: lx, index: 1 },
        ]
  return planes
    .filter(({ from, to }) => to > from)
    .map((it) => ({ ...it, seconds: ((it.to - it.from) * it.index) / LIGHT }))
}

/** Relative permittivity at each node: the mean over its cell, which keeps the scheme second order at an interface. */
export const permittivities = (input: WaveInput): Float64Array =>
  Float64Array.from({ length: input.nx + 1 }, (_, i) => 1 + shareOf(input, i) * ((input.slab?.permittivity ?? 1) - 1))

/** The part of the cell around node i, half a cell to each side, that lies in the slab. */
const shareOf = ({ slab, nx }: WaveInput, i: number): number => {
  if (slab === undefined) return 0
  const [low, high] = [Math.max(slab.from * nx, i - 0.5), Math.min(slab.to * nx, i + 0.5)]
  return Math.max(0, high - low)
}
