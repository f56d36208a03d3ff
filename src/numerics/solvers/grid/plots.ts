import { cos, sin, sqrt, TAU } from '#numerics/math.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import type { GridOutput } from './schema.ts'

/** Buses of the largest grid that is laid out by distances; larger ones stand in rows of equal distance. */
const SPREAD_MAX = 300
const ROUNDS = 120
/** Bars of the largest flows. */
const BARS_MAX = 40

interface Places {
  readonly x: Float64Array
  readonly y: Float64Array
}

type Ends = readonly (readonly [number, number])[]

const endsOf = ({ ends }: GridOutput): Ends =>
  Array.from({ length: ends.length / 2 }, (_, k) => [(ends[2 * k] ?? 1) - 1, (ends[2 * k + 1] ?? 1) - 1] as const)

/** Lines between any bus and one, by breadth-first search; buses of other islands are as far as there are buses. */
const distancesFrom = (first: number, near: readonly (readonly number[])[]): Float64Array => {
  const distance = new Float64Array(near.length).fill(near.length)
  distance[first] = 0
  const queue = [first]
  for (let head = 0; head < queue.length; head++) {
    const bus = queue[head] as number
    for (const there of near[bus] ?? []) {
      if (distance[there] < near.length) continue
      distance[there] = distance[bus] + 1
      queue.push(there)
    }
  }
  return distance
}

/** Places whose distances are near those along the lines, by stress majorisation (Gansner, Koren, North, GD 2004). */
const spread = (distances: readonly Float64Array[]): Places => {
  const n = distances.length
  const x = Float64Array.from({ length: n }, (_, i) => (n / 8) * cos((TAU * i) / n))
  const y = Float64Array.from({ length: n }, (_, i) => (n / 8) * sin((TAU * i) / n))
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < n; i++) {
      let [weights, toX, toY] = [0, 0, 0]
      for (let j = 0; j < n; j++) {
        if (j === i) continue
        const wanted = Math.min(distances[i]?.[j] ?? 1, sqrt(n) + 2)
        const weight = 1 / (wanted * wanted)
        const [dx, dy] = [x[i] - x[j], y[i] - y[j]]
        const away = wanted / (sqrt(dx * dx + dy * dy) + 1e-9)
        weights += weight
        toX += weight * (x[j] + away * dx)
        toY += weight * (y[j] + away * dy)
      }
      x[i] = toX / weights
      y[i] = toY / weights
    }
  }
  return { x, y }
}

const rows = (distance: Float64Array): Places => {
  const filled = new Map<number, number>()
  const x = Float64Array.from(distance, (row) => {
    const at = filled.get(row) ?? 0
    filled.set(row, at + 1)
    return at
  })
  return { x, y: distance.map((row) => -row) }
}

const placesOf = (buses: number, ends: Ends): Places => {
  const near = Array.from({ length: buses }, (): number[] => [])
  for (const [from, to] of ends) {
    near[from]?.push(to)
    near[to]?.push(from)
  }
  if (buses > SPREAD_MAX) return rows(distancesFrom(0, near))
  return spread(near.map((_, bus) => distancesFrom(bus, near)))
}

/** The grid with its flows as colours, the largest flows as bars, and what outages would bring. */
export const plotsOf = (output: GridOutput): readonly Plot[] => {
  const ends = endsOf(output)
  const places = placesOf(output.buses, ends)
  const both = (axis: Float64Array): Float64Array =>
    Float64Array.from(ends.flatMap(([from, to]) => [axis[from], axis[to]]))
  const label = (line: number): string => `${(ends[line]?.[0] ?? 0) + 1}–${(ends[line]?.[1] ?? 0) + 1}`
  const ranked = (values: readonly number[]): readonly number[] =>
    Array.from(values, (_, k) => k)
      .sort((a, b) => Math.abs(values[b] ?? 0) - Math.abs(values[a] ?? 0) || a - b)
      .slice(0, BARS_MAX)
  const bars = (title: string, about: string, values: readonly number[]): Plot => {
    const chosen = ranked(values)
    const amounts = chosen.map((k) => values[k] ?? 0)
    return { kind: 'bars', title, name: 'flow', unit: 'MW', about, labels: chosen.map(label), values: amounts }
  }
  const shade = { name: 'flow', unit: 'MW', values: Array.from(output.flows, Math.abs) }
  const plots: Plot[] = [
    {
      kind: 'curves',
      title: 'One-line diagram: flows by colour',
      x: { name: 'no scale', unit: '1' },
      y: { name: 'no scale', unit: '1' },
      curves: [
        { name: 'lines', x: both(places.x), y: both(places.y), style: 'segments', shade },
        { name: 'buses', x: places.x, y: places.y, style: 'points' },
      ],
      equal: true,
    },
    bars('Line flows', 'line', output.flows),
  ]
  if (output.worstFlows.length > 0)
    plots.push(bars('Largest flow when a line is out', 'line that is out', output.worstFlows))
  return plots
}
