import { createPool, type Pool } from '#domain/compute/pool.ts'

/** Computations that may wait for the thread. */
const QUEUE_MAX = 64

/** The thread of a file idles as long as the file runs. */
const forEver = (): Promise<void> => new Promise(() => undefined)

let pool: Pool | undefined

/**
 * The one solver thread of a test file, for all that need no thread of their own: a thread starts as slowly as a
 * program. It keeps nothing between two tasks, and ends with the process.
 */
export const sharedPool = (): Pool => {
  pool ??= createPool({ threads: 1, queueMax: QUEUE_MAX, sleep: forEver })
  return pool
}
