import { fromUtf8, utf8 } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { putBlob, readBlob } from '#store/blobs.ts'
import type { JobRow } from '#store/rows/job.ts'
import type { Transaction } from '#store/transaction.ts'
import { createFeed, type Feed } from './feed.ts'
import { isOver, ownerOf, viewOf } from './job.ts'
import type { ComputeRun } from './runner.ts'
import type { ComputePorts, Unsealed } from './types.ts'
import type { JobView } from './views/jobs.ts'

/** Ticks for which a job that is over is kept: a day. */
export const JOB_KEEP_TICKS = 111_197
/** Jobs of one owner that may be unfinished at once. */
export const JOBS_LIVE_PER_OWNER_MAX = 32

const RESTARTED = 'The node was restarted; it waits to run again.'

/** A job in memory: its row as last written, its run if there is one, its feed. */
export interface Job {
  row: JobRow
  run: ComputeRun | undefined
  /** Ends when what came of the run is written down. */
  concluded: Promise<void> | undefined
  readonly feed: Feed<JobView>
}

/** A job as its owner sees it now. */
export const showJob = (job: Job): JobView => viewOf(job.row, job.run?.latest)

const setRow = (job: Job, row: JobRow): void => {
  job.row = row
  job.feed.push('state', showJob(job))
  if (isOver(row.state)) job.feed.close()
}

/** A job that nothing runs yet. */
export const jobOfRow = (row: JobRow): Job => ({ row, run: undefined, concluded: undefined, feed: createFeed() })

/** Where jobs are kept: in memory, and in the store from their beginning to a day after their end. */
export interface JobStore {
  readonly all: readonly Job[]
  /** @throws Fault NOT_FOUND, also for another owner's job. */
  own(id: string, caller: Caller): Job
  /**
   * Takes a place for a new job, at once, so that n parallel calls need n places.
   *
   * @returns what stores its row, unless its seal has done so already.
   * @throws Fault NODE_BUSY when the caller has too many unfinished jobs, or all places are taken.
   */
  place(job: Job): () => Promise<void>
  /** Jobs of an owner, newest first. */
  of(caller: Caller): readonly Job[]
  save(job: Job, change: Partial<JobRow>): Promise<void>
  /** What the seal's own batch says of the job: done and sealed, or neither. */
  doneIn(job: Job): (tx: Transaction, tokenId: string) => void
  /** Writes down an answer that has no envelope. */
  keep(job: Job, answer: Unsealed): Promise<void>
  kept(job: Job): Promise<Unsealed | undefined>
  /** Reads the jobs of earlier starts; those that were not over wait to run again. */
  load(): Promise<void>
}

/** What has to go for one more: what is over and old, then the oldest that are over. @throws Fault NODE_BUSY */
const makingRoom = (jobs: readonly Job[], tick: number, jobsMax: number): readonly string[] => {
  const over = jobs.filter(({ row }) => isOver(row.state))
  const old = over.filter(({ row }) => tick - (row.ended_tick ?? tick) > JOB_KEEP_TICKS)
  const excess = jobs.length - old.length + 1 - jobsMax
  const rest = over.filter((job) => !old.includes(job)).sort((a, b) => a.row.created_tick - b.row.created_tick)
  if (excess > rest.length) throw new Fault('NODE_BUSY', `${jobsMax} jobs already run or wait.`)
  return [...old, ...rest.slice(0, Math.max(0, excess))].map(({ row }) => row.id)
}

type Ports = Pick<ComputePorts, 'store' | 'options'>

/** Writing of rows, each in a batch of its own but for `doneIn`, which is part of the seal's. */
const writing = ({ store }: Ports) => ({
  save: async (job: Job, change: Partial<JobRow>): Promise<void> => {
    const next = { ...job.row, ...change }
    await store.commit((tx) => tx.put('job', next.id, next))
    setRow(job, next)
  },
  doneIn: (job: Job) => (tx: Transaction, tokenId: string) => {
    const row: JobRow = { ...job.row, state: 'done', reason: null, token_id: tokenId, ended_tick: tx.tick }
    tx.put('job', row.id, row)
    tx.onDurable(() => setRow(job, row))
  },
  keep: async (job: Job, answer: Unsealed): Promise<void> => {
    const next = await store.commit((tx) => {
      const unsealed = putBlob(tx.put, utf8(JSON.stringify(answer)))
      const row: JobRow = { ...job.row, state: 'done', reason: answer.reason, unsealed, ended_tick: tx.tick }
      tx.put('job', row.id, row)
      return row
    })
    setRow(job, next)
  },
})

/** The jobs of one node, empty until it is loaded. */
export const createJobStore = (ports: Ports): JobStore => {
  const { store, options } = ports
  const jobs = new Map<string, Job>()
  const of = (caller: Caller): readonly Job[] => {
    const owner = ownerOf(caller)
    const own = [...jobs.values()].filter(({ row }) => ownerOf(row.caller) === owner).reverse()
    return own.sort((a, b) => b.row.created_tick - a.row.created_tick)
  }
  return {
    ...writing(ports),
    of,
    get all() {
      return [...jobs.values()]
    },
    own: (id, caller) => {
      const job = jobs.get(id)
      if (job === undefined || ownerOf(job.row.caller) !== ownerOf(caller)) throw new Fault('NOT_FOUND', 'No such job.')
      return job
    },
    place: (job) => {
      const { row } = job
      if (of(row.caller).filter((it) => !isOver(it.row.state)).length >= JOBS_LIVE_PER_OWNER_MAX) {
        throw new Fault('NODE_BUSY', `${JOBS_LIVE_PER_OWNER_MAX} jobs of this caller already run or wait.`)
      }
      const gone = makingRoom([...jobs.values()], store.now().tick, options.jobsMax)
      for (const id of gone) jobs.delete(id)
      jobs.set(row.id, job)
      return async () => {
        try {
          await store.commit((tx) => {
            for (const id of gone) tx.del('job', id)
            if (tx.get('job', row.id) === undefined) tx.put('job', row.id, row)
          })
        } catch (failure) {
          jobs.delete(row.id)
          throw failure
        }
        job.feed.push('state', showJob(job))
      }
    },
    kept: async ({ row }) => {
      const bytes = row.unsealed === null ? undefined : await readBlob(store, row.unsealed)
      return bytes === undefined ? undefined : (JSON.parse(fromUtf8(bytes)) as Unsealed)
    },
    load: async () => {
      for await (const [id, row] of store.range('job')) {
        const job = jobOfRow(row)
        jobs.set(id, job)
        setRow(job, isOver(row.state) ? row : { ...row, state: 'queued', reason: RESTARTED })
      }
    },
  }
}
