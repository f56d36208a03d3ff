import { Fault } from '#core/fault.ts'
import { log, sqrt } from '#numerics/math.ts'
import { exactWaveAt, tissueOf, waveSpeed } from './problem.ts'
import { LENGTH_MAX, NY_MIN, type TumorInput } from './schema.ts'

const NODES_MAX = 263_169
/** Growth over one step that the splitting takes at most. */
const GROWTH_MAX = 2
/** Density at a wall ahead of a front above which the front has reached it. */
export const WALL_MAX = 1e-6

const refuseForm = (input: TumorInput): void => {
  const { rows, columns } = tissueOf(input)
  const nodes = rows * columns
  if (nodes > NODES_MAX) {
    const ny = Math.floor(NODES_MAX / columns) - 1
    throw new Fault('WORK_LIMIT_EXCEEDED', `The grid has ${nodes} nodes; ${NODES_MAX} are allowed.`, {
      measured: nodes,
      limit: NODES_MAX,
      ...(ny >= NY_MIN ? { ny } : { nx: Math.floor(NODES_MAX / (NY_MIN + 1)) - 1, ny: NY_MIN }),
    })
  }
  const { kind, values } = input.initial
  const path = '/initial/values'
  if (kind !== 'values' && values !== undefined)
    throw new Fault('INVALID_INPUT', `${path}: needs kind values.`, { path })
  if (kind !== 'values') return
  if (values?.length !== nodes) {
    const length = values?.length ?? 0
    const why = `${path}: has ${length} numbers; the grid has ${nodes} nodes.`
    throw new Fault('INVALID_INPUT', why, { path, measured: length, limit: nodes })
  }
  const out = values.find((value) => value < -WALL_MAX || value > 1 + WALL_MAX)
  if (out !== undefined) {
    throw new Fault('OUT_OF_RANGE', `${path}: a density of ${out} is not within 0 to 1.`, {
      path,
      measured: out,
      limit: 1,
    })
  }
}

const refuseStep = ({ rho, dt }: TumorInput): void => {
  const growth = rho * dt
  if (growth <= GROWTH_MAX) return
  const most = GROWTH_MAX / rho
  throw new Fault('UNSTABLE_STEP', `rho·dt is ${growth}; it must be <= ${GROWTH_MAX}, that is dt <= ${most} s.`, {
    measured: growth,
    limit: GROWTH_MAX,
    dt: most,
  })
}

/**
 * The logarithm of what no density at the nearest wall can exceed after a time: the solution of the equation without
 * competition from the same hill, doubled for each wall that sends it back.
 */
const hillAtWall = ({ dim, D, rho, lx, ly, initial }: TumorInput, time: number): number => {
  const side = (length: number, place: number) => {
    const width = initial.sigma * length * (initial.sigma * length)
    const wide = width + 2 * D * time
    const gap = Math.min(place, 1 - place) * length
    return { fall: (gap * gap) / (2 * wide), thin: log(width / wide) / 2 }
  }
  const sides = [side(lx, initial.x), ...(dim === 1 ? [] : [side(ly, initial.y)])]
  const fall = Math.min(...sides.map((it) => it.fall))
  const thin = sides.reduce((sum, it) => sum + it.thin, 0)
  return log(initial.amplitude) + rho * time + thin - fall + sides.length * log(2)
}

const farthest = (input: TumorInput, reaches: (time: number) => boolean): number => {
  let [low, high] = [0, input.steps]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (reaches(middle * input.dt)) high = middle
    else low = middle
  }
  return low
}

/**
 * What passes where no number of steps does: a length on which the wave's tail, (1 + e^z)⁻² with e^z = 999, is clear of
 * the wall at the end; for a hill, whose width is a part of the length, walls that are meant.
 */
const roomFor = (input: TumorInput): Readonly<Record<string, unknown>> => {
  const { D, rho, dt, steps, initial } = input
  if (initial.kind !== 'wave') return { walls: 'closed' }
  const free = 1 - initial.x
  const length = (log(1_000) * sqrt((6 * D) / rho) + waveSpeed(input) * dt * steps) / free
  return free > 0 && length <= LENGTH_MAX ? { lx: length } : {}
}

const refuseWall = (input: TumorInput): void => {
  const { initial, lx, dt, steps } = input
  // Walls are no part of the exact wave: it must be clear of them in any case.
  if (initial.kind === 'values' || (initial.kind !== 'wave' && input.walls === 'closed')) return
  const reaches = (time: number): boolean =>
    initial.kind === 'wave' ? exactWaveAt(input, lx, time) > WALL_MAX : hillAtWall(input, time) > log(WALL_MAX)
  if (!reaches(dt * steps)) return
  const measured = initial.kind === 'wave' ? exactWaveAt(input, lx, dt * steps) : WALL_MAX
  const speed = initial.kind === 'wave' ? waveSpeed(input) : 2 * sqrt(input.D * input.rho)
  const said = `The front reaches a wall (density above ${WALL_MAX})`
  const passing = reaches(0) ? 0 : farthest(input, reaches)
  if (passing > 0) {
    throw new Fault('ILL_POSED', `${said}; up to ${passing} steps it does not.`, {
      measured,
      limit: WALL_MAX,
      steps: passing,
      t_max: passing * dt,
      speed,
    })
  }
  const when = reaches(0) ? 'at time 0 it is there already' : 'the first step takes it there'
  throw new Fault('ILL_POSED', `${said}; ${when}.`, { measured, limit: WALL_MAX, ...roomFor(input), speed })
}

/**
 * What can be refused without the densities of the start.
 *
 * @throws Fault WORK_LIMIT_EXCEEDED (grid), INVALID_INPUT and OUT_OF_RANGE (values), UNSTABLE_STEP (rho·dt above 2,
 * with the dt that passes) and ILL_POSED (a front that reaches a wall, with the steps that pass, or the length
 * or kind of walls where none do).
 */
export const refuseTumor = (input: TumorInput): void => {
  refuseForm(input)
  refuseStep(input)
  refuseWall(input)
}

/**
 * Asked where the run is, which makes the start anyway.
 *
 * @param start the density at every node at time 0.
 * @throws Fault ILL_POSED: no cells, or tissue full of them.
 */
export const refuseStill = (start: Float64Array): void => {
  const none = WALL_MAX * WALL_MAX
  if (start.some((u) => u > none) && start.some((u) => u < 1 - none)) return
  const why = 'The tissue is empty or full: nothing grows, and there is nothing to measure an error against.'
  throw new Fault('ILL_POSED', why, { measured: 0, limit: none })
}
