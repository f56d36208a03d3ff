import { Fault } from '#core/fault.ts'
import { wrong } from '#numerics/runtime/refusing.ts'
import { damBreakOf } from './dam.ts'
import { bottomOf, type Schedule, scheduleOf, startOf, type Water } from './problem.ts'
import type { ClimateInput } from './schema.ts'

/** Cells of a basin, at most. */
export const CELLS_MAX = 263_169
const STEPS_MAX = 200_000
const COURANT_MAX = 0.9
/** Depth before a dam, as a part of the one behind it, at most: less than a hundredth falls. */
const AHEAD_MAX = 0.99
/** Anomaly of the surface, as a part of the depth, below which nothing moves. */
const SIGNAL_MIN = 1e-12

const refuseArrays = ({ mode, nx, ny, bottom, initial }: ClimateInput): void => {
  const cells = nx * ny
  const arrays = [
    ['/bottom/values', bottom.values, mode === 'rest' || mode === 'general'],
    ['/initial/depth', initial.depth, mode === 'general'],
    ['/initial/fluxX', initial.fluxX, mode === 'general'],
    ['/initial/fluxY', initial.fluxY, mode === 'general'],
  ] as const
  for (const [path, given, meant] of arrays) {
    if (given === undefined) continue
    if (!meant) wrong(path, `has no meaning in mode ${mode}.`)
    if (given.length !== cells) {
      wrong(path, `has ${given.length} numbers; there are ${cells} cells.`, { measured: given.length, limit: cells })
    }
  }
}

/**
 * What can be refused without the water of the start: the form.
 *
 * @throws Fault INVALID_INPUT, WORK_LIMIT_EXCEEDED (cells), ILL_POSED (a jet without speed or rotation), OUT_OF_RANGE
 * (a dam too low or high).
 */
export const refuseClimate = (input: ClimateInput): void => {
  const { nx, ny, mode, m, n, ahead, speed, coriolis } = input
  if (nx * ny > CELLS_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `There are ${nx * ny} cells; ${CELLS_MAX} are allowed.`, {
      measured: nx * ny,
      limit: CELLS_MAX,
      ny: Math.floor(CELLS_MAX / nx),
    })
  }
  refuseArrays(input)
  if (mode === 'jet') {
    if (m === 0 && n === 0) wrong('/m', 'and /n must not both be 0: the jet needs a wave.')
    const most = (cells: number): number => Math.floor(cells / 4)
    if (Math.abs(m) > most(nx)) wrong('/m', `must be <= ${most(nx)} on this grid.`, { measured: m, limit: most(nx) })
    if (Math.abs(n) > most(ny)) wrong('/n', `must be <= ${most(ny)} on this grid.`, { measured: n, limit: most(ny) })
    if (speed === 0 || coriolis === 0) {
      throw new Fault('ILL_POSED', 'Without speed or rotation there is no jet: nothing to measure an error against.', {
        measured: 0,
        limit: SIGNAL_MIN,
      })
    }
  }
  if (mode === 'dam-break' && !(ahead <= AHEAD_MAX)) {
    throw new Fault('OUT_OF_RANGE', `ahead is ${ahead}; it must be at most ${AHEAD_MAX}.`, {
      measured: ahead,
      limit: AHEAD_MAX,
      ahead: AHEAD_MAX,
    })
  }
}

const refuseDry = (input: ClimateInput, { h }: Water): void => {
  if (input.mode === 'dam-break') return
  const least = h.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY)
  const wet = 1e-3 * input.depth
  if (least >= wet) return
  throw new Fault('OUT_OF_RANGE', `The least depth is ${least} m: every cell must be under at least ${wet} m.`, {
    measured: least,
    limit: wet,
  })
}

const refuseStill = (input: ClimateInput, start: Water): void => {
  const { mode, depth, nx, ny, lx, ly } = input
  if (start.p.some((it) => it !== 0) || start.q.some((it) => it !== 0)) return
  const bottom = bottomOf(input)
  const field = mode === 'rest' ? bottom : start.h.map((it, i) => it + bottom[i])
  const mean = field.reduce((sum, it) => sum + it, 0) / (nx * ny)
  const measured = field.reduce((most, it) => Math.max(most, Math.abs(it - mean)), 0) / depth
  if (measured > SIGNAL_MIN) return
  const why = mode === 'rest' ? 'The bottom is flat' : 'The water is level and at rest'
  throw new Fault('ILL_POSED', `${why}: there is nothing to measure an error against.`, {
    measured,
    limit: SIGNAL_MIN,
    lx,
    ly,
  })
}

const refuseStep = (input: ClimateInput, { courant, dt, steps, time }: Schedule): void => {
  if (!Number.isFinite(courant)) {
    throw new Fault('OUT_OF_RANGE', 'The waves are faster than numbers hold.', { measured: null, limit: COURANT_MAX })
  }
  if (courant > COURANT_MAX) {
    const most = (dt * COURANT_MAX * (1 - 1e-12)) / courant
    const passes = `it must be <= ${COURANT_MAX}, that is dt <= ${most} s`
    const rule = `CFL = (|u| + c)·dt/dx + (|v| + c)·dt/dy is ${courant}; ${passes}.`
    throw new Fault('UNSTABLE_STEP', rule, { measured: courant, limit: COURANT_MAX, dt: most })
  }
  if (steps > STEPS_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `The run has ${steps} steps; ${STEPS_MAX} are allowed.`, {
      measured: steps,
      limit: STEPS_MAX,
      t_max: STEPS_MAX * dt,
    })
  }
  if (input.mode !== 'dam-break') return
  const { bore, head } = damBreakOf(input)
  // Waves of two dams, a half length apart on either side, must not have met.
  const limit = input.lx / 4 / Math.max(bore, -head)
  if (time < limit) return
  throw new Fault('ILL_POSED', `The waves of both dams meet after ${limit} s: the similarity solution ends there.`, {
    measured: time,
    limit,
    t_max: 0.99 * limit,
  })
}

/** What a run begins with. */
export interface Beginning {
  readonly start: Water
  readonly schedule: Schedule
}

/**
 * The water at time 0 and the steps from it, with the refusals that need the water: it is made where the run is.
 *
 * @throws Fault WORK_LIMIT_EXCEEDED (steps), OUT_OF_RANGE (dry cells, waves beyond doubles), ILL_POSED (nothing to
 * measure; waves of two dams that meet) and UNSTABLE_STEP (CFL above 0.9, with the dt that passes).
 */
export const beginningOf = (input: ClimateInput): Beginning => {
  const start = startOf(input)
  refuseDry(input, start)
  refuseStill(input, start)
  const schedule = scheduleOf(input, start)
  refuseStep(input, schedule)
  return { start, schedule }
}
