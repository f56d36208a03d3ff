import { createPool, type Pool } from '#domain/compute/pool.ts'

/** Computations that may wait for the thread. */
const QUEUE_MAX = 64

let pool: Pool | undefined

/**
 * The one solver thread of a test file, for all that need no thread of their own: a thread starts as slowly as a
 * program. It keeps nothing between two tasks, and ends with the process.
 */
export const sharedPool = (): Pool => {
  pool ??= createPool({ threads: 1, queueMax: QUEUE_MAX })
  return pool
}
