import { gridOf, temperatureOf, unknownsOf } from '#numerics/diffusion/grid.ts'
import { type Axis, type Expansion, expand, halfWavesOf, inverseFactor, nodesOf as modesOf } from '#numerics/fft.ts'
import { cos, PI, sin, sqrt } from '#numerics/math.ts'
import { nodesOf } from './grid.ts'
import type { WaveInput } from './schema.ts'

/** The exact displacement and velocity at every node. */
export interface Reference {
  readonly displacement: Float64Array
  readonly velocity: Float64Array
}

const kinds: Readonly<Record<string, Expansion>> = { fixed: 'sine', free: 'cosine', periodic: 'hartley' }

/** k² of every mode of an axis, k from the continuum: π·(half waves)/length. */
const squares = ({ kind, intervals }: Axis, length: number): Float64Array =>
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

/**
 * The exact solution of the wave equation for the same nodes at time 0: both fields expanded in sines, cosines or
 * Fourier modes, each turned by ω = c·k with the k of the continuum, neither the grid's nor the scheme's. It reads the
 * input by itself.
 */
export const exactWave = (
  input: WaveInput,
  { displacement, velocity, time }: Reference & { readonly time: number },
): Reference => {
  const kind = kinds[input.boundary] ?? 'sine'
  const line = input.dim === 1
  const axes: readonly Axis[] = line
    ? [{ kind, intervals: input.nx }]
    : [
        { kind, intervals: input.ny },
        { kind, intervals: input.nx },
      ]
  const across = squares(axes.at(-1) as Axis, input.lx)
  const down = line ? Float64Array.of(0) : squares(axes[0] as Axis, input.ly)
  const moving = velocity.some((v) => v !== 0)
  const u = expand(inner(input, displacement), axes)
  const v = moving ? expand(inner(input, velocity), axes) : new Float64Array(u.length)
  const factor = inverseFactor(axes)
  for (let at = 0; at < u.length; at++) {
    const column = at % across.length
    const omega = input.c * sqrt(across[column] + down[(at - column) / across.length])
    const [c, s] = [cos(omega * time), sin(omega * time)]
    const [a, b] = [factor * u[at], factor * v[at]]
    u[at] = a * c + (omega === 0 ? b * time : (b * s) / omega)
    v[at] = b * c - a * omega * s
  }
  const all = (modes: Float64Array): Float64Array => temperatureOf(nodesOf(input), expand(modes, axes))
  return { displacement: all(u), velocity: all(v) }
}
