import { randomBytes } from '#crypto'
import { fromUtf8, toHex, utf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import type { Caller } from '#domain/identity/caller.ts'
import { putBlob, readBlob } from '#store/blobs.ts'
import type { Transaction } from '#store/store.ts'
import type { ComputePorts, JobFrame, JobView, Unsealed } from './compute.ts'
import { createFeed, type Feed } from './feed.ts'
import type { Flight } from './flight.ts'
import { endingOf, isOver, type JobRow, ownerOf, viewOf } from './job.ts'

/** Ticks for which a job that is over is kept: a day. */
export const JOB_KEEP_TICKS = 111_197
/** Jobs of one owner that may be unfinished at once. */
export const JOBS_LIVE_PER_OWNER_MAX = 32

/** How long a cancel waits for the worker's end, in milliseconds; it takes a hundredth of that. */
const CANCEL_MS_MAX = 10_000

const ID_BYTES = 16
const RESTARTED = 'The node was restarted; it waits to run again.'

interface Job {
  row: JobRow
  flight: Flight | undefined
  readonly feed: Feed<JobView>
}

/** A recovered job's second start. @throws Fault when it cannot be made again. */
export type Relaunch = (row: JobRow) => Promise<Flight | { readonly tokenId: string }>

const json = (row: JobRow): Json => row as unknown as Json

/** Jobs: computations that outlive the call that began them, and the process as well. */
export const createJobs = ({ store, log, options }: Pick<ComputePorts, 'store' | 'log' | 'options'>) => {
  const jobs = new Map<string, Job>()
  let stopping = false

  const show = (job: Job): JobView => viewOf(job.row, job.flight?.latest)

  const set = (job: Job, row: JobRow): void => {
    job.row = row
    job.feed.push('state', show(job))
    if (isOver(row.state)) job.feed.close()
  }

  const save = async (job: Job, change: Partial<JobRow>): Promise<void> => {
    const next = { ...job.row, ...change }
    await store.commit((tx) => tx.put('job', next.id, json(next)))
    set(job, next)
  }

  /** Drops what is over and old, then the oldest that are over, until one more fits. @throws Fault NODE_BUSY */
  const makeRoom = (tx: Transaction): readonly string[] => {
    const over = [...jobs.values()].filter(({ row }) => isOver(row.state))
    const old = over.filter(({ row }) => tx.tick - (row.ended_tick ?? tx.tick) > JOB_KEEP_TICKS)
    const excess = jobs.size - old.length + 1 - options.jobsMax
    const rest = over.filter((job) => !old.includes(job)).sort((a, b) => a.row.created_tick - b.row.created_tick)
    if (excess > rest.length) throw new Fault('NODE_BUSY', `${options.jobsMax} jobs already run or wait.`)
    const gone = [...old, ...rest.slice(0, Math.max(0, excess))].map(({ row }) => row.id)
    for (const id of gone) tx.del('job', id)
    return gone
  }

  /** What the seal's own batch says of the job: done and sealed, or neither. */
  const doneIn = (job: Job) => (tx: Transaction, tokenId: string): void => {
    const row: JobRow = { ...job.row, state: 'done', reason: null, token_id: tokenId, ended_tick: tx.tick }
    tx.put('job', row.id, json(row))
    tx.onDurable(() => set(job, row))
  }

  const keepUnsealed = async (job: Job, answer: Unsealed): Promise<void> => {
    const next = await store.commit((tx) => {
      const unsealed = putBlob(tx.put, utf8(JSON.stringify(answer)))
      const row: JobRow = { ...job.row, state: 'done', reason: answer.reason, unsealed, ended_tick: tx.tick }
      tx.put('job', row.id, json(row))
      return row
    })
    set(job, next)
  }

  /** Writes down what came of a job's flight, where the seal has not done so itself. */
  const conclude = async (job: Job, flight: Flight): Promise<void> => {
    try {
      const answer = await flight.done
      if (answer.kind === 'unsealed') await keepUnsealed(job, answer)
    } catch (cause) {
      // A job that the stopping node ends is still to be done: it runs again at the next start.
      if (stopping) return
      if (!(cause instanceof Fault)) log.error({ job: job.row.id, cause: String(cause) }, 'job_failed')
      await save(job, { ...endingOf(cause), ended_tick: store.now().tick })
    }
  }

  const follow = (job: Job, flight: Flight): void => {
    void conclude(job, flight)
      .catch((cause) => log.error({ job: job.row.id, cause: String(cause) }, 'job_not_written'))
      .finally(() => job.feed.close())
  }

  const attach = (job: Job, flight: Flight): void => {
    job.flight = flight
    flight.watch(() => job.feed.push('progress', show(job)))
    flight.also(doneIn(job))
  }

  const own = (id: string, caller: Caller): Job => {
    const job = jobs.get(id)
    if (job === undefined || ownerOf(job.row.caller) !== ownerOf(caller)) throw new Fault('NOT_FOUND', 'No such job.')
    return job
  }

  const assertRoomFor = (owner: string): void => {
    const unfinished = [...jobs.values()].filter(({ row }) => !isOver(row.state) && ownerOf(row.caller) === owner)
    if (unfinished.length < JOBS_LIVE_PER_OWNER_MAX) return
    throw new Fault('NODE_BUSY', `${JOBS_LIVE_PER_OWNER_MAX} jobs of this caller already run or wait.`)
  }

  /** Makes a job of a computation that is under way. @throws Fault NODE_BUSY when there is no room; it goes on then. */
  const adopt = async (flight: Flight, idempotencyKey: string | undefined): Promise<JobView> => {
    assertRoomFor(ownerOf(flight.caller))
    const row: JobRow = {
      v: 1,
      id: toHex(randomBytes(ID_BYTES)),
      caller: flight.caller,
      recipe: flight.prepared.recipe,
      route: flight.prepared.route,
      idempotency_key: idempotencyKey ?? null,
      created_tick: store.now().tick,
      ended_tick: null,
      state: 'queued',
      reason: null,
      problem: null,
      token_id: null,
      unsealed: null,
    }
    const job: Job = { row, flight: undefined, feed: createFeed() }
    // From here on the seal's own batch says that the job is done, whether it comes before or after the next commit:
    // there is no moment at which a crash could leave a sealed job that would run again.
    attach(job, flight)
    const gone = await store.commit((tx) => {
      if (tx.get('job', row.id) !== undefined) return []
      const dropped = makeRoom(tx)
      tx.put('job', row.id, json(row))
      return dropped
    })
    for (const id of gone) jobs.delete(id)
    jobs.set(row.id, job)
    job.feed.push('state', show(job))
    follow(job, flight)
    return show(job)
  }

  const cancel = async (id: string, caller: Caller): Promise<JobView> => {
    const job = own(id, caller)
    if (isOver(job.row.state)) throw new Fault('JOB_FINISHED', undefined, { state: job.row.state })
    const cancelled = new Fault('JOB_CANCELLED')
    if (job.flight === undefined) {
      await save(job, { ...endingOf(cancelled), ended_tick: store.now().tick })
      return show(job)
    }
    job.flight.cancel(cancelled)
    for await (const { data } of job.feed.tail(0, AbortSignal.timeout(CANCEL_MS_MAX))) {
      if (isOver(data.state)) break
    }
    // The seal may have been quicker than the cancel.
    if (job.row.state === 'done') throw new Fault('JOB_FINISHED', undefined, { state: 'done' })
    return show(job)
  }

  /** Reads the jobs of earlier starts; those that were not over wait to run again. */
  const load = async (): Promise<void> => {
    for await (const [id, stored] of store.range('job', { limit: options.jobsMax })) {
      const row = stored as unknown as JobRow
      const job: Job = { row, flight: undefined, feed: createFeed() }
      jobs.set(id, job)
      set(job, isOver(row.state) ? row : { ...row, state: 'queued', reason: RESTARTED })
    }
  }

  /** Runs those again that were not over, a few at a time; each holds its price anew. */
  const recover = async (relaunch: Relaunch, atOnce: number): Promise<void> => {
    const waiting = [...jobs.values()].filter(({ row }) => !isOver(row.state))
    const again = async (job: Job): Promise<void> => {
      if (stopping || isOver(job.row.state)) return
      try {
        const begun = await relaunch(job.row)
        if ('tokenId' in begun) return await save(job, { state: 'done', reason: null, token_id: begun.tokenId })
        job.row = { ...job.row, reason: null }
        attach(job, begun)
        follow(job, begun)
        await begun.done.catch(() => undefined)
      } catch (cause) {
        if (stopping) return
        const { problem } = endingOf(cause)
        const reason = `The node was restarted, and the job could not run again: ${problem?.detail ?? ''}`
        await save(job, { state: 'lost', reason, problem, ended_tick: store.now().tick })
      }
    }
    const line = async (): Promise<void> => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await again(job)
    }
    await Promise.all(Array.from({ length: Math.max(1, atOnce) }, line))
  }

  return {
    adopt,
    cancel,
    load,
    recover,
    view: (id: string, caller: Caller): JobView => show(own(id, caller)),
    /** The envelope or the kept answer of a job that is done; undefined for any other. */
    async result(id: string, caller: Caller): Promise<{ readonly tokenId: string } | Unsealed | undefined> {
      const { row } = own(id, caller)
      if (row.token_id !== null) return { tokenId: row.token_id }
      const kept = row.unsealed === null ? undefined : await readBlob(store, row.unsealed)
      return kept === undefined ? undefined : (JSON.parse(fromUtf8(kept)) as Unsealed)
    },
    async *frames(id: string, caller: Caller, of: { after: number; signal: AbortSignal }): AsyncGenerator<JobFrame> {
      const { feed } = own(id, caller)
      // Numbers begin anew with each start of the node: one that is ahead of the feed belongs to an earlier start.
      const after = of.after > (feed.last?.seq ?? 0) ? 0 : of.after
      for await (const { seq, event, data } of feed.tail(after, of.signal)) {
        yield { id: String(seq), event: event as JobFrame['event'], data }
      }
    },
    /** From now on an ended flight says nothing of its job. */
    stop: (): void => {
      stopping = true
    },
  }
}

export type Jobs = ReturnType<typeof createJobs>
