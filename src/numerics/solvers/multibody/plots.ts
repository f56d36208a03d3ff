import type { Curve, Plot } from '#numerics/plot/plot.ts'
import { lengthOf } from './check/measures.ts'
import type { MultibodyInput, MultibodyOutput } from './schema.ts'

/** Bodies that a picture shows the way of at most; the others by their last place alone. */
const WAYS_MAX = 24

const AXES = ['x', 'y', 'z'] as const

/** The two axes over which the bodies move farthest, in their order: the plane they are looked at in. */
const planeOf = (trajectory: readonly number[]): readonly [number, number] => {
  const extents = [0, 1, 2].map((axis) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (let at = axis; at < trajectory.length; at += 3) {
      low = Math.min(low, trajectory[at] as number)
      high = Math.max(high, trajectory[at] as number)
    }
    return high - low
  })
  const least = extents.lastIndexOf(Math.min(...extents))
  return least === 0 ? [1, 2] : least === 1 ? [0, 2] : [0, 1]
}

const orbits = ({ n, trajectory, times }: MultibodyOutput, places: readonly number[]): Plot => {
  const rows = trajectory ?? []
  const count = times?.length ?? 0
  const [across, up] = planeOf(rows)
  const along = (body: number, axis: number): Float64Array =>
    Float64Array.from({ length: count }, (_, k) => rows[3 * (k * n + body) + axis] as number)
  const way = (body: number): Curve => ({ name: `body ${body + 1}`, x: along(body, across), y: along(body, up) })
  const last = (axis: number): Float64Array =>
    Float64Array.from({ length: n }, (_, i) => places[3 * i + axis] as number)
  const ends: Curve = { name: 'at the end', x: last(across), y: last(up), style: 'points' }
  return {
    kind: 'curves',
    title: 'Orbits',
    x: { name: AXES[across as 0 | 1 | 2], unit: 'm' },
    y: { name: AXES[up as 0 | 1 | 2], unit: 'm' },
    curves: [...Array.from({ length: Math.min(n, WAYS_MAX) }, (_, body) => way(body)), ends],
    equal: true,
  }
}

/** Bodies whose every pair is shown; of more, each body's nearest other. */
const PAIRS_BODIES_MAX = 4
/** Widest that a pair may be, as a share of the whole picture, for its own orbit to be shown beside it. */
const TIGHT = 0.1

/** Way of one body about another, over three axes, in every sample. */
const between = ({ n, trajectory, times }: MultibodyOutput, of: number, about: number): Float64Array =>
  Float64Array.from({ length: 3 * (times?.length ?? 0) }, (_, at) => {
    const row = 3 * n * Math.floor(at / 3) + (at % 3)
    return (trajectory?.[row + 3 * of] as number) - (trajectory?.[row + 3 * about] as number)
  })

/** Lengths of the rows of three. */
const lengths = (way: Float64Array): Float64Array =>
  Float64Array.from({ length: way.length / 3 }, (_, k) => lengthOf([way[3 * k], way[3 * k + 1], way[3 * k + 2]]))

const widest = (distances: Float64Array): number => distances.reduce((most, it) => Math.max(most, it), 0)

interface Pair {
  readonly of: number
  readonly about: number
  readonly distances: Float64Array
}

/** All pairs, the lighter of the two about the heavier. */
const pairsOf = ({ bodies }: MultibodyInput, output: MultibodyOutput): readonly Pair[] =>
  bodies.flatMap((one, i) =>
    bodies.slice(0, i).map((other, j) => {
      const [of, about] = one.mass <= other.mass ? [i, j] : [j, i]
      return { of, about, distances: lengths(between(output, of, about)) }
    }),
  )

