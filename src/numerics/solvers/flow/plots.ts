import { sqrt } from '#numerics/math.ts'
import { contourOf } from '#numerics/plot/contour.ts'
import type { Curve, Plot } from '#numerics/plot/plot.ts'
import { exactFlow } from './exact.ts'
import { problemOf } from './problem.ts'
import type { FlowInput, FlowOutput } from './schema.ts'

/** Streamlines between the lowest and the highest stream function. */
const STREAMLINES = 16

/** Velocities in the middle of the cells, less a stream: means of opposite faces, x fastest. */
const middles = (input: FlowInput, { u, v }: FlowOutput, stream: { readonly u: number; readonly v: number }) => {
  const { nx, ny, kind } = problemOf(input)
  const [a, b] = [new Float64Array(nx * ny), new Float64Array(nx * ny)]
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const at = j * nx + i
      const left = i > 0 ? (u[at - 1] as number) : kind === 'cavity' ? 0 : (u[at + nx - 1] as number)
      const below = j > 0 ? (v[at - nx] as number) : kind === 'taylor-green' ? (v[at + (ny - 1) * nx] as number) : 0
      a[at] = ((u[at] as number) + left) / 2 - stream.u
      b[at] = ((v[at] as number) + below) / 2 - stream.v
    }
  }
  return { u: a, v: b }
}

/**
 * Vorticity at the upper right corner of each cell: on a ring everywhere, else inside alone (zero at the last ones).
 */
const vorticityOf = (input: FlowInput, { u, v }: FlowOutput): Float64Array => {
  const { nx, ny, dx, dy, kind } = problemOf(input)
  const omega = new Float64Array(nx * ny)
  const [ringX, ringY] = [kind !== 'cavity', kind === 'taylor-green']
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      if ((i === nx - 1 && !ringX) || (j === ny - 1 && !ringY)) continue
      const at = j * nx + i
      const [right, above] = [j * nx + ((i + 1) % nx), ((j + 1) % ny) * nx + i]
      omega[at] = ((v[right] as number) - (v[at] as number)) / dx - ((u[above] as number) - (u[at] as number)) / dy
    }
  }
  return omega
}

/** Lines along which the flow less the stream goes: levels of its stream function at the corners of the cells. */
const streamlines = (input: FlowInput, { u, v }: FlowOutput): readonly Curve[] => {
  const { nx, ny, dx, dy, kind } = problemOf(input)
  const carried = kind === 'taylor-green' ? input.stream : { u: 0, v: 0 }
  const columns = nx + 1
  const psi = new Float64Array(columns * (ny + 1))
  const ring = kind === 'taylor-green'
  for (let i = 0; i <= nx; i++) {
    // Along the lower edge by v through it (its own on a ring), then upwards by u.
    if (i > 0 && ring) psi[i] = psi[i - 1] - ((v[(ny - 1) * nx + i - 1] as number) - carried.v) * dx
    const face = i > 0 ? i - 1 : kind === 'cavity' ? -1 : nx - 1
    for (let j = 0; j < ny; j++) {
      const along = face < 0 ? 0 : (u[j * nx + face] as number) - carried.u
      psi[(j + 1) * columns + i] = psi[j * columns + i] + along * dy
    }
  }
  const [low, high] = [psi.reduce((a, b) => Math.min(a, b)), psi.reduce((a, b) => Math.max(a, b))]
  const levels = Array.from({ length: STREAMLINES }, (_, k) => low + ((high - low) * (k + 0.5)) / STREAMLINES)
  // The corner eddies of a cavity are faint: two levels of their own between zero and the highest.
  if (kind === 'cavity') levels.push(high * 0.02, high * 0.3)
  return levels
    .map((level): Curve => {
      const nodes = { values: psi, rows: ny + 1, columns, x: 0, y: 0, dx, dy }
      return { name: `ψ ${level}`, ...contourOf(nodes, level), style: 'segments' }
    })
    .filter((it) => it.x.length > 0)
}

