import { Fault } from '#core/fault.ts'
import { sqrt } from '#numerics/math.ts'
import { gridOf } from '#numerics/methods/diffusion/grid.ts'
import { isStartOf } from '#numerics/methods/diffusion/recompute-start.ts'
import { asField, type Distance, distanceOf, localErrorOf, squaresOf } from '#numerics/methods/fields.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import { grounded, LIGHT, layersOf, nodesOf, scheduleOf, startOf } from '#numerics/solvers/wave/problem.ts'
import type { WaveInput, WaveOutput } from '#numerics/solvers/wave/schema.ts'
import { bouncing } from './bounce.ts'
import { lightEnergyOf, MAGNETIC } from './light-energy.ts'
import { isScheduled, recomputeReadings, repeats } from './recompute-readings.ts'
import { exactWave } from './reference.ts'

/** Share of the start below which the exact field is too small to measure an error against. */
const SIGNAL_MIN = 1e-12
/** What recomputing a number from the fields that were sent may differ by. */
const ROUNDING = 1e-12

/** The start that the input states, in the words of a field on a plane or a line. */
const isProblemOf = (input: WaveInput, start: Float64Array): boolean => {
  const { mode, dim, nx, ny, lx, ly, boundary, initial } = input
  const kind = boundary === 'free' ? 'insulated' : boundary
  const asked = {
    ...{ dim: mode === 'maxwell' ? 1 : dim, nx, ny, lx, ly },
    initial: { ...initial, width: 0, height: 0 },
    boundary: { kind, temperature: 0 },
  } as const
  return isStartOf(asked, start)
}

/** Whether every member that only repeats or follows from the input does so, and the fields have their shapes. */
const echoes = (input: WaveInput, output: WaveOutput, start: Float64Array): boolean => {
  const light = input.mode === 'maxwell'
  const { rows, columns } = gridOf(nodesOf(input))
  const lengths = [output.displacement, output.velocity, output.electric, output.magnetic].map((it) => it?.length)
  const nodes = rows * columns
  const due = light ? [undefined, undefined, nodes, input.nx] : [nodes, nodes, undefined, undefined]
  const schedule = scheduleOf(input)
  return (
    repeats(input, output, schedule) &&
    isScheduled(input, schedule) &&
    isProblemOf(input, start) &&
    lengths.every((length, i) => length === due[i])
  )
}

/** The largest value without sign. */
const largestOf = (field: Float64Array, grid: { readonly rows: number; readonly columns: number }): number => {
  const { minimum, maximum } = squaresOf(field, grid)
  return Math.max(Math.abs(minimum), Math.abs(maximum))
}

/** The part of the largest value that a number counts as at least: near its zero none has an error of its own. */
const SHARE_MIN = 0.1

/** The exact main field, its energy, and what an energy counts as at least. */
interface Due {
  readonly main: Float64Array
  readonly energy: number
  readonly energyLeast: number
}

/**
 * Errors of the numbers read off the fields, in percent: rms, centre and extremes are those of the fields that were
 * sent; centre, extremes and energy are held to the exact ones too, each on its own scale.
 */
const readingsOf = (input: WaveInput, output: WaveOutput, { found, due }: { found: Float64Array; due: Due }) => {
  const [own, exact] = [recomputeReadings(input, found), recomputeReadings(input, due.main)]
  const names = ['centre', 'minimum', 'maximum'] as const
  // What is read off one node has no rounding: another number is another node's.
  const read = names.map((name) => (output[name] === own[name] ? 0 : 1))
  const least = SHARE_MIN * Math.max(Math.abs(exact.minimum), Math.abs(exact.maximum))
  const nodes = names.map((name) => Math.abs(output[name] - exact[name]) / Math.max(Math.abs(exact[name]), least))
  const energy = Math.abs(output.energy - due.energy) / Math.max(due.energy, due.energyLeast)
  const off = [...read, ...nodes, Math.abs(output.rms - own.rms) / own.rms, energy]
  // What agrees to rounding is no error; NaN stays one.
  const most = off.reduce((largest, it) => Math.max(largest, it <= ROUNDING ? 0 : it), 0)
  return { most: 100 * most, figures: { energy_pct: 100 * energy, read_nodes_pct: 100 * Math.max(...nodes) } }
}

/** Two fields that together carry the energy, each on its own scale. */
interface Pair {
  readonly main: Float64Array
  readonly other: Float64Array
}

/** How far both are from the exact ones. */
interface Distances {
  readonly main: Distance
  readonly other: Distance
}

const distancesOf = (found: Pair, exact: Pair): Distances => ({
  main: distanceOf(found.main, exact.main),
  other: distanceOf(found.other, exact.other),
})

