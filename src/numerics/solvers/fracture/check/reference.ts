import { KERNEL_DATA_START, type Kernel, loadKernel } from '#numerics/runtime/kernel.ts'
import type { FractureInput } from '#numerics/solvers/fracture/schema.ts'
import type { ReferencePlate, ReferenceState } from './recompute-plate.ts'

/** The budget of a plate at one time, in joule. */
export interface ReferenceSample {
  readonly strain: number
  readonly kinetic: number
  readonly broken: number
  /** What bonds took that broke so near to it that they may count on either side. */
  readonly doubtful: number
  readonly damped: number
  readonly work: number
}

/** A run of the check's own: its budgets at the times asked for, and its end. */
export interface ReferenceRun {
  readonly samples: readonly ReferenceSample[]
  readonly end: ReferenceState
}

/** Energies in joule that bonds take when they break, by their bits. */
export const bondEnergies = ({ c, s0, volume, directions }: ReferencePlate): readonly number[] =>
  directions.filter(({ here }) => here).map(({ length }) => 0.5 * c * s0 * s0 * length * volume * volume)

const DOUBLE = 8
/** Places, velocities, forces and shifts, two blocks of each. */
const BLOCKS = 8
const TABLE_FIELDS = 6
const ENTRY_BYTES = 12
const LOG_FIELDS = 3

const wholeBonds = (plate: ReferencePlate, bonds: Int32Array): readonly (readonly [number, number, number])[] => {
  const { nx, directions } = plate
  const kept = directions.filter(({ here }) => here)
  const found: [number, number, number][] = []
  bonds.forEach((bits, node) => {
    for (const { p, q, bit } of kept) if (((bits >> bit) & 1) === 1) found.push([node, node + q * nx + p, bit])
  })
  return found
}

const callOf = (kernel: Kernel, name: string): ((...args: readonly number[]) => number) => {
  const call = kernel.call[name]
  if (call === undefined) throw new Error(`broken invariant: the rupture kernel has ${name}`)
  return call
}

/** The kernel with a plate at its start in its memory. */
const loaded = (plate: ReferencePlate, start: ReferenceState) => {
  const { nx, ny, grips, dx, c, s0, volume, directions } = plate
  const n = nx * ny
  const bonds = wholeBonds(plate, start.bonds)
  const kernel = loadKernel('rupture')
  const kept = directions.filter(({ here }) => here)
  const tableAt = KERNEL_DATA_START + BLOCKS * n * DOUBLE
  const listAt = tableAt + kept.length * TABLE_FIELDS * DOUBLE
  const logAt = listAt + DOUBLE * Math.ceil((bonds.length * ENTRY_BYTES) / DOUBLE)
  kernel.reserve(logAt + bonds.length * LOG_FIELDS * DOUBLE)
  callOf(kernel, 'configure')(n, grips * nx, KERNEL_DATA_START, tableAt, listAt, bonds.length, logAt)
  const put = callOf(kernel, 'bond')
  bonds.forEach(([node, other, bit], at) => {
    put(at, node, other, bit)
  })
  kernel.f64(KERNEL_DATA_START, 4 * n).set(start.fields)
  const table = kernel.f64(tableAt, kept.length * TABLE_FIELDS)
  for (const { p, q, bit, length } of kept) {
    const limit = (1 + s0) * length
    table.set([p * dx, q * dx, length, length * length, limit * limit, (c * volume) / length], bit * TABLE_FIELDS)
  }
  return { kernel, fields: kernel.f64(KERNEL_DATA_START, 4 * n), log: kernel.f64(logAt, bonds.length * LOG_FIELDS) }
}

/** What is integrated, and how: steps of `dt`, with a budget after each of `stops`. */
export interface Course {
  readonly dt: number
  /** Seconds on either side of a budget in which a break may count or not. */
  readonly doubt: number
  /** Steps after which the budget is read, rising; the last one ends the run. */
  readonly stops: readonly number[]
}

/**
 * A plate by position Verlet over a list of bonds, forces at the middle of each step; bonds break at the time at which
 * they reach the critical stretch. Second order in the step, breaks included.
 */
export const referenceRun = (
  input: FractureInput,
  plate: ReferencePlate,
  start: ReferenceState,
  { dt, doubt, stops }: Course,
): ReferenceRun => {
  const { kernel, fields, log } = loaded(plate, start)
  const { c, volume } = plate
  const { rho, damping, gripSpeed } = input
  const [steps, count, look, forget] = ['steps', 'brokenCount', 'look', 'forget'].map((it) => callOf(kernel, it)) as [
    (count: number) => number,
    () => number,
    () => number,
    (count: number) => number,
  ]
  callOf(kernel, 'conditions')(dt, rho, damping, gripSpeed)
  const energies = bondEnergies(plate)
  const bonds = start.bonds.slice()
  let broken = 0
  let known = 0
  // Bonds that broke since the last middle are whole for the kernel until the next one: they are looked up apart.
  const take = (): void => {
    const whole = count()
    const late = look()
    for (let at = known; at < whole + late; at++) {
      const [node, bit] = log.subarray(at * LOG_FIELDS) as unknown as [number, number]
      if (((bonds[node] >> bit) & 1) === 1) broken += energies[bit] as number
      bonds[node] &= ~(1 << bit)
    }
    forget(late)
    known = whole
  }
  const doubtfulAt = (time: number): number => {
    let sum = 0
    for (let at = 0; at < count(); at++) {
      const [, bit, then] = log.subarray(at * LOG_FIELDS) as unknown as [number, number, number]
      if (Math.abs(then - time) <= doubt) sum += energies[bit] as number
    }
    return sum
  }
  const samples: Omit<ReferenceSample, 'doubtful'>[] = []
  stops.forEach((stop, k) => {
    const from = stops[k - 1] ?? 0
    if (stop > from) steps(stop - from)
    take()
    samples.push({
      strain: 0.5 * c * volume * volume * callOf(kernel, 'strain')(),
      kinetic: 0.5 * rho * volume * callOf(kernel, 'motion')(),
      broken,
      damped: damping * rho * volume * dt * callOf(kernel, 'drag')(),
      work: -gripSpeed * volume * dt * callOf(kernel, 'pull')(),
    })
  })
  // The last one is told by the bonds themselves.
  const doubtful = stops.map((stop, k) => (k === stops.length - 1 ? 0 : doubtfulAt(stop * dt)))
  return {
    samples: samples.map((it, k) => ({ ...it, doubtful: doubtful[k] as number })),
    end: { fields: fields.slice(), bonds },
  }
}
