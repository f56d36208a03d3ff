import { Fault } from '#core/fault.ts'
import { exp, log, PI } from '#numerics/math.ts'
import { endsOf, gridOf, refuseValues, unknownsOf } from '#numerics/methods/diffusion/grid.ts'
import { wrong } from '#numerics/runtime/refusing.ts'
import { DT_MIN, type HeatInput } from './schema.ts'

/** Nodes of the largest grid: its field is about 5 MB of JSON. */
const NODES_MAX = 263_169
/** Largest r = α·dt·(1/dx² + 1/dy²) of the explicit scheme. */
const EXPLICIT_R_MAX = 0.5
/** Largest second difference, as a fraction of the field, that Peaceman–Rachford takes without damping first. */
const ROUGHNESS_MAX = 0.1
/** Share of the natural magnitude below which no signal is left to measure an error against. */
export const SIGNAL_MIN = 1e-12

/** Sizes between which squares of temperatures and of their errors are numbers of the machine. */
const SIZE_MIN = 1e-100
const SIZE_MAX = 1e100

/** α·dt/dx² along x, α·dt/dy² along y (0 on a line), and their sum. */
export const rOf = (input: HeatInput): { readonly along: number; readonly across: number; readonly sum: number } => {
  const { dx, dy } = gridOf(input)
  const along = (input.alpha * input.dt) / (dx * dx)
  const across = input.dim === 1 ? 0 : (input.alpha * input.dt) / (dy * dy)
  return { along, across, sum: along + across }
}

/** The largest second difference of the unknowns in either direction, as a fraction of the largest of them. */
const roughnessOf = (input: HeatInput, start: Float64Array): number => {
  const { rows, columns } = unknownsOf(input)
  const { kind } = input.boundary
  const beyond = (i: number, n: number): number => (kind === 'periodic' ? (i + n) % n : i < 0 ? 1 : n - 2)
  const at = (row: number, column: number): number => {
    const out = row < 0 || row >= rows || column < 0 || column >= columns
    if (out && kind === 'fixed') return 0
    const r = row < 0 || row >= rows ? beyond(row, rows) : row
    return start[r * columns + (column < 0 || column >= columns ? beyond(column, columns) : column)]
  }
  let largest = 0
  let roughest = 0
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const here = at(row, column)
      largest = Math.max(largest, Math.abs(here))
      roughest = Math.max(roughest, Math.abs(at(row, column - 1) - 2 * here + at(row, column + 1)))
      if (rows > 1) roughest = Math.max(roughest, Math.abs(at(row - 1, column) - 2 * here + at(row + 1, column)))
    }
  }
  return largest === 0 ? 0 : roughest / largest
}

/** Whether the run begins with damped steps: as asked, or when rough data meet an r at which they would not die out. */
export const isDamped = (input: HeatInput, start: Float64Array): boolean => {
  if (input.scheme !== 'adi' || input.start === 'plain') return false
  const { along, across } = rOf(input)
  return input.start === 'damped' || (Math.max(along, across) > 1 && roughnessOf(input, start) > ROUGHNESS_MAX)
}

const refuseForm = (input: HeatInput): void => {
  const { rows, columns } = gridOf(input)
  if (rows * columns > NODES_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `The grid has ${rows * columns} nodes; ${NODES_MAX} are allowed.`, {
      measured: rows * columns,
      limit: NODES_MAX,
      ny: Math.floor(NODES_MAX / columns) - 1,
    })
  }
  const { boundary, initial, dim } = input
  if (boundary.right !== undefined && (dim !== 1 || boundary.kind !== 'fixed')) {
    wrong('/boundary/right', 'the two ends may differ only on a line (dim 1) with fixed ends.')
  }
  refuseValues(input)
  if (initial.kind !== 'mode') return
  const most = (n: number): number => (boundary.kind === 'periodic' ? Math.ceil(n / 2) - 1 : n - 1)
  const bound = (name: string, waves: number, limit: number): void => {
    if (waves > limit) wrong(`/initial/${name}`, `must be <= ${limit} on this grid.`, { measured: waves, limit })
  }
  bound('m', initial.m, most(input.nx))
  if (dim === 2) bound('n', initial.n, most(input.ny))
}

