import { Fault } from '#core/fault.ts'
import { exactFlow } from './exact.ts'
import { CAVITY_RE, CELL_REYNOLDS_MAX, cavityCells, divergenceOf, problemOf } from './problem.ts'
import type { FlowInput } from './schema.ts'

/** Cells of the largest grid: its three fields are about 15 MB of JSON. */
const CELLS_MAX = 262_144
/** Cells a side of a cavity. */
const CAVITY_CELLS = [32, 512] as const
/** Departure of a start from what has an exact solution, in percent of the signal. */
const START_PCT_MAX = 0.05
/** Divergence of a start, times a cell over the speed. */
const START_DIVERGENCE_MAX = 1e-9
/** Share of the speed below which no change, or no vortex, is left to measure an error against. */
const SIGNAL_MIN = 1e-9

const refuseCells = (input: FlowInput): void => {
  const { nx, ny, kind } = problemOf(input)
  let power = 1
  while (2 * power <= nx) power *= 2
  if (power !== nx) {
    const measured = nx
    throw new Fault('OUT_OF_RANGE', `/nx is ${nx}; the transform along x takes a power of two.`, {
      path: '/nx',
      measured,
      nx: power,
    })
  }
  if (ny % 4 !== 0) {
    throw new Fault('OUT_OF_RANGE', `/ny is ${ny}; it must be a multiple of 4.`, {
      path: '/ny',
      measured: ny,
      ny: ny + 4 - (ny % 4),
    })
  }
  if (nx * ny > CELLS_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `The grid has ${nx * ny} cells; ${CELLS_MAX} are allowed.`, {
      measured: nx * ny,
      limit: CELLS_MAX,
      ...(kind === 'cavity'
        ? { nx: CAVITY_CELLS[1], ny: CAVITY_CELLS[1] }
        : { ny: Math.floor(CELLS_MAX / nx / 4) * 4 }),
    })
  }
  if (kind === 'taylor-green' && (nx < 8 || ny < 8)) {
    throw new Fault('OUT_OF_RANGE', 'Vortices need 8 cells or more a side.', { measured: Math.min(nx, ny), limit: 8 })
  }
}

const refuseCavity = (input: FlowInput): void => {
  const { nx, ny } = problemOf(input)
  const { re } = input
  if (nx !== ny)
    throw new Fault('INVALID_INPUT', `/ny is ${ny}; a cavity is square, ${nx} × ${nx}.`, {
      path: '/ny',
      measured: ny,
      limit: nx,
      ny: nx,
    })
  if (re < CAVITY_RE[0] || re > CAVITY_RE[1]) {
    const limit = re < CAVITY_RE[0] ? CAVITY_RE[0] : CAVITY_RE[1]
    throw new Fault('OUT_OF_RANGE', `/re is ${re}; a cavity takes ${CAVITY_RE.join(' to ')}: re ${limit} passes.`, {
      path: '/re',
      measured: re,
      limit,
      re: limit,
    })
  }
  const cells = cavityCells(re, CAVITY_CELLS[0])
  if (nx < CAVITY_CELLS[0] || nx > CAVITY_CELLS[1]) {
    const limit = nx < CAVITY_CELLS[0] ? CAVITY_CELLS[0] : CAVITY_CELLS[1]
    const passes = Math.max(limit, cells)
    const rule = `a cavity takes ${CAVITY_CELLS.join(' to ')}`
    throw new Fault('OUT_OF_RANGE', `/nx is ${nx}; ${rule}: nx ${passes} passes at re ${re}.`, {
      path: '/nx',
      measured: nx,
      limit,
      nx: passes,
    })
  }
  if (nx < cells) {
    const rule = `The Reynolds number of a cell is ${re / nx}; central differences take ${CELL_REYNOLDS_MAX}`
    throw new Fault('UNSTABLE_STEP', `${rule}, that is nx >= ${cells}.`, {
      measured: re / nx,
      limit: CELL_REYNOLDS_MAX,
      nx: cells,
    })
  }
  if (input.start !== undefined) {
    throw new Fault('INVALID_INPUT', '/start: the steady flow of a cavity does not depend on a start.', {
      path: '/start',
    })
  }
}

