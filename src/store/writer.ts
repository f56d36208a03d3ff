import { Fault } from '#core/fault.ts'
import { type BatchJob, type Settled, settle } from './batch.ts'
import type { Change } from './database.ts'
import { advanceLogs, type Durable, type Extended, type WriterOptions, writerRow } from './durable.ts'
import { seqKey } from './key-parts.ts'
import type { CommitMoment } from './overlay.ts'
import { logNames } from './rows/log.ts'
import { endTicks } from './ticks.ts'
import type { Transaction } from './transaction.ts'

/** Transactions that may wait; one more is NODE_BUSY. */
export const QUEUE_MAX = 8_192
/** Transactions that share one write and one fsync. */
export const BATCH_MAX = 256

/** The single writer: plans go in, durable batches come out. */
export interface Writer extends AsyncDisposable {
  readonly lastTick: number
  /** Why nothing can be written any more; undefined while all is well. */
  readonly failure: Error | undefined
  commit<T>(plan: (tx: Transaction) => T): Promise<T>
  closeTick(): Promise<boolean>
  /** Takes nothing more, and once all that waits is written hands over what is on disk for one last piece of work. */
  end<T>(work: (durable: Durable) => Promise<T>): Promise<T>
}

const extensions = ({ logs }: Durable, { group, leaves, due }: Settled, tick: number): Extended => {
  const extended: Extended = {}
  for (const name of logNames) {
    const own = group.leaves.filter((leaf) => leaf.log === name).map((leaf) => leaves.get(leaf) as Uint8Array)
    // What the end of the tick will append opens the tick in the seal log before any leaf does.
    if (own.length > 0 || (due && name === 'seal')) extended[name] = logs[name].extend(own, tick)
  }
  return extended
}

const changesOf = (durable: Durable, { group, late }: Settled, extended: Extended, tick: number): Change[] => [
  ...group.rows.values(),
  ...late.values(),
  ...Object.values(extended).flatMap((it) => it.changes),
  ...[...group.balances].map(([key, row]): Change => ({ table: 'balance', key, row })),
  ...group.transfers.map((it, i): Change => {
    return { table: 'transfer', key: seqKey(durable.transfers + i), row: { ...it, tick } }
  }),
]

/** Writes what a batch of plans did, then takes it over and lets the callers go on. */
const writeBatch = async (durable: Durable, jobs: readonly BatchJob[], now: CommitMoment): Promise<void> => {
  const settled = await settle(durable, jobs, now)
  const { group, accepted } = settled
  const extended = extensions(durable, settled, now.tick)
  const changes = changesOf(durable, settled, extended, now.tick)
  const lastTick = group.leaves.length > 0 || settled.due ? Math.max(durable.lastTick, now.tick) : durable.lastTick
  const transfers = durable.transfers + group.transfers.length
  if (changes.length > 0) {
    await durable.database.write([...changes, writerRow(durable, { lastTick, transfers }, extended)])
  }
  durable.lastTick = lastTick
  durable.transfers = transfers
  durable.ledger.apply(group.balances)
  advanceLogs(durable, extended)
  for (const { overlay } of accepted) for (const hook of overlay.hooks) hook()
  for (const { job, result } of accepted) job.resolve(result)
}

/** The one writer of a store: it commits what is queued in groups, one fsync for each. */
export const createWriter = ({ state, ...options }: WriterOptions): Writer => {
  const durable: Durable = { ...options, lastTick: state.lastTick, transfers: state.transfers }
  let queue: BatchJob[] = []
  let running: Promise<void> | undefined
  let stopping = false
  let failure: Error | undefined

  const runBatch = async (jobs: readonly BatchJob[]): Promise<void> => {
    try {
      if (failure !== undefined) throw failure
      const now = durable.moment(durable.lastTick)
      const made = await endTicks(durable, now)
      for (const job of jobs) if (job.plan === undefined) job.resolve(made)
      if (jobs.some((job) => job.plan !== undefined)) await writeBatch(durable, jobs, now)
    } catch (cause) {
      // Whether a failed write reached the disk is unknown, so nothing more may be built on it in this process.
      failure ??= Object.assign(new Fault('STORE_FAILED'), { cause })
      for (const job of jobs) job.reject(failure)
    }
  }

  const pump = async (): Promise<void> => {
    await undefined // Calls made in one turn of the event loop share a batch.
    while (queue.length > 0) {
      const jobs = queue.slice(0, BATCH_MAX)
      queue = queue.slice(BATCH_MAX)
      await runBatch(jobs)
    }
    running = undefined
  }

  const enqueue = (plan: BatchJob['plan']): Promise<unknown> => {
    if (stopping) return Promise.reject(new Fault('NODE_STOPPING'))
    if (failure !== undefined) return Promise.reject(failure)
    if (queue.length >= QUEUE_MAX) return Promise.reject(new Fault('NODE_BUSY', 'Too many writes wait for the disk.'))
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    queue.push({ plan, resolve, reject })
    running ??= pump()
    return promise
  }

  return {
    get lastTick() {
      return durable.lastTick
    },
    get failure() {
      return failure
    },
    commit: <T>(plan: (tx: Transaction) => T) => enqueue(plan) as Promise<T>,
    closeTick: () => enqueue(undefined) as Promise<boolean>,
    end: async (work) => {
      stopping = true
      await running
      if (failure !== undefined) throw failure
      return work(durable)
    },
    [Symbol.asyncDispose]: async () => {
      stopping = true
      await running
    },
  }
}