const refuseStep = (input: HeatInput): void => {
  const { sum: r } = rOf(input)
  if (input.scheme !== 'ftcs' || r <= EXPLICIT_R_MAX) return
  // A little below the limit, so that rounding cannot put it above again.
  const dt = (input.dt * EXPLICIT_R_MAX * (1 - 1e-12)) / r
  const rule = `r = α·dt·(1/dx² + 1/dy²) is ${r}; ftcs needs r <= ${EXPLICIT_R_MAX}, that is dt <= ${dt} s.`
  throw new Fault('UNSTABLE_STEP', rule, { measured: r, limit: EXPLICIT_R_MAX, dt })
}

/** The slowest rate, in 1/s, at which the deviation from the steady state can decay. */
const slowestRate = ({ alpha, dim, lx, ly, boundary, initial }: HeatInput): number => {
  const square = (halfWaves: number, length: number): number => {
    const k = (PI * halfWaves) / length
    return k * k
  }
  const turns = boundary.kind === 'periodic' ? 2 : 1
  if (initial.kind === 'mode' && boundary.right === undefined) {
    return alpha * (square(turns * initial.m, lx) + (dim === 1 ? 0 : square(turns * initial.n, ly)))
  }
  if (dim === 1) return alpha * square(turns, lx)
  const [x, y] = [square(turns, lx), square(turns, ly)]
  return alpha * (boundary.kind === 'fixed' ? x + y : Math.min(x, y))
}

/** The largest deviation from the steady state, and the magnitude of the temperatures themselves. */
const signalOf = (
  input: HeatInput,
  temperature: Float64Array,
): { readonly signal: number; readonly natural: number } => {
  const { columns } = gridOf(input)
  const fixed = input.boundary.kind === 'fixed'
  const [left, right] = endsOf(input)
  const mean = temperature.reduce((sum, value) => sum + value, 0) / temperature.length
  let signal = 0
  let natural = fixed ? Math.max(Math.abs(left), Math.abs(right)) : 0
  temperature.forEach((value, i) => {
    const steady = fixed ? left + (right - left) * ((i % columns) / (columns - 1)) : mean
    signal = Math.max(signal, Math.abs(value - steady))
    natural = Math.max(natural, Math.abs(value))
  })
  return { signal, natural }
}

/**
 * Whether there is a signal, at the start and at the end. Asked where the run is, which makes the start anyway.
 *
 * @param temperature at every node at time 0.
 * @throws Fault ILL_POSED: no signal, with the time up to which there is one; OUT_OF_RANGE: numbers beyond 1e100.
 */
export const refuseScale = (input: HeatInput, temperature: Float64Array): void => {
  const { signal, natural } = signalOf(input, temperature)
  if (!(natural <= SIZE_MAX)) {
    const why = `The largest temperature at time 0 is ${natural} K; ${SIZE_MAX} is allowed.`
    throw new Fault('OUT_OF_RANGE', why, { measured: natural, limit: SIZE_MAX })
  }
  if (signal < SIZE_MIN && signal > SIGNAL_MIN * natural) {
    const why = `The field is ${signal} K off its steady state at most: its squares are no numbers of the machine.`
    throw new Fault('ILL_POSED', why, { measured: signal, limit: SIZE_MIN })
  }
  if (signal <= SIGNAL_MIN * natural) {
    throw new Fault(
      'ILL_POSED',
      'The field starts in its steady state: there is nothing to measure an error against.',
      {
        measured: natural === 0 ? 0 : signal / natural,
        limit: SIGNAL_MIN,
      },
    )
  }
  const rate = slowestRate(input)
  const left = (signal / natural) * exp(-rate * input.dt * input.steps)
  if (left > SIGNAL_MIN) return
  const time = log(signal / natural / SIGNAL_MIN) / rate
  // Half of that leaves a millionth of the field: the rate is that of its slowest part, of which there may be little.
  const passing = time / 2
  const steps = Math.floor(passing / input.dt)
  const shorter = passing / input.steps
  const after = `After ${input.dt * input.steps} s at most ${left} of the field is left`
  const why = `${after}, too little to measure an error against`
  throw new Fault('ILL_POSED', `${why}; that is so from ${time} s.`, {
    measured: left,
    limit: SIGNAL_MIN,
    t_max: passing,
    ...(steps >= 1 ? { steps } : shorter >= DT_MIN ? { dt: shorter } : {}),
  })
}

/**
 * What can be refused without the field of the start.
 *
 * @throws Fault INVALID_INPUT, WORK_LIMIT_EXCEEDED (grid), UNSTABLE_STEP (ftcs beyond r = 0.5, with the dt that
 * passes).
 */
export const refuseHeat = (input: HeatInput): void => {
  refuseForm(input)
  refuseStep(input)
}
