import { exp, PI } from '#numerics/math.ts'
import { type Expansion, expand, type GridAxis, halfWavesOf, inverseFactor, nodesOf } from '#numerics/methods/fft.ts'

/**
 * What the exact solution of the continuum needs to know; it reads the input by itself and shares nothing with a run.
 */
export interface ReferenceInput {
  readonly dim: number
  readonly alpha: number
  readonly nx: number
  readonly ny: number
  readonly lx: number
  readonly ly: number
  readonly dt: number
  readonly steps: number
  readonly boundary: { readonly kind: string; readonly temperature: number; readonly right?: number | null | undefined }
}

/** The exact temperature at every node, and what it tends to. */
export interface Reference {
  readonly exact: Float64Array
  /** The steady state: the edges' temperature, or the mean. */
  readonly steady: Float64Array
}

const kinds: Readonly<Record<string, Expansion>> = { fixed: 'sine', insulated: 'cosine', periodic: 'hartley' }

/** exp(−α·k²·t) of every mode of an axis, k from the continuum: k = π·(half waves)/length. */
const decays = ({ kind, intervals }: GridAxis, length: number, alphaTime: number): Float64Array =>
  Float64Array.from({ length: nodesOf(kind, intervals) }, (_, index) => {
    const k = (PI * halfWavesOf(kind, index, intervals)) / length
    return exp(-alphaTime * k * k)
  })

/** Copies between the grid of all nodes and the nodes that carry modes. */
const copyNodes = (kind: Expansion, sizes: { readonly rows: number; readonly columns: number }) => {
  const inner = (n: number): number => (kind === 'sine' ? n - 2 : kind === 'cosine' ? n : n - 1)
  const offset = kind === 'sine' ? 1 : 0
  const line = sizes.rows === 1
  const rows = line ? 1 : inner(sizes.rows)
  const columns = inner(sizes.columns)
  const rowAt = line ? 0 : offset
  return { rows, columns, index: (row: number, column: number) => (row + rowAt) * sizes.columns + column + offset }
}

/** The mean over the domain: nodes on an edge count half, so that it is the integral of the interpolant. */
export const meanOf = (values: Float64Array, rows: number, columns: number): number => {
  let sum = 0
  for (let row = 0; row < rows; row++) {
    const weight = rows > 1 && (row === 0 || row === rows - 1) ? 0.5 : 1
    let line = (values[row * columns] + values[row * columns + columns - 1]) / 2
    for (let column = 1; column < columns - 1; column++) line += values[row * columns + column]
    sum += weight * line
  }
  return sum / ((columns - 1) * Math.max(1, rows - 1))
}

const steadyOf = (input: ReferenceInput, initial: Float64Array, rows: number): Float64Array => {
  const columns = input.nx + 1
  const { kind, temperature, right } = input.boundary
  if (kind !== 'fixed') return new Float64Array(initial.length).fill(meanOf(initial, rows, columns))
  const end = input.dim === 1 ? (right ?? temperature) : temperature
  const line = Float64Array.from({ length: columns }, (_, i) => {
    const share = i / input.nx
    return temperature * (1 - share) + end * share
  })
  const steady = new Float64Array(initial.length)
  for (let row = 0; row < rows; row++) steady.set(line, row * columns)
  return steady
}

/**
 * The exact solution of the heat equation for the same initial nodes: the deviation from the steady state expanded in
 * sines, cosines or Fourier modes (FFT), each multiplied by exp(−α·k²·t) with the continuum's k. Neither the grid's
 * eigenvalues nor the factor of any scheme is used, so the error of space and time both show.
 */
export const exactSolution = (input: ReferenceInput, initial: Float64Array): Reference => {
  const kind = kinds[input.boundary.kind] ?? 'sine'
  const rows = input.dim === 1 ? 1 : input.ny + 1
  const columns = input.nx + 1
  const steady = steadyOf(input, initial, rows)
  const across: GridAxis = { kind, intervals: input.nx }
  const axes = input.dim === 1 ? [across] : [{ kind, intervals: input.ny }, across]
  const nodes = copyNodes(kind, { rows, columns })
  const deviation = new Float64Array(nodes.rows * nodes.columns)
  for (let row = 0; row < nodes.rows; row++) {
    const [from, to] = [nodes.index(row, 0), row * nodes.columns]
    for (let k = 0; k < nodes.columns; k++) deviation[to + k] = initial[from + k] - steady[from + k]
  }
  const modes = expand(deviation, axes)
  const time = input.alpha * input.dt * input.steps
  const along = decays(across, input.lx, time)
  const down = input.dim === 1 ? Float64Array.of(1) : decays({ kind, intervals: input.ny }, input.ly, time)
  const factor = inverseFactor(axes)
  for (let row = 0; row < nodes.rows; row++) {
    const [to, decay] = [row * nodes.columns, down[row]]
    for (let k = 0; k < nodes.columns; k++) modes[to + k] *= decay * along[k] * factor
  }
  const moved = expand(modes, axes)
  const exact = steady.slice()
  for (let row = 0; row < rows; row++) {
    const r = kind === 'sine' && rows > 1 ? row - 1 : row % nodes.rows
    if (r < 0 || r >= nodes.rows) continue
    const [from, to] = [r * nodes.columns, row * columns + (kind === 'sine' ? 1 : 0)]
    for (let k = 0; k < nodes.columns; k++) exact[to + k] += moved[from + k]
    // On a ring the last node is the first one again.
    if (kind === 'hartley') exact[to + nodes.columns] += moved[from]
  }
  return { exact, steady }
}
