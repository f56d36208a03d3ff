import { assert } from '#core/assert.ts'
import { PI } from '#numerics/math.ts'
import { gridOf, temperatureOf, unknownsOf } from '#numerics/methods/diffusion/grid.ts'
import {
  type Expansion,
  expand,
  type GridAxis,
  halfWavesOf,
  inverseFactor,
  nodesOf as modesOf,
} from '#numerics/methods/fft.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import { nodesOf } from '#numerics/solvers/wave/problem.ts'
import type { WaveInput } from '#numerics/solvers/wave/schema.ts'

/** The exact displacement and velocity at every node. */
export interface Reference {
  readonly displacement: Float64Array
  readonly velocity: Float64Array
  /** Its mean energy in m²/s², by its modes. */
  readonly energy: number
}

const kinds: Readonly<Record<string, Expansion>> = { fixed: 'sine', free: 'cosine', periodic: 'hartley' }

/** k² of every mode of an axis, k from the continuum: π·(half waves)/length. */
const squares = ({ kind, intervals }: GridAxis, length: number): Float64Array =>
  Float64Array.from({ length: modesOf(kind, intervals) }, (_, index) => {
    const k = (PI * halfWavesOf(kind, index, intervals)) / length
    return k * k
  })

/** The unknowns of a field of all nodes. */
const inner = (input: WaveInput, nodes: Float64Array): Float64Array => {
  const grid = nodesOf(input)
  const { columns } = gridOf(grid)
  const { rows, columns: width, firstRow, firstColumn } = unknownsOf(grid)
  const values = new Float64Array(rows * width)
  for (let row = 0; row < rows; row++) {
    const from = (row + firstRow) * columns + firstColumn
    values.set(nodes.subarray(from, from + width), row * width)
  }
  return values
}

/** Modes of both fields, row by row, and how they move. */
interface Modes {
  readonly u: Float64Array
  readonly v: Float64Array
  /** k² of the modes along a row, and of the rows. */
  readonly across: Float64Array
  readonly down: Float64Array
  readonly c: number
  readonly time: number
  /** What both fields are multiplied by. */
  readonly factor: number
}

/** Turns modes in place by ω = c·k. */
export const turnModes = ({ u, v, across, down, c, time, factor }: Modes): void => {
  const kernel = loadKernel('swing')
  const [bytes, count] = [across.byteLength, across.length]
  const [squares, first, second] = [KERNEL_DATA_START, KERNEL_DATA_START + bytes, KERNEL_DATA_START + 2 * bytes]
  kernel.reserve(KERNEL_DATA_START + 3 * bytes)
  const { swing } = kernel.call
  assert(swing !== undefined, 'the kernel swing is whole')
  kernel.f64(squares, count).set(across)
  const [rowOfU, rowOfV] = [kernel.f64(first, count), kernel.f64(second, count)]
  for (const [row, k2] of down.entries()) {
    const [here, there] = [row * count, (row + 1) * count]
    rowOfU.set(u.subarray(here, there))
    rowOfV.set(v.subarray(here, there))
    swing(first, second, squares, count, k2, c, time, factor)
    u.set(rowOfU, here)
    v.set(rowOfV, here)
  }
}

/** Mean square over an axis of length 1 of each of its modes as it is expanded. */
const normsOf = ({ kind, intervals }: GridAxis): Float64Array =>
  Float64Array.from({ length: modesOf(kind, intervals) }, (_, index) => {
    if (kind === 'hartley') return 1
    if (kind === 'sine') return 0.5
    return index === 0 ? 1 : index === intervals ? 0.5 : 2
  })

/** The mean of (v² + c²|∇u|²)/2 by Parseval's sum: no slope is taken from node to node. */
const energyOf = ({ u, v, across, down, c }: Modes, axes: readonly GridAxis[]): number => {
  const along = normsOf(axes.at(-1) as GridAxis)
  const rows = axes.length === 1 ? Float64Array.of(1) : normsOf(axes[0] as GridAxis)
  let sum = 0
  for (const [row, norm] of rows.entries()) {
    const from = row * along.length
    let line = 0
    for (let i = 0; i < along.length; i++) {
      const [swing, moving] = [u[from + i], v[from + i]]
      line += along[i] * (moving * moving + c * c * (across[i] + down[row]) * swing * swing)
    }
    sum += norm * line
  }
  return sum / 2
}

/**
 * The exact solution of the wave equation for the same nodes at time 0: both fields expanded in sines, cosines or
 * Fourier modes, each turned by ω = c·k with the k of the continuum, neither the grid's nor the scheme's. It reads the
 * input by itself.
 *
 * @param velocity left out where everything is at rest.
 */
export const exactWave = (
  input: WaveInput,
  start: { readonly displacement: Float64Array; readonly velocity?: Float64Array | undefined; readonly time: number },
): Reference => {
  const { displacement, velocity, time } = start
  const kind = kinds[input.boundary] ?? 'sine'
  const line = input.dim === 1
  const axes: readonly GridAxis[] = line
    ? [{ kind, intervals: input.nx }]
    : [
        { kind, intervals: input.ny },
        { kind, intervals: input.nx },
      ]
  const across = squares(axes.at(-1) as GridAxis, input.lx)
  const down = line ? Float64Array.of(0) : squares(axes[0] as GridAxis, input.ly)
  const u = expand(inner(input, displacement), axes)
  const v = velocity === undefined ? new Float64Array(u.length) : expand(inner(input, velocity), axes)
  const modes = { u, v, across, down, c: input.c, time, factor: inverseFactor(axes) }
  turnModes(modes)
  const all = (field: Float64Array): Float64Array => temperatureOf(nodesOf(input), expand(field, axes))
  return { displacement: all(u), velocity: all(v), energy: energyOf(modes, axes) }
}
