import { sqrt } from '#numerics/math.ts'
import { mapAxes } from '#numerics/plot/draw-map.ts'
import { rangeOf } from '#numerics/plot/figures.ts'
import type { Curve, CurvesPlot, MapPlot, Plot } from '#numerics/plot/plot.ts'

/** How far two are apart, in the unit of what is shown. */
export interface PlotDistance {
  readonly most: number
  readonly rms: number
}

/** One plot of two answers: both together or beside each other, and what is between them where that can be said. */
export interface ComparedPlot {
  readonly title: string
  readonly unit: string
  readonly plots: readonly Plot[]
  readonly distance?: PlotDistance
  /** Whether B has other places than A, and was read between its own. */
  readonly between: boolean
}

const isSeries = ({ x, style }: Curve): boolean => {
  for (let i = 1; i < x.length; i++) if (!((x[i - 1] as number) < (x[i] as number))) return false
  return style !== 'segments' && x.length > 1
}

/** The cubic through four points of a series at a place (Lagrange); a straight line would add its own error. */
const cubicAt = ({ x, y }: Curve, first: number, place: number): number => {
  let sum = 0
  for (let i = first; i < first + 4; i++) {
    let weight = 1
    for (let k = first; k < first + 4; k++) {
      if (k !== i) weight *= (place - (x[k] as number)) / ((x[i] as number) - (x[k] as number))
    }
    sum += weight * (y[i] as number)
  }
  return sum
}

/** A series at a place: its own number where it has one, else on a cubic, of less than four points a line. */
const valueAt = ({ x, y }: Curve, place: number): number => {
  let [low, high] = [0, x.length - 1]
  if (!(place >= (x[low] as number) && place <= (x[high] as number))) return Number.NaN
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((x[middle] as number) <= place) low = middle
    else high = middle
  }
  const [from, to] = [x[low] as number, x[high] as number]
  if (place === from) return y[low] as number
  if (place === to) return y[high] as number
  if (x.length >= 4) return cubicAt({ name: '', x, y }, Math.min(Math.max(0, low - 1), x.length - 4), place)
  return (y[low] as number) + (((y[high] as number) - (y[low] as number)) * (place - from)) / (to - from)
}

const sameNumbers = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return a.length === b.length
}

const distanceOf = (values: readonly ArrayLike<number>[]): PlotDistance | undefined => {
  let [most, squares, count] = [0, 0, 0]
  for (const its of values) {
    for (let i = 0; i < its.length; i++) {
      const value = its[i] as number
      if (!Number.isFinite(value)) continue
      most = Math.max(most, Math.abs(value))
      squares += value * value
      count++
    }
  }
  return count === 0 ? undefined : { most, rms: sqrt(squares / count) }
}

const named = (curve: Curve, mark: string, dashed: boolean): Curve => ({
  ...curve,
  name: `${mark}: ${curve.name}`,
  ...(dashed && (curve.style ?? 'line') === 'line' && { style: 'dashes' as const }),
})

/** Curves of one name, or else of one number: those of A are lines, those of B dashes. */
const comparedCurves = (a: CurvesPlot, b: CurvesPlot): ComparedPlot => {
  const together: CurvesPlot = {
    ...a,
    title: `${a.title}: A and B`,
    curves: [...a.curves.map((it) => named(it, 'A', false)), ...b.curves.map((it) => named(it, 'B', true))],
  }
  const between = a.curves.flatMap((curve, i): readonly Curve[] => {
    const other = b.curves.find((it) => it.name === curve.name) ?? b.curves[i]
    if (other === undefined || !isSeries(curve) || !isSeries(other)) return []
    const y = Float64Array.from(curve.x, (place, k) => valueAt(other, place) - (curve.y[k] as number))
    return y.some(Number.isFinite) ? [{ name: curve.name, x: curve.x, y }] : []
  })
  const distance = distanceOf(between.map((it) => it.y))
  const isBetween = a.curves.some((curve) => !b.curves.some((other) => sameNumbers(other.x, curve.x)))
  const of = { title: a.title, unit: a.y.unit, between: isBetween }
  if (distance === undefined) return { ...of, plots: [together] }
  const difference: CurvesPlot = {
    kind: 'curves',
    title: `${a.title}: B − A`,
    x: a.x,
    y: { name: `difference of ${a.y.name}`, unit: a.y.unit },
    curves: between,
  }
  return { ...of, plots: [together, difference], distance }
}