const judged = (
  against: string,
  {
    found,
    exact,
    distances,
    columns,
    otherColumns,
    beyond,
  }: {
    readonly found: Pair
    readonly exact: Pair & { readonly otherScale: number; readonly otherMost: number }
    readonly distances: Distances
    readonly columns: number
    readonly otherColumns: number
    readonly beyond: 'mirror' | 'ring'
  },
  {
    start,
    readings,
    figures,
  }: {
    readonly start: number
    readonly readings: ReturnType<typeof readingsOf>
    readonly figures: Readonly<Record<string, number>>
  },
): Reality => {
  const { main, other } = distances
  if (!(main.largest > SIGNAL_MIN * start)) {
    throw new Fault('ILL_POSED', 'The exact field passes through zero at this time: nothing to measure an error on.', {
      measured: main.largest / start,
      limit: SIGNAL_MIN,
    })
  }
  const l2 = (100 * main.error) / main.norm
  const otherPct = (100 * other.error) / (exact.otherScale * sqrt(exact.other.length))
  const local = (100 * localErrorOf(found.main, exact.main, { columns, beyond })) / main.largest
  const otherLocal = (100 * localErrorOf(found.other, exact.other, { columns: otherColumns, beyond })) / exact.otherMost
  const errorsPct = [l2, otherPct, local, otherLocal, readings.most]
  const broken = errorsPct.some((error) => !Number.isFinite(error))
  return {
    against,
    errorPct: broken ? Number.NaN : Math.max(...errorsPct),
    figures: {
      l2_pct: l2,
      second_field_pct: otherPct,
      local_pct: Math.max(local, otherLocal),
      worst_node_pct: (100 * main.errorMost) / main.largest,
      ...readings.figures,
      ...figures,
    },
  }
}

/** The velocities at time 0, or undefined where everything is at rest. */
const movingOf = (input: WaveInput): Float64Array | undefined => {
  const given = input.initial.velocities
  if (given === undefined) return undefined
  const raw = asField(given)
  const velocity = input.boundary === 'fixed' ? grounded(raw, nodesOf(input)) : raw
  return velocity.some((v) => v !== 0) ? velocity : undefined
}

const checkMembrane = (input: WaveInput, output: WaveOutput, displacement: Float64Array): Reality => {
  const { time, dt, courant } = scheduleOf(input)
  const velocity = movingOf(input)
  const reference = exactWave(input, { displacement, velocity, time })
  const exact: Pair = { main: reference.displacement, other: reference.velocity }
  const found: Pair = { main: asField(output.displacement ?? []), other: asField(output.velocity ?? []) }
  const distances = distancesOf(found, exact)
  const grid = gridOf(nodesOf(input))
  // The scale of velocities is that of the whole motion, at least what crossing the plate takes: a membrane at the turn
  // of its swing is at rest, and one that only shifts as a whole has no motion at all.
  const natural = (input.c * distances.main.largest) / Math.max(input.lx, input.ly)
  const { energy } = reference
  const swing = sqrt(2 * energy)
  const moved = velocity === undefined ? 0 : largestOf(velocity, grid) * time
  return judged(
    'each sine, cosine or Fourier mode of the start turned by cos(c·k·t) with the k of the continuum',
    {
      found,
      exact: {
        ...exact,
        otherScale: Math.max(swing, natural),
        otherMost: Math.max(distances.other.largest, swing, natural),
      },
      distances,
      columns: grid.columns,
      otherColumns: grid.columns,
      beyond: 'mirror',
    },
    {
      start: Math.max(largestOf(displacement, grid), moved),
      readings: readingsOf(input, output, {
        found: found.main,
        due: { main: exact.main, energy, energyLeast: natural * natural * SIGNAL_MIN },
      }),
      figures: { courant, dt },
    },
  )
}

const checkLight = (input: WaveInput, output: WaveOutput, electric: Float64Array): Reality => {
  const { time, dt, courant } = scheduleOf(input)
  const flux = Float64Array.from(input.initial.flux ?? new Float64Array(input.nx), (b) => b * LIGHT)
  const { at } = bouncing(input, electric, flux)
  const dx = input.lx / input.nx
  const exact = {
    main: Float64Array.from({ length: input.nx + 1 }, (_, i) => at(Math.min(input.lx, i * dx), time).electric),
    other: Float64Array.from({ length: input.nx }, (_, i) => at((i + 0.5) * dx, time).flux),
  }
  const found = {
    main: asField(output.electric ?? []),
    other: Float64Array.from(output.magnetic ?? [], (b) => b * LIGHT),
  }
  const energy = lightEnergyOf(input, at)
  // The electric field that a wave of all this energy would have if all of it were electric.
  const filled = layersOf(input).reduce((sum, { from, to, index }) => sum + ((to - from) * index * index) / input.lx, 0)
  const swing = LIGHT * sqrt((2 * MAGNETIC * energy) / filled)
  const distances = distancesOf(found, exact)
  return judged(
    'waves traced back along their characteristics through every reflection, to the start',
    {
      found,
      exact: { ...exact, otherScale: swing, otherMost: Math.max(distances.other.largest, swing) },
      distances,
      columns: input.nx + 1,
      otherColumns: input.nx,
      beyond: 'mirror',
    },
    {
      start: swing,
      readings: readingsOf(input, output, { found: found.main, due: { main: exact.main, energy, energyLeast: 0 } }),
      figures: {
        layers: layersOf(input).length,
        courant,
        dt,
      },
    },
  )
}

/**
 * Checks a wave: both fields against the exact ones (relative L2 of the displacement or the electric field; the other
 * on the scale of the whole motion), single nodes that stand out from their neighbours, and the numbers read off them.
 *
 * @throws Fault ILL_POSED when the exact field is below 1e-12 of the start.
 */
export const checkWave = (input: WaveInput, output: WaveOutput): Reality => {
  const start = startOf(input)
  if (!echoes(input, output, start)) {
    return { against: 'what the answer repeats of the input', errorPct: 100, figures: { echo_wrong: 1 } }
  }
  return input.mode === 'maxwell' ? checkLight(input, output, start) : checkMembrane(input, output, start)
}
