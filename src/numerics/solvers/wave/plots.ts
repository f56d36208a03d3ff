import { gridOf } from '#numerics/methods/diffusion/grid.ts'
import { expand, halfWavesOf } from '#numerics/methods/fft.ts'
import { figure } from '#numerics/plot/figures.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import type { Field } from '#numerics/runtime/solver.ts'
import { isLine, LIGHT, nodesOf } from './problem.ts'
import type { WaveInput, WaveOutput } from './schema.ts'

/** Levels of the main field, newest first, on the nodes that a field has: on a ring without the repeated ones. */
export const fieldOf = (
  input: WaveInput,
  {
    values,
    previous,
    magnetic,
  }: {
    readonly values: Float64Array
    readonly previous: readonly Float64Array[]
    readonly magnetic?: readonly number[] | undefined
  },
  dt: number,
): Field => {
  const grid = nodesOf(input)
  const { rows, columns, dx, dy } = gridOf(grid)
  const ring = input.boundary === 'periodic' ? 1 : 0
  const line = isLine(input)
  const [height, width] = [line ? 1 : rows - ring, columns - ring]
  const cut = (field: Float64Array): Float64Array =>
    Float64Array.from({ length: height * width }, (_, at) => {
      const column = at % width
      return field[((at - column) / width) * columns + column]
    })
  const levels = previous.map(cut)
  const light = input.mode === 'maxwell'
  const { kind } = grid.boundary
  const values2 = cut(values)
  return {
    values: values2,
    shape: line ? [width] : [height, width],
    spacing: line ? [dx] : [dy, dx],
    boundary: kind,
    name: light ? 'electric_field' : 'displacement',
    unit: light ? 'V/m' : 'm',
    dissipative: false,
    previous: { dt, levels },
    ...(magnetic !== undefined && { light: { electric: values2, magnetic: atNodes(magnetic, width, ring === 1) } }),
  }
}

/** B at the nodes from its values between them, in tesla: the mean of both sides, one side at a wall. */
const atNodes = (between: readonly number[], nodes: number, ring: boolean): Float64Array => {
  const n = between.length
  return Float64Array.from({ length: nodes }, (_, i) => {
    const left = i === 0 ? (ring ? between[n - 1] : between[0]) : between[i - 1]
    const right = i === n ? between[n - 1] : between[i]
    return (left + right) / 2
  })
}

const spectrumPlot = (input: WaveInput, electric: readonly number[]): Plot => {
  const ring = input.boundary === 'periodic'
  const kind = ring ? 'hartley' : 'sine'
  const nodes = Float64Array.from(ring ? electric.slice(0, input.nx) : electric.slice(1, input.nx))
  const modes = expand(nodes, [{ kind, intervals: input.nx }])
  const last = ring ? Math.floor(input.nx / 2) : modes.length
  const spatial = (index: number): number => halfWavesOf(kind, index, input.nx) / (2 * input.lx)
  const size = (index: number): number => {
    if (!ring || index === 0) return (2 * Math.abs(modes[index])) / input.nx
    const mirror = modes[input.nx - index]
    return (2 * Math.sqrt((modes[index] * modes[index] + mirror * mirror) / 2)) / input.nx
  }
  const shown = Array.from({ length: Math.min(last, 128) }, (_, i) => i)
  return {
    kind: 'curves',
    title: 'Spectrum of the electric field',
    x: { name: 'frequency in vacuum', unit: 'Hz' },
    y: { name: 'amplitude', unit: 'V/m' },
    curves: [{ name: 'E', x: shown.map((i) => LIGHT * spatial(i)), y: shown.map(size), style: 'stems' }],
  }
}

/** The fields as maps or curves; of light the spectrum too. */
export const plotsOf = (input: WaveInput, output: WaveOutput): readonly Plot[] => {
  const { rows, columns, dx } = gridOf(nodesOf(input))
  const x = { name: 'x', unit: 'm' }
  const places = Float64Array.from({ length: columns }, (_, i) => i * dx)
  const after = `after ${figure(output.time)} s`
  const { displacement, velocity, electric, magnetic } = output
  if (electric !== undefined && magnetic !== undefined) {
    const halves = Float64Array.from({ length: input.nx }, (_, i) => (i + 0.5) * dx)
    const flux = { name: 'c·B', x: halves, y: Array.from(magnetic, (b) => LIGHT * b), style: 'dashes' } as const
    const curves = [{ name: 'E', x: places, y: electric }, flux]
    const fields: Plot = { kind: 'curves', title: `Fields ${after}`, x, y: { name: 'field', unit: 'V/m' }, curves }
    return [fields, spectrumPlot(input, Array.from(electric))]
  }
  if (displacement === undefined || velocity === undefined) return []
  if (output.dim === 1) {
    const y = { name: 'displacement', unit: 'm' }
    return [
      { kind: 'curves', title: `Displacement ${after}`, x, y, curves: [{ name: 'u', x: places, y: displacement }] },
    ]
  }
  const axes = { x: { ...x, low: 0, high: input.lx }, y: { name: 'y', unit: 'm', low: 0, high: input.ly } }
  const map = (name: string, unit: string, values: readonly number[]): Plot => ({
    kind: 'map',
    title: `${name} ${after}`,
    name: name.toLowerCase(),
    unit,
    values,
    rows,
    columns,
    ...axes,
    palette: 'diverging',
  })
  return [map('Displacement', 'm', displacement), map('Velocity', 'm/s', velocity)]
}
