import { Fault } from '#core/fault.ts'
import { gridOf } from '#numerics/methods/diffusion/grid.ts'
import { wrong } from '#numerics/runtime/refusing.ts'
import { isLine, layersOf, nodesOf, scheduleOf } from './problem.ts'
import { CELLS_MAX, type WaveInput } from './schema.ts'

/** Nodes of the largest grid: its two fields are about 10 MB of JSON. */
const NODES_MAX = 263_169
const STEPS_MAX = 1_000_000
/** Cells that a layer must have at least: what the check's interpolation stands on. */
const LAYER_CELLS_MIN = 8
/** Sizes between which squares of the fields, of their slopes and of their errors are numbers of the machine. */
const SIZE_MIN = 1e-100
const SIZE_MAX = 1e100
/** How often a wave may meet the planes of a slab: the check follows every reflection. */
const BOUNCES_MAX = 24

const refuseLength = (path: string, given: readonly number[] | undefined, nodes: number): void => {
  if (given === undefined || given.length === nodes) return
  wrong(path, `has ${given.length} numbers; the grid has ${nodes} of them.`, { measured: given.length, limit: nodes })
}

const refuseModes = ({ initial, boundary, nx, ny }: WaveInput, line: boolean): void => {
  if (initial.kind !== 'mode') return
  const most = (n: number): number => (boundary === 'periodic' ? Math.ceil(n / 2) - 1 : n - 1)
  const bound = (name: string, waves: number, limit: number): void => {
    if (waves > limit) wrong(`/initial/${name}`, `must be <= ${limit} on this grid.`, { measured: waves, limit })
  }
  bound('m', initial.m, most(nx))
  if (!line) bound('n', initial.n, most(ny))
}

const refuseForm = (input: WaveInput): void => {
  const { rows, columns } = gridOf(nodesOf(input))
  if (rows * columns > NODES_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `The grid has ${rows * columns} nodes; ${NODES_MAX} are allowed.`, {
      measured: rows * columns,
      limit: NODES_MAX,
      ny: Math.max(0, Math.floor(NODES_MAX / columns) - 1),
    })
  }
  if (input.order === 3) wrong('/order', 'must be 2 or 4.')
  const { initial } = input
  const light = input.mode === 'maxwell'
  if (initial.kind === 'values' && initial.values === undefined) wrong('/initial/values', 'is needed for kind values.')
  if (initial.kind === 'values') refuseLength('/initial/values', initial.values, rows * columns)
  refuseLength('/initial/velocities', initial.velocities, rows * columns)
  refuseLength('/initial/flux', initial.flux, input.nx)
  if (light && initial.velocities !== undefined) wrong('/initial/velocities', 'has no meaning in mode maxwell.')
  if (!light && initial.flux !== undefined) wrong('/initial/flux', 'has a meaning in mode maxwell alone.')
  if (!light && input.slab !== undefined) wrong('/slab', 'has a meaning in mode maxwell alone.')
  if (light && input.boundary === 'free') wrong('/boundary', 'must be fixed or periodic in mode maxwell.')
  refuseModes(input, isLine(input))
}

const refuseLayers = (input: WaveInput): void => {
  if (input.mode !== 'maxwell') return
  const { slab, lx, nx } = input
  if (slab !== undefined && !(slab.to > slab.from)) wrong('/slab/to', 'must be beyond /slab/from.')
  const layers = layersOf(input)
  const thinnest = layers.reduce((least, { from, to }) => Math.min(least, ((to - from) / lx) * nx), nx)
  if (thinnest < LAYER_CELLS_MIN) {
    const needed = Math.ceil((nx * LAYER_CELLS_MIN) / thinnest)
    const passes = needed <= CELLS_MAX
    const wider = passes ? '' : ` The widest grid of ${CELLS_MAX} takes layers of ${LAYER_CELLS_MIN / CELLS_MAX} of lx.`
    throw new Fault('OUT_OF_RANGE', `A layer has ${thinnest} cells; ${LAYER_CELLS_MIN} are the fewest.${wider}`, {
      measured: thinnest,
      limit: LAYER_CELLS_MIN,
      ...(passes ? { nx: needed } : { share: LAYER_CELLS_MIN / CELLS_MAX }),
    })
  }
  if (layers.length === 1) return
  const quickest = layers.reduce((least, { seconds }) => Math.min(least, seconds), Number.POSITIVE_INFINITY)
  const bounces = scheduleOf(input).time / quickest
  if (bounces > BOUNCES_MAX) {
    const t_max = BOUNCES_MAX * quickest
    const why = `Light crosses the thinnest layer ${bounces} times; ${BOUNCES_MAX} are followed, that is ${t_max} s.`
    throw new Fault('WORK_LIMIT_EXCEEDED', why, { measured: bounces, limit: BOUNCES_MAX, t_max })
  }
}

const refuseStep = (input: WaveInput): void => {
  const { courant, dt, steps, time } = scheduleOf(input)
  if (steps > STEPS_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `The run has ${steps} steps; ${STEPS_MAX} are allowed.`, {
      measured: steps,
      limit: STEPS_MAX,
      t_max: (0.999999 * time * STEPS_MAX) / steps,
    })
  }
  if (courant <= 1) return
  // A little below the limit, so that rounding cannot put it above again.
  const most = (dt * (1 - 1e-12)) / courant
  const rule = `C = c·dt·sqrt(1/dx² + 1/dy²) is ${courant}; it must be <= 1 (c·dt/dx <= 0.707 on squares)`
  throw new Fault('UNSTABLE_STEP', `${rule}, that is dt <= ${most} s.`, { measured: courant, limit: 1, dt: most })
}

/**
 * What is there at time 0 must have squares, and sums of them, that are numbers of the machine. Asked where the run is:
 * on the largest grid the start alone takes a tenth of a second.
 *
 * @param start the main field at every node.
 * @throws Fault OUT_OF_RANGE (numbers beyond 1e100) and ILL_POSED (nothing, or next to nothing, is there).
 */
export const refuseSizes = ({ initial }: WaveInput, start: Float64Array): void => {
  const { velocities = [], flux = [] } = initial
  let most = 0
  for (const values of [start, velocities, flux]) {
    for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i] as number))
  }
  if (most > SIZE_MAX) {
    const why = `The largest number at time 0 is ${most}; ${SIZE_MAX} is allowed, so that energies can be told.`
    throw new Fault('OUT_OF_RANGE', why, { measured: most, limit: SIZE_MAX })
  }
  if (most >= SIZE_MIN) return
  const what = most === 0 ? 'Nothing is there at time 0' : `The largest number at time 0 is ${most}, below ${SIZE_MIN}`
  throw new Fault('ILL_POSED', `${what}: there is nothing to measure an error against.`, {
    measured: most,
    limit: SIZE_MIN,
  })
}

/**
 * What can be refused without the fields of the start.
 *
 * @throws Fault INVALID_INPUT, OUT_OF_RANGE (a layer too thin for the grid), WORK_LIMIT_EXCEEDED (grid, steps, echoes
 * of a slab) and UNSTABLE_STEP (C above 1, with the dt that passes).
 */
export const refuseWave = (input: WaveInput): void => {
  refuseForm(input)
  refuseLayers(input)
  refuseStep(input)
}
