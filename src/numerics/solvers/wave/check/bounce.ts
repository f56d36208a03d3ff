import { type Layer, LIGHT, layersOf } from '#numerics/solvers/wave/problem.ts'
import type { WaveInput } from '#numerics/solvers/wave/schema.ts'

const POINTS = 6

/** Lagrange's interpolation through the six places nearest to x among those from `low` to `high` (indices). */
const interpolated = (
  values: Float64Array,
  { x, first, spacing, low, high }: { x: number; first: number; spacing: number; low: number; high: number },
): number => {
  const position = (x - first) / spacing
  const start = Math.max(low, Math.min(high - POINTS + 1, Math.floor(position) - 2))
  let sum = 0
  for (let i = 0; i < POINTS; i++) {
    let weight = 1
    for (let j = 0; j < POINTS; j++) if (j !== i) weight *= (position - start - j) / (i - j)
    sum += weight * values[start + i]
  }
  return sum
}

/** A wave that runs to the right (+1) or to the left (−1) in a layer, met at one of its planes with time left. */
interface Ray {
  readonly layer: number
  readonly way: 1 | -1
  /** How often each layer was crossed whole on the way back. */
  readonly crossed: readonly number[]
  weight: number
}

/** The exact fields of layered vacuum by tracing each wave back along its characteristics to time 0. */
export const bouncing = (input: WaveInput, electric: Float64Array, flux: Float64Array) => {
  const layers = layersOf(input)
  const ring = input.boundary === 'periodic'
  const dx = input.lx / input.nx
  const startOf = (layer: number, way: 1 | -1, x: number): number => {
    const { from, to, index } = layers[layer] as Layer
    const slack = 1e-9
    const node = { low: Math.ceil(from / dx - slack), high: Math.floor(to / dx + slack) }
    const half = { low: Math.ceil(from / dx - 0.5 - slack), high: Math.floor(to / dx - 0.5 + slack) }
    const e = interpolated(electric, { x, first: 0, spacing: dx, ...node })
    const b = interpolated(flux, { x, first: dx / 2, spacing: dx, ...half })
    return (e + (way * b) / index) / 2
  }
  /** What runs out of the plane that a ray comes from: its own layer's other wave, and the neighbour's. */
  const sources = ({ layer, way, crossed, weight }: Ray): readonly Ray[] => {
    const beside = layer - way
    const outside = beside < 0 || beside >= layers.length
    const back = -way as 1 | -1
    if (outside && !ring) return [{ layer, way: back, crossed, weight: -weight }]
    const other = (beside + layers.length) % layers.length
    const [here, there] = [(layers[layer] as Layer).index, (layers[other] as Layer).index]
    const through = { layer: other, way, crossed, weight: (weight * 2 * there) / (here + there) }
    if (here === there) return [through]
    return [through, { layer, way: back, crossed, weight: (weight * (here - there)) / (here + there) }]
  }
  /** The wave that runs one way through x at a time: every ray that reaches time 0 adds what it finds there. */
  const wave = (layer: number, way: 1 | -1, { x, time }: { x: number; time: number }): number => {
    const speed = (at: number): number => LIGHT / (layers[at] as Layer).index
    const { from, to } = layers[layer] as Layer
    const seconds = (way === 1 ? x - from : to - x) / speed(layer)
    if (time <= seconds) return startOf(layer, way, x - way * speed(layer) * time)
    let sum = 0
    let rays: readonly Ray[] = sources({ layer, way, crossed: layers.map(() => 0), weight: 1 })
    while (rays.length > 0) {
      const next = new Map<string, Ray>()
      for (const ray of rays) {
        const spent = ray.crossed.reduce((all, n, i) => all + n * (layers[i] as Layer).seconds, seconds)
        const plane = layers[ray.layer] as Layer
        if (time - spent <= plane.seconds) {
          const end = ray.way === 1 ? plane.to : plane.from
          sum += ray.weight * startOf(ray.layer, ray.way, end - ray.way * speed(ray.layer) * (time - spent))
          continue
        }
        const crossed = ray.crossed.map((n, i) => (i === ray.layer ? n + 1 : n))
        for (const source of sources({ ...ray, crossed })) {
          const key = `${source.layer} ${source.way} ${crossed.join(' ')}`
          const same = next.get(key)
          if (same === undefined) next.set(key, source)
          else same.weight += source.weight
        }
      }
      rays = [...next.values()]
    }
    return sum
  }
  // Without layers everything is back after light has gone there and back: whole turns need not be traced.
  const turn = layers.length === 1 ? 2 * (layers[0] as Layer).seconds : Number.POSITIVE_INFINITY
  const at = (x: number, ago: number): { readonly electric: number; readonly flux: number } => {
    const time = ago < turn ? ago : ago % turn
    const layer = layers.findIndex(({ to }) => x <= to)
    const [right, left] = [wave(layer, 1, { x, time }), wave(layer, -1, { x, time })]
    return { electric: right + left, flux: (layers[layer] as Layer).index * (right - left) }
  }
  return { at }
}
