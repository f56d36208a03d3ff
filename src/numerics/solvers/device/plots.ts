import { contourOf } from '#numerics/plot/contour.ts'
import type { Curve, Plot } from '#numerics/plot/plot.ts'
import { cellBoxOf, electrodesOf, type Rectangle } from './problem.ts'
import type { DeviceInput, DeviceOutput } from './schema.ts'

/** Equipotentials drawn between the lowest and the highest potential. */
const EQUIPOTENTIALS = 9

const numbers = (it: ArrayLike<number> | undefined): ArrayLike<number> => it ?? []

const outline = (name: string, { x0, y0, x1, y1 }: Rectangle, style: 'line' | 'dashes'): Curve => ({
  name,
  x: [x0, x1, x1, x0, x0],
  y: [y0, y0, y1, y1, y0],
  style,
})

const planePlots = (
  input: DeviceInput,
  { potential, dx = 0, dy = 0, residuals = [] }: DeviceOutput,
): readonly Plot[] => {
  const { nx, ny, lx, ly } = input
  const values = numbers(potential)
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < values.length; i++) {
    low = Math.min(low, values[i] as number)
    high = Math.max(high, values[i] as number)
  }
  const levels = Array.from({ length: EQUIPOTENTIALS }, (_, k) => low + ((high - low) * (k + 1)) / (EQUIPOTENTIALS + 1))
  const nodes = { values, rows: ny + 1, columns: nx + 1, x: 0, y: 0, dx, dy }
  const lines = levels
    .map((level): Curve => ({ name: `${level} V`, ...contourOf(nodes, level), style: 'segments' }))
    .filter((it) => it.x.length > 0)
  const onLines = (at: Rectangle): Rectangle => {
    const { left, right, bottom, top } = cellBoxOf(input, at)
    return { x0: left * dx, x1: right * dx, y0: bottom * dy, y1: top * dy }
  }
  const metal = electrodesOf(input).map((it) => outline(`${it.potential} V`, onLines(it), 'line'))
  const media = input.dielectrics.map((it) => outline(`ε ${it.permittivity}`, onLines(it), 'dashes'))
  const row = Math.floor(ny / 2)
  const middle = Float64Array.from({ length: nx + 1 }, (_, k) => values[row * (nx + 1) + k] as number)
  const places = Float64Array.from({ length: nx + 1 }, (_, k) => k * dx)
  const x = { name: 'x', unit: 'm' }
  return [
    {
      kind: 'map',
      title: 'Potential, equipotentials and electrodes',
      name: 'potential',
      unit: 'V',
      values,
      rows: ny + 1,
      columns: nx + 1,
      x: { ...x, low: 0, high: lx },
      y: { name: 'y', unit: 'm', low: 0, high: ly },
      palette: low < 0 ? 'diverging' : 'sequential',
      over: [...lines, ...media, ...metal],
    },
    {
      kind: 'curves',
      title: 'Potential along the middle row',
      x,
      y: { name: 'potential', unit: 'V' },
      curves: [{ name: `y = ${row * dy} m`, x: places, y: middle }],
    },
    {
      kind: 'curves',
      title: 'Convergence of multigrid',
      x: { name: 'iteration', unit: '1' },
      y: { name: 'relative residual', unit: '1', scale: 'log' },
      curves: [{ name: 'potential', x: residuals.map((_, k) => k), y: residuals }],
    },
  ]
}

const junctionPlots = (output: DeviceOutput): readonly Plot[] => {
  const places = numbers(output.x)
  const x = { name: 'x', unit: 'm' }
  const profile = (name: string, unit: string, y: ArrayLike<number>): Plot => ({
    kind: 'curves',
    title: `${name[0]?.toUpperCase()}${name.slice(1)} across the junction`,
    x,
    y: { name, unit },
    curves: [{ name, x: places, y }],
  })
  return [
    profile('potential', 'V', numbers(output.potential)),
    profile('field', 'V/m', numbers(output.field)),
    profile('charge', 'C/m^3', numbers(output.charge)),
  ]
}

/** Potential with equipotentials and electrodes; or the profiles of a junction. */
export const plotsOf = (input: DeviceInput, output: DeviceOutput): readonly Plot[] =>
  output.mode === 'junction' ? junctionPlots(output) : planePlots(input, output)
