import { exp, PI } from '#numerics/math.ts'
import { type Expansion, expand, type GridAxis, halfWavesOf, inverseFactor, nodesOf } from '#numerics/methods/fft.ts'
import { type BoxAlong, diffusedBox, diffusedMean, shareOf } from './box.ts'

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
  readonly initial: {
    readonly kind: string
    readonly amplitude: number
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }
}

/** The exact temperature at every node, and what it tends to. */
export interface Reference {
  readonly exact: Float64Array
  /** The steady state: the edges' temperature, or the mean. */
  readonly steady: Float64Array
  /** The mean over the domain by the integrals of the modes, above that of the steady state. */
  readonly mean: number
}

/** What moved: at the nodes that carry modes, and its mean. */
interface Moved {
  readonly nodes: Float64Array
  readonly mean: number
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

/** A box of the continuum above its base: along both axes at the nodes that carry modes, and the share it covers. */
const boxOf = (input: ReferenceInput, axes: readonly GridAxis[]) => {
  const { alpha, dt, steps, lx, ly, initial } = input
  const sides: readonly BoxAlong[] = [
    { centre: initial.y, width: initial.height, spread: (alpha * dt * steps) / (ly * ly) },
    { centre: initial.x, width: initial.width, spread: (alpha * dt * steps) / (lx * lx) },
  ].slice(-axes.length)
  return {
    along: axes.map((axis, i) => diffusedBox(axis, sides[i] as BoxAlong)),
    share: axes.reduce((product, axis, i) => product * shareOf(axis, sides[i] as BoxAlong), 1),
    mean: (): number => axes.reduce((product, axis, i) => product * diffusedMean(axis, sides[i] as BoxAlong), 1),
  }
}

const steadyOf = (input: ReferenceInput, initial: Float64Array, axes: readonly GridAxis[]): Float64Array => {
  const rows = axes.length === 1 ? 1 : input.ny + 1
  const columns = input.nx + 1
  const { kind, temperature, right } = input.boundary
  if (kind !== 'fixed') {
    const { amplitude } = input.initial
    const isBox = input.initial.kind === 'box'
    const mean = isBox ? temperature + amplitude * boxOf(input, axes).share : meanOf(initial, rows, columns)
    return new Float64Array(initial.length).fill(mean)
  }
  const end = input.dim === 1 ? (right ?? temperature) : temperature
  const line = Float64Array.from({ length: columns }, (_, i) => {
    const share = i / input.nx
    return temperature * (1 - share) + end * share
  })
  const steady = new Float64Array(initial.length)
  for (let row = 0; row < rows; row++) steady.set(line, row * columns)
  return steady
}

/** Integrals of an axis’s modes over its length of 1: 2/πk of odd sines; others have none beside the steady state. */
const integrals = ({ kind, intervals }: GridAxis): Float64Array =>
  Float64Array.from({ length: nodesOf(kind, intervals) }, (_, index) =>
    kind === 'sine' ? (index % 2 === 0 ? 2 / (PI * (index + 1)) : 0) : 0,
  )

/** The deviation from the steady state at the nodes that carry modes, from the one at the start. */
const movedNodes = (input: ReferenceInput, start: Float64Array, axes: readonly GridAxis[]): Moved => {
  const modes = expand(start, axes)
  const time = input.alpha * input.dt * input.steps
  const [across, down] = [axes.at(-1) as GridAxis, axes.length === 1 ? undefined : axes[0]]
  const along = decays(across, input.lx, time)
  const rows = down === undefined ? Float64Array.of(1) : decays(down, input.ly, time)
  const factor = inverseFactor(axes)
  const [ofRow, ofRows] = [integrals(across), down === undefined ? Float64Array.of(1) : integrals(down)]
  let mean = 0
  for (let row = 0; row < rows.length; row++) {
    const [to, decay] = [row * along.length, rows[row]]
    let line = 0
    for (let k = 0; k < along.length; k++) {
      modes[to + k] *= decay * along[k] * factor
      line += ofRow[k] * modes[to + k]
    }
    mean += ofRows[row] * line
  }
  return { nodes: expand(modes, axes), mean }
}

/** The same of a box as the input states it, wherever its edges lie between the nodes. */
const movedBox = (input: ReferenceInput, axes: readonly GridAxis[]): Moved => {
  const { along, share, mean } = boxOf(input, axes)
  const [across, down] = [along.at(-1) as Float64Array, along.length === 1 ? Float64Array.of(1) : along[0]]
  const fixed = input.boundary.kind === 'fixed'
  const rest = fixed ? 0 : share
  const moved = new Float64Array(down.length * across.length)
  for (let row = 0; row < down.length; row++) {
    const to = row * across.length
    for (let k = 0; k < across.length; k++) moved[to + k] = input.initial.amplitude * (down[row] * across[k] - rest)
  }
  return { nodes: moved, mean: fixed ? input.initial.amplitude * mean() : 0 }
}

/**
 * The exact solution of the heat equation: of the same initial nodes, their deviation from the steady state expanded in
 * sines, cosines or Fourier modes (FFT), each multiplied by exp(−α·k²·t) with the continuum's k; of a box, the modes of
 * the box itself. Neither the grid's eigenvalues nor the factor of any scheme is used, so the error of space and time
 * both show.
 */
export const exactSolution = (input: ReferenceInput, initial: Float64Array): Reference => {
  const kind = kinds[input.boundary.kind] ?? 'sine'
  const rows = input.dim === 1 ? 1 : input.ny + 1
  const columns = input.nx + 1
  const across: GridAxis = { kind, intervals: input.nx }
  const axes = input.dim === 1 ? [across] : [{ kind, intervals: input.ny }, across]
  const steady = steadyOf(input, initial, axes)
  const nodes = copyNodes(kind, { rows, columns })
  const deviation = new Float64Array(nodes.rows * nodes.columns)
  for (let row = 0; row < nodes.rows; row++) {
    const [from, to] = [nodes.index(row, 0), row * nodes.columns]
    for (let k = 0; k < nodes.columns; k++) deviation[to + k] = initial[from + k] - steady[from + k]
  }
  const { nodes: moved, mean } =
    input.initial.kind === 'box' ? movedBox(input, axes) : movedNodes(input, deviation, axes)
  const exact = steady.slice()
  for (let row = 0; row < rows; row++) {
    const r = kind === 'sine' && rows > 1 ? row - 1 : row % nodes.rows
    if (r < 0 || r >= nodes.rows) continue
    const [from, to] = [r * nodes.columns, row * columns + (kind === 'sine' ? 1 : 0)]
    for (let k = 0; k < nodes.columns; k++) exact[to + k] += moved[from + k]
    // On a ring the last node is the first one again.
    if (kind === 'hartley') exact[to + nodes.columns] += moved[from]
  }
  return { exact, steady, mean }
}