/** A pair that stays close while others are far: in the picture of all it is one line, so that it has its own. */
const tightOrbit = (output: MultibodyOutput, pairs: readonly Pair[]): readonly Plot[] => {
  const [closest, ...rest] = pairs.toSorted((a, b) => widest(a.distances) - widest(b.distances))
  const last = rest.at(-1)
  if (closest === undefined || last === undefined) return []
  if (!(widest(closest.distances) <= TIGHT * widest(last.distances))) return []
  const { of, about } = closest
  const way = between(output, of, about)
  const [across, up] = planeOf(way as unknown as readonly number[])
  const along = (axis: number): Float64Array => way.filter((_, at) => at % 3 === axis)
  return [
    {
      kind: 'curves',
      title: `Body ${of + 1} about body ${about + 1}`,
      x: { name: AXES[across as 0 | 1 | 2], unit: 'm' },
      y: { name: AXES[up as 0 | 1 | 2], unit: 'm' },
      curves: [
        { name: `body ${of + 1}`, x: along(across), y: along(up) },
        { name: `body ${about + 1}`, x: [0], y: [0], style: 'points' },
      ],
      equal: true,
    },
  ]
}

/** How far bodies are from each other, whatever their sizes. */
const distancesPlot = ({ n, times }: MultibodyOutput, pairs: readonly Pair[]): Plot => {
  const each = n <= PAIRS_BODIES_MAX
  const nearest = (body: number): Float64Array =>
    Float64Array.from(times ?? [], (_, k) =>
      pairs.reduce(
        (least, { of, about, distances }) => (of === body || about === body ? Math.min(least, distances[k]) : least),
        Number.POSITIVE_INFINITY,
      ),
    )
  const curves = each
    ? pairs.map(({ of, about, distances }) => ({ name: `${about + 1} to ${of + 1}`, y: distances }))
    : Array.from({ length: n }, (_, body) => ({ name: `body ${body + 1}`, y: nearest(body) }))
  return {
    kind: 'curves',
    title: each ? 'Distances between the bodies' : 'Distance of each body from its nearest',
    x: { name: 'time', unit: 's' },
    y: { name: 'distance', unit: 'm', scale: 'log' },
    curves: curves.map((curve) => ({ ...curve, x: times ?? [] })),
  }
}

const drift = ({ times, energies }: MultibodyOutput): Plot => {
  const start = energies?.[0] ?? Number.NaN
  const y = Float64Array.from(energies ?? [], (energy) => (100 * (energy - start)) / Math.abs(start))
  return {
    kind: 'curves',
    title: 'Drift of the energy',
    x: { name: 'time', unit: 's' },
    y: { name: '(E − E0)/|E0|', unit: '%' },
    curves: [{ name: 'drift', x: times ?? [], y }],
  }
}

/**
 * Orbits in the plane of the farthest motion, of few bodies also their distances and a close pair by itself, and the
 * drift of the energy; fields of bodies without positions.
 */
export const plotsOf = (input: MultibodyInput, output: MultibodyOutput): readonly Plot[] => {
  if (output.positions !== null) {
    const pairs = output.n <= WAYS_MAX ? pairsOf(input, output) : []
    const few = pairs.length > 0 ? [...tightOrbit(output, pairs), distancesPlot(output, pairs)] : []
    return [orbits(output, output.positions), ...few, drift(output)]
  }
  const phi = output.phi ?? []
  const bodies = Float64Array.from(phi, (_, i) => i + 1)
  return [
    {
      kind: 'curves',
      title: 'Fields at the end',
      x: { name: 'body', unit: '1' },
      y: { name: 'phi', unit: '1' },
      curves: [{ name: 'phi', x: bodies, y: phi, style: 'stems' }],
    },
  ]
}

/** The same bodies from where they ended: places and velocities, or fields and rates. */
export const continuedOf = (input: MultibodyInput, output: MultibodyOutput): MultibodyInput => {
  const { positions, velocities, phi, phiRate } = output
  const three = (values: readonly number[], i: number): number[] => Array.from(values.slice(3 * i, 3 * i + 3))
  return {
    ...input,
    bodies: input.bodies.map(({ mass }, i) =>
      positions !== null && velocities !== null
        ? { mass, position: three(positions, i), velocity: three(velocities, i) }
        : { mass, phi0: phi?.[i] ?? 0, dphi0: phiRate?.[i] ?? 0 },
    ),
  }
}