const x = { name: 'x', unit: 'm' }
const y = { name: 'y', unit: 'm' }
const ofSpeed = { name: 'speed', unit: 'm/s' }

/** u along the vertical and v along the horizontal line through the middle. */
const profiles = (input: FlowInput, { u, v }: FlowOutput): readonly Plot[] => {
  const { nx, ny, dx, dy, kind } = problemOf(input)
  const upwards = Float64Array.from({ length: ny }, (_, j) => (j + 0.5) * dy)
  const rightwards = Float64Array.from({ length: nx }, (_, i) => (i + 0.5) * dx)
  const [face, row] = [nx / 2 - 1, ny / 2 - 1]
  const vertical: Curve = { name: 'u', x: upwards.map((_, j) => u[j * nx + face] as number), y: upwards }
  const exact = kind === 'channel' ? exactFlow(input).u : undefined
  const series: readonly Curve[] =
    exact === undefined ? [] : [{ name: 'exact', x: upwards.map((_, j) => exact[j * nx]), y: upwards, style: 'dashes' }]
  const across: Plot = {
    kind: 'curves',
    title: 'u on the vertical line through the middle',
    x: { name: 'u', unit: 'm/s' },
    y,
    curves: [vertical, ...series],
  }
  if (kind === 'channel') return [across]
  const along: Curve = { name: 'v', x: rightwards, y: rightwards.map((_, i) => v[row * nx + i] as number) }
  const title = 'v on the horizontal line through the middle'
  return [across, { kind: 'curves', title, x, y: { name: 'v', unit: 'm/s' }, curves: [along] }]
}

/** How the sealed speed went, beside the exact one; or how a cavity came to rest. */
const histories = (input: FlowInput, { times = [], speeds = [], residuals = [] }: FlowOutput): Plot => {
  if (input.case === 'cavity') {
    const cycles = residuals.map((_, k) => k)
    const axes = { x: { name: 'cycle', unit: '1' }, y: { name: 'change', unit: '1', scale: 'log' as const } }
    return {
      kind: 'curves',
      title: 'Way to the steady flow, three grids',
      ...axes,
      curves: [{ name: 'change', x: cycles, y: residuals }],
    }
  }
  const { speedAt } = exactFlow(input)
  const exact = Float64Array.from(times, (time) => speedAt(time))
  const curves: readonly Curve[] = [
    { name: 'computed', x: times, y: speeds, style: 'points' },
    { name: 'exact', x: times, y: exact },
  ]
  const title = input.case === 'channel' ? 'Mean velocity since the start' : 'Decay of the vortices'
  return { kind: 'curves', title, x: { name: 'time', unit: 's' }, y: ofSpeed, curves }
}

/** Speed with streamlines, vorticity, profiles through the middle, and the way there. */
export const plotsOf = (input: FlowInput, output: FlowOutput): readonly Plot[] => {
  const { nx, ny, dx, dy, kind } = problemOf(input)
  const vortices = kind === 'taylor-green'
  const moved = middles(input, output, vortices ? input.stream : { u: 0, v: 0 })
  const speed = moved.u.map((it, at) => sqrt(it * it + moved.v[at] * moved.v[at]))
  const grid = { rows: ny, columns: nx }
  const cells = { x: { ...x, low: dx / 2, high: (nx - 0.5) * dx }, y: { ...y, low: dy / 2, high: (ny - 0.5) * dy } }
  const corners = { x: { ...x, low: dx, high: nx * dx }, y: { ...y, low: dy, high: ny * dy } }
  const title = vortices ? 'Speed less the stream, with streamlines' : 'Speed, with streamlines'
  const map: Plot = {
    kind: 'map',
    title,
    ...ofSpeed,
    values: speed,
    ...grid,
    ...cells,
    over: streamlines(input, output),
  }
  const omega = vorticityOf(input, output)
  const spin: Plot = {
    kind: 'map',
    title: 'Vorticity',
    name: 'vorticity',
    unit: '1/s',
    values: omega,
    ...grid,
    ...corners,
    palette: 'diverging',
  }
  return [map, ...profiles(input, output), spin, histories(input, output)]
}
