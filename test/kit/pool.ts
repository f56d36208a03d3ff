import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { createPool, type Pool, type RunOptions } from '#domain/compute/pool.ts'
import type { Computable, Report, Task } from '#domain/compute/task.ts'

/** Computations that may wait for the thread. */
const QUEUE_MAX = 64

/** The thread of a file idles as long as the file runs. */
const forEver = (): Promise<void> => new Promise(() => undefined)

const pools = new Map<string, Pool>()

/**
 * The one solver thread of a process, for all that need no thread of their own: a thread starts as slowly as a
 * program. It keeps nothing between two tasks, and ends with the process.
 *
 * @param file the worker's module, if it is not the node's own: each has a thread.
 */
export const sharedPool = (file?: URL): Pool => {
  const name = String(file)
  const before = pools.get(name)
  if (before !== undefined) return before
  const pool = createPool({ threads: 1, queueMax: QUEUE_MAX, sleep: forEver, ...(file === undefined ? {} : { file }) })
  pools.set(name, pool)
  return pool
}

/** What came of a run, and what it told on the way. */
interface Kept {
  readonly reports: readonly Report[]
  readonly made: Computable
}

const RUNS_MAX = 512
const kept = new Map<string, Kept>()

/** Where the processes of one run of all tests keep runs for each other. */
const folder = process.env['TESTS_KEPT_RUNS']

const recall = (key: string): Kept | undefined => {
  const file = `${folder}/${key}`
  const found = kept.get(key)
  if (found !== undefined || folder === undefined || !existsSync(file)) return found
  return deserialize(readFileSync(file)) as Kept
}

const keep = (key: string, it: Kept): void => {
  if (kept.size < RUNS_MAX) kept.set(key, it)
  if (folder === undefined) return
  const half = `${folder}/${key}.${process.pid}`
  writeFileSync(half, serialize(it))
  renameSync(half, `${folder}/${key}`)
}

const run = async (task: Task, { onReport, ...rest }: RunOptions): Promise<Computable> => {
  rest.signal.throwIfAborted()
  const key = createHash('sha256').update(serialize(task)).digest('hex')
  const before = recall(key)
  if (before === undefined) {
    const reports: Report[] = []
    const listen = (report: Report): void => {
      reports.push(report)
      onReport?.(report)
    }
    const made = await sharedPool().run(task, { ...rest, onReport: listen })
    keep(key, { reports, made })
    return made
  }
  for (const report of before.reports) onReport?.(report)
  return structuredClone(before.made)
}

/**
 * {@link sharedPool} for tests that judge what a node does with results and not how they come about: a run that was
 * asked for before, in this process or in another of the same run of all tests, is not computed again.
 */
export const keptRuns = (): Pool => ({
  get waiting() {
    return sharedPool().waiting
  },
  get alive() {
    return sharedPool().alive
  },
  run,
  part: (task, options) => sharedPool().part(task, options),
  draw: (order, signal) => sharedPool().draw(order, signal),
  read: (question, signal) => sharedPool().read(question, signal),
  [Symbol.asyncDispose]: () => sharedPool()[Symbol.asyncDispose](),
})
