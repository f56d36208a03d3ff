import type { Curve, Plot } from '#numerics/plot/plot.ts'
import { boxOf, objectiveFor } from './problem.ts'
import type { OptInput, OptOutput } from './schema.ts'

/** Nodes along a side of the landscape. */
const NODES = 96

/** What was left at each improvement: a minimum of exactly the least value is below any logarithm, and is left out. */
const convergence = ({ counts, values, minimum }: OptOutput): Plot => {
  const left = Float64Array.from(values, (value) => value - minimum)
  const shown = Array.from(left.keys()).filter((k) => left[k] > 0)
  // A search that found its best at once has nothing left to show: then its one value stands.
  const rows = shown.length > 0 ? shown : [0]
  const curve: Curve = {
    name: 'f − minimum',
    x: rows.map((k) => counts[k] as number),
    y: rows.map((k) => (shown.length > 0 ? left[k] : 1)),
  }
  return {
    kind: 'curves',
    title: 'Convergence',
    x: { name: 'evaluations', unit: '1', scale: 'log' },
    y: { name: 'f − minimum', unit: '1', scale: 'log' },
    curves: [curve],
  }
}

/** The function over the box with the way of the search; two coordinates. */
const landscape = (input: OptInput, { path, point }: OptOutput): Plot => {
  const { lower, upper } = boxOf(input)
  const objective = objectiveFor(input)
  const at = new Float64Array(2)
  const values = new Float64Array(NODES * NODES)
  for (let k = 0; k < values.length; k++) {
    const [row, column] = [Math.floor(k / NODES), k % NODES]
    at[0] = lower[0] + ((upper[0] - lower[0]) * column) / (NODES - 1)
    at[1] = lower[1] + ((upper[1] - lower[1]) * row) / (NODES - 1)
    values[k] = objective(at)
  }
  const coordinates = (axis: number): Float64Array =>
    Float64Array.from({ length: path.length / 2 }, (_, k) => path[2 * k + axis] as number)
  return {
    kind: 'map',
    title: 'Landscape and search',
    name: 'f',
    unit: '1',
    values,
    rows: NODES,
    columns: NODES,
    x: { name: 'x1', unit: '1', low: lower[0], high: upper[0] },
    y: { name: 'x2', unit: '1', low: lower[1], high: upper[1] },
    over: [
      { name: 'least so far', x: coordinates(0), y: coordinates(1) },
      { name: 'minimum', x: [point[0] as number], y: [point[1] as number], style: 'points' },
    ],
  }
}

/** The function along its one coordinate. */
const profile = (input: OptInput, { point, minimum }: OptOutput): Plot => {
  const { lower, upper } = boxOf(input)
  const objective = objectiveFor(input)
  const places = Float64Array.from(
    { length: 4 * NODES },
    (_, k) => lower[0] + ((upper[0] - lower[0]) * k) / (4 * NODES - 1),
  )
  return {
    kind: 'curves',
    title: 'Function and minimum',
    x: { name: 'x1', unit: '1' },
    y: { name: 'f', unit: '1' },
    curves: [
      { name: 'f', x: places, y: places.map((x) => objective(Float64Array.of(x))) },
      { name: 'minimum', x: [point[0] as number], y: [minimum], style: 'points' },
    ],
  }
}

const coordinatesOf = ({ point, dimension }: OptOutput): Plot => ({
  kind: 'curves',
  title: 'The point',
  x: { name: 'coordinate', unit: '1' },
  y: { name: 'x', unit: '1' },
  curves: [{ name: 'x', x: Array.from({ length: dimension }, (_, i) => i + 1), y: point, style: 'stems' }],
})

/** Convergence; and the landscape with the path in two coordinates, the function in one, the point in more. */
export const plotsOf = (input: OptInput, output: OptOutput): readonly Plot[] => {
  const first = convergence(output)
  if (input.dimension === 2) return [landscape(input, output), first]
  return [first, input.dimension === 1 ? profile(input, output) : coordinatesOf(output)]
}
