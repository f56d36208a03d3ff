import { littleEndianBytes } from '#core/arrays.ts'
import { assert } from '#core/assert.ts'
import { concat } from '#core/bytes.ts'
import { sha256 } from '#crypto'
import { cbrt } from '#numerics/math.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import type { MultibodyInput } from '#numerics/solvers/multibody/schema.ts'

/** Numbers that the states kept for the check may hold together: 1.9 MB. */
const RECORD_NUMBERS_MAX = 240_000
/** States kept at most: Simpson's rule over them resolves the default's orbit 600 times over. */
const RECORDS_MAX = 2_000

/** Equal steps of a run, and every how many of them a state is kept. */
export interface Schedule {
  readonly steps: number
  readonly dt: number
  readonly every: number
}

/** A quotient that rounding put a little above a whole number counts as that number. */
const STEP_SLACK = 1e-9

/** The steps of a run, and every how many of them a state is kept, so that the records stay within their bounds. */
export const scheduleOf = ({ bodies, dt, t_max }: MultibodyInput): Schedule => {
  const steps = Math.max(1, Math.ceil(t_max / dt - STEP_SLACK))
  const kept = Math.max(1, Math.min(RECORDS_MAX, Math.floor(RECORD_NUMBERS_MAX / (6 * bodies.length))))
  return { steps, dt: t_max / steps, every: Math.ceil(steps / kept) }
}

// Weights of Yoshida's sixth order, solution A (Physics Letters A 150, 1990), as in Hairer, Lubich, Wanner,
// Geometric Numerical Integration, V.3.2.
const SIX = [0.7845136104775573, 0.23557321335935813, -1.177679984178871] as const

/** Weights of the stages: they add up to 1 and are the same from either end. */
export const stageWeights = (order: 2 | 4 | 6): readonly number[] => {
  if (order === 2) return [1]
  if (order === 4) {
    const outer = 1 / (2 - cbrt(2))
    return [outer, 1 - 2 * outer, outer]
  }
  const [a, b, c] = SIX
  return [a, b, c, 1 - 2 * (a + b + c), c, b, a]
}

/** One kept state: places n × 3, then velocities n × 3. */
export type Record = Float64Array

/** A system on its way. */
export interface Motion {
  readonly schedule: Schedule
  /** Takes the steps `from` (inclusive) to `to` (exclusive). */
  readonly advance: (from: number, to: number, each: (step: number) => void) => void
  /** The state, and the digest of the states kept so far: what the next step and the end depend on. */
  readonly bytes: () => Uint8Array
  /** States kept: at time 0, every `schedule.every` steps, and the last. */
  readonly records: readonly Record[]
}

const AXES = 3
const DOUBLE = 8

/** Bodies at their starting places, in a kernel of their own. All bodies have positions. */
export const createMotion = (input: MultibodyInput): Motion => {
  const schedule = scheduleOf(input)
  const { bodies, G, softening, order } = input
  const n = bodies.length
  const pairs = Math.ceil(n / 2)
  const weights = stageWeights(order)
  const kernel = loadKernel('multibody')
  const base = KERNEL_DATA_START
  const weightsAt = base + 20 * pairs * DOUBLE
  kernel.reserve(weightsAt + 2 * weights.length * DOUBLE)
  const arrays = kernel.f64(base, 20 * pairs)
  /** Where the number of one axis of a place (0) or a velocity (1) lies: in blocks of two bodies, as in the kernel. */
  const placeOf = (quantity: number, i: number, axis: number): number =>
    (quantity === 0 ? 0 : 14 * pairs) + (quantity === 0 ? 14 : 6) * (i >> 1) + 2 * axis + (i & 1)
  bodies.forEach(({ mass, position, velocity }, i) => {
    for (let axis = 0; axis < AXES; axis++) {
      arrays[placeOf(0, i, axis)] = position?.[axis] ?? 0
      arrays[placeOf(1, i, axis)] = velocity?.[axis] ?? 0
    }
    arrays[placeOf(0, i, AXES)] = mass
  })
  const table = kernel.f64(weightsAt, 2 * weights.length)
  weights.forEach((weight, stage) => {
    table[2 * stage] = (G * (weight * schedule.dt)) / 2
    table[2 * stage + 1] = weight * schedule.dt
  })
  const { configure, accelerate, step } = kernel.call
  assert(configure !== undefined && accelerate !== undefined && step !== undefined, 'the multibody kernel is whole')
  configure(n, weights.length, base, weightsAt, softening * softening)
  accelerate()
  const now = (): Record => {
    const record = new Float64Array(2 * AXES * n)
    for (let quantity = 0; quantity < 2; quantity++) {
      for (let i = 0; i < n; i++) {
        for (let axis = 0; axis < AXES; axis++) {
          record[(quantity * n + i) * AXES + axis] = arrays[placeOf(quantity, i, axis)]
        }
      }
    }
    return record
  }
  const records: Record[] = []
  let kept: Uint8Array = new Uint8Array(0)
  const keep = (record: Record): void => {
    records.push(record)
    kept = sha256(concat(kept, littleEndianBytes(record)))
  }
  keep(now())
  const advance = (from: number, to: number, each: (step: number) => void): void => {
    for (let taken = from + 1; taken <= to; taken++) {
      step()
      if (taken % schedule.every === 0 || taken === schedule.steps) keep(now())
      each(taken)
    }
  }
  return { schedule, advance, bytes: () => concat(littleEndianBytes(now()), kept), records }
}
