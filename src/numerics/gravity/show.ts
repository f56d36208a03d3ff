import type { Curve, Plot } from '#numerics/plot/plot.ts'
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

/** Orbits in the plane of the farthest motion, and the drift of the energy; fields of bodies without positions. */
export const plotsOf = (_: MultibodyInput, output: MultibodyOutput): readonly Plot[] => {
  if (output.positions !== null) return [orbits(output, output.positions), drift(output)]
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