/** A field at a place, bilinear between nodes; NaN beyond its cells. */
const fieldAt = (plot: MapPlot, x: number, y: number): number => {
  const { values, rows, columns } = plot
  const axes = mapAxes(plot)
  if (x < axes.x.low || x > axes.x.high || y < axes.y.low || y > axes.y.high) return Number.NaN
  const at = ({ low, high }: MapPlot['x'], place: number, nodes: number): readonly [number, number] => {
    const along = Math.min(Math.max(0, ((place - low) / (high - low)) * (nodes - 1)), nodes - 1)
    const first = Math.min(Math.floor(along), nodes - 2)
    return [first, along - first]
  }
  const [[column, across], [row, up]] = [at(plot.x, x, columns), at(plot.y, y, rows)]
  const node = (r: number, c: number): number => values[r * columns + c] as number
  const below = across === 0 ? node(row, column) : node(row, column) * (1 - across) + node(row, column + 1) * across
  if (up === 0) return below
  const above = node(row + 1, column) * (1 - across) + node(row + 1, column + 1) * across
  return below * (1 - up) + above * up
}

const isSameGrid = (a: MapPlot, b: MapPlot): boolean =>
  a.rows === b.rows &&
  a.columns === b.columns &&
  (['x', 'y'] as const).every((axis) => a[axis].low === b[axis].low && a[axis].high === b[axis].high)

const placeOf = ({ low, high }: MapPlot['x'], i: number, nodes: number): number =>
  low + ((high - low) * i) / (nodes - 1)

const comparedMaps = (a: MapPlot, b: MapPlot): ComparedPlot => {
  const [ofA, ofB] = [a.range ?? rangeOf(a.values), b.range ?? rangeOf(b.values)]
  const range = [Math.min(ofA[0], ofB[0]), Math.max(ofA[1], ofB[1])] as const
  const same = isSameGrid(a, b)
  const values = Float64Array.from({ length: a.values.length }, (_, i) => {
    const [column, row] = [i % a.columns, Math.floor(i / a.columns)]
    const [x, y] = [placeOf(a.x, column, a.columns), placeOf(a.y, row, a.rows)]
    return (same ? (b.values[i] as number) : fieldAt(b, x, y)) - (a.values[i] as number)
  })
  const distance = distanceOf([values])
  const { over: _, clip: __, ...plain } = a
  const difference: MapPlot = {
    ...plain,
    title: `${a.title}: B − A`,
    name: `difference of ${a.name}`,
    values,
    palette: 'diverging',
  }
  const both = [
    { ...a, range, title: `A: ${a.title}` },
    { ...b, range, title: `B: ${b.title}` },
  ]
  return {
    ...{ title: a.title, unit: a.unit, between: !same },
    plots: distance === undefined ? both : [...both, difference],
    ...(distance !== undefined && { distance }),
  }
}

/** The plots of two answers of one solver, pair by pair; what has no fellow of its kind is left out. */
export const comparedPlots = (a: readonly Plot[], b: readonly Plot[]): readonly ComparedPlot[] =>
  a.flatMap((one, i): readonly ComparedPlot[] => {
    const other = b[i]
    if (one.kind === 'curves' && other?.kind === 'curves') return [comparedCurves(one, other)]
    return one.kind === 'map' && other?.kind === 'map' ? [comparedMaps(one, other)] : []
  })
