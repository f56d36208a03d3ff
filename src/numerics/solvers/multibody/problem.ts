import type { MultibodyInput } from './schema.ts'

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

/** One kept state: places n × 3, then velocities n × 3. */
export type Record = Float64Array
