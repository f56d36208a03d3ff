import { littleEndianBytes } from '#core/arrays.ts'
import { assert } from '#core/assert.ts'
import { concat } from '#core/bytes.ts'
import { stageWeights } from '#numerics/methods/stage-weights.ts'
import type { Advancing } from '#numerics/runtime/course.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import { journalOf, type RunOrigin } from '#numerics/runtime/origin.ts'
import { type Record, type Schedule, scheduleOf } from '#numerics/solvers/multibody/problem.ts'
import type { MultibodyInput } from '#numerics/solvers/multibody/schema.ts'

/** A system on its way. */
export interface Motion extends Advancing {
  readonly schedule: Schedule
  /** The state, and the digest of the states kept so far: what the next step and the end depend on. */
  readonly bytes: () => Uint8Array
  /** States kept: at time 0, every `schedule.every` steps, and the last. */
  readonly records: readonly Record[]
}

const AXES = 3
const DOUBLE = 8

/** Places and velocities at time 0. */
const startOf = ({ bodies }: MultibodyInput): Record => {
  const start = new Float64Array(2 * AXES * bodies.length)
  bodies.forEach(({ position, velocity }, i) => {
    start.set(position ?? [], AXES * i)
    start.set(velocity ?? [], AXES * (bodies.length + i))
  })
  return start
}

/** Bodies at their starting places or where a run stopped, in a kernel of their own. All bodies have positions. */
export const createMotion = (input: MultibodyInput, origin: RunOrigin = {}): Motion => {
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
  const journal = journalOf(origin)
  const { held } = journal
  const start = held?.doubles(2 * AXES * n) ?? startOf(input)
  bodies.forEach(({ mass }, i) => {
    for (let axis = 0; axis < AXES; axis++) {
      arrays[placeOf(0, i, axis)] = start[AXES * i + axis]
      arrays[placeOf(1, i, axis)] = start[AXES * (n + i) + axis]
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
  const chain = journal.chain(1)
  const keep = (record: Record): void => {
    records.push(record)
    chain.link(record)
  }
  const isKept = (taken: number): boolean => taken % schedule.every === 0 || taken === schedule.steps
  if (held === undefined) keep(now())
  else
    journal.taken((tape) => {
      for (let taken = 0; taken <= journal.step; taken++) if (isKept(taken)) keep(tape.doubles(2 * AXES * n))
    })
  const advance = (from: number, to: number, each: (step: number) => void): void => {
    for (let taken = from + 1; taken <= to; taken++) {
      step()
      if (isKept(taken)) keep(now())
      each(taken)
    }
  }
  return { schedule, advance, bytes: () => concat(littleEndianBytes(now()), chain.digest()), records }
}