const refuseLengths = (input: FlowInput): void => {
  const { nx, ny } = problemOf(input)
  const { start } = input
  if (start === undefined) return
  for (const name of ['u', 'v'] as const) {
    const measured = start[name].length
    if (measured !== nx * ny) {
      const path = `/start/${name}`
      throw new Fault('INVALID_INPUT', `${path}: has ${measured} numbers; the grid has ${nx} × ${ny} cells.`, {
        path,
        measured,
        limit: nx * ny,
      })
    }
  }
}

const refuseFields = (input: FlowInput): void => {
  const { nx, ny, dx, dy, kind } = problemOf(input)
  const { start, speed } = input
  if (start === undefined) return
  const divergence = divergenceOf({ ...start, nx, ny, dx, dy }, { ringX: true, ringY: kind === 'taylor-green' }, speed)
  if (!(divergence <= START_DIVERGENCE_MAX)) {
    throw new Fault('ILL_POSED', `The start has a divergence of ${divergence} speeds per cell.`, {
      path: '/start',
      measured: divergence,
      limit: START_DIVERGENCE_MAX,
    })
  }
  if (kind === 'taylor-green') return
  let uneven = 0
  for (let at = 0; at < nx * ny; at++) {
    const first = start.u[at - (at % nx)] as number
    uneven = Math.max(uneven, Math.abs((start.u[at] as number) - first), Math.abs(start.v[at] as number))
  }
  if (uneven > START_DIVERGENCE_MAX * speed) {
    throw new Fault('ILL_POSED', 'The start of a channel must be the same along x, and have no v.', {
      path: '/start',
      measured: uneven,
      limit: START_DIVERGENCE_MAX * speed,
    })
  }
}

/** Whether there is a signal at the end, and a start that has an exact solution. */
const refuseSignal = (input: FlowInput): void => {
  const { nx, ny } = problemOf(input)
  const { signal, startPct } = exactFlow(input)
  const natural =
    input.case === 'channel' ? input.speed : Math.max(input.speed, Math.abs(input.stream.u), Math.abs(input.stream.v))
  const share = signal / Math.sqrt(nx * ny) / natural
  if (!(share > SIGNAL_MIN)) {
    const what = input.case === 'channel' ? 'The channel flows' : 'The vortices are'
    throw new Fault('ILL_POSED', `${what}, by ${share} of the speeds: too little to measure an error against.`, {
      measured: share,
      limit: SIGNAL_MIN,
    })
  }
  if (startPct <= START_PCT_MAX) return
  throw new Fault(
    'ILL_POSED',
    `The start is ${startPct} % from vortices carried by a stream: no exact flow is known for it.`,
    {
      path: '/start',
      measured: startPct,
      limit: START_PCT_MAX,
    },
  )
}

/**
 * What is refused by the fields of vortices or a channel. Asked where the run is: on the largest grid it takes a fifth
 * of a second.
 *
 * @throws Fault ILL_POSED: no signal, a start with a divergence or without an exact flow.
 */
export const refuseStart = (input: FlowInput): void => {
  refuseFields(input)
  refuseSignal(input)
}

/**
 * What can be refused without the fields.
 *
 * @throws Fault OUT_OF_RANGE and INVALID_INPUT (cells, Reynolds number of a cavity, a start of another size),
 * WORK_LIMIT_EXCEEDED (grid) and UNSTABLE_STEP (dt beyond the stable one, with it; a cavity's cells, with their
 * number).
 */
export const refuseFlow = (input: FlowInput): void => {
  refuseCells(input)
  if (input.case === 'cavity') {
    refuseCavity(input)
    return
  }
  const { dt, dtMax } = problemOf(input)
  if (dt > dtMax) {
    // A little below the limit, so that rounding cannot put it above again.
    const passes = dtMax * (1 - 1e-12)
    throw new Fault('UNSTABLE_STEP', `dt is ${dt} s; advection and diffusion allow ${passes} s.`, {
      measured: dt,
      limit: dtMax,
      dt: passes,
    })
  }
  refuseLengths(input)
}
