import { toHex } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { randomBytes } from '#crypto'
import type { JobRow, JobState } from '#store/rows/job.ts'
import { endingOf, isOver } from './job.ts'
import { createJobStore, type Job, type JobStore, jobOfRow, showJob } from './job-store.ts'
import type { ComputeRun } from './runner.ts'
import type { ComputePorts, JobFrame, RequestContext, Unsealed } from './types.ts'
import type { JobView } from './views/jobs.ts'

const ID_BYTES = 16

/**
 * Makes a recovered job again, up to its start: its Idempotency-Key is taken at once, so that a caller who repeats the
 * call finds it under way. @throws Fault when it cannot be made again.
 */
export type Relaunch = (row: JobRow) => Promise<Ready>

/** A computation that needs only to start. */
export interface Ready {
  /** Starts; or gives what was sealed, or answered without a seal, under its key. @throws Fault as the runner. */
  start(): ComputeRun | { readonly tokenId: string } | { readonly recalled: Unsealed }
  /** Gives its Idempotency-Key back where it does not take off. */
  release(): void
}

/** What a job keeps of the call that began it. */
type Called = Pick<RequestContext, 'route' | 'idempotencyKey'>

/** Jobs: computations that outlive the call that began them, and the process as well. */
export interface Jobs {
  /** Makes a job of a computation that is under way. @throws Fault NODE_BUSY when there is no room; it goes on then. */
  adopt(run: ComputeRun, asking: Called): Promise<JobView>
  view(id: string, caller: Caller): JobView
  /** The envelope or the kept answer of a job that is done; undefined for any other. @throws Fault NOT_FOUND */
  result(id: string, caller: Caller): Promise<{ readonly tokenId: string } | Unsealed | undefined>
  frames(id: string, caller: Caller, of: { after: number; signal: AbortSignal }): AsyncGenerator<JobFrame>
  /** @throws Fault NOT_FOUND, JOB_FINISHED */
  cancel(id: string, caller: Caller): Promise<JobView>
  load(): Promise<void>
  /**
   * Makes those ready that were not over, and is then done; they run a few at a time, each holding its price anew.
   *
   * @returns what ends when the last of them has ended.
   */
  recover(relaunch: Relaunch, atOnce: number): Promise<{ readonly over: Promise<void> }>
  /** Jobs of a caller, newest first. */
  list(caller: Caller): readonly JobView[]
  /** How many jobs are kept in each state that any is in. */
  counts(): ReadonlyMap<JobState, number>
  /** From now on an ended run says nothing of its job: it runs again at the next start. */
  stop(): void
}

const freshRow = ({ caller, prepared }: ComputeRun, { route, idempotencyKey }: Called, tick: number): JobRow => ({
  v: 1,
  id: toHex(randomBytes(ID_BYTES)),
  caller,
  recipe: prepared.recipe,
  route,
  idempotency_key: idempotencyKey ?? null,
  created_tick: tick,
  ended_tick: null,
  state: 'queued',
  reason: null,
  problem: null,
  token_id: null,
  unsealed: null,
})

type Ports = Pick<ComputePorts, 'store' | 'log' | 'options'>

/** Ties runs to jobs: reports become frames, the end becomes a row. */
const createFollowing = ({ store, log }: Ports, jobStore: JobStore) => {
  let stopping = false

  /** Writes down what came of a job's run, where the seal has not done so itself. */
  const conclude = async (job: Job, run: ComputeRun): Promise<void> => {
    try {
      const answer = await run.done
      if (answer.kind === 'unsealed') await jobStore.keep(job, answer)
    } catch (cause) {
      // A job that the stopping node ends is still to be done: it runs again at the next start.
      if (stopping) return
      if (!(cause instanceof Fault)) log.error({ job: job.row.id, cause: String(cause) }, 'job_failed')
      await jobStore.save(job, { ...endingOf(cause), ended_tick: store.now().tick })
    }
  }

  return {
    /** From here on the seal's own batch says that the job is done. */
    attach: (job: Job, run: ComputeRun): void => {
      job.run = run
      run.watch(() => job.feed.push('progress', showJob(job)))
      run.also(jobStore.doneIn(job))
    },
    follow: (job: Job, run: ComputeRun): void => {
      job.concluded = conclude(job, run)
        .catch((cause) => log.error({ job: job.row.id, cause: String(cause) }, 'job_not_written'))
        .finally(() => job.feed.close())
    },
    stop: (): void => {
      stopping = true
    },
    get stopping() {
      return stopping
    },
  }
}

type Following = ReturnType<typeof createFollowing>

const createRecovery = ({ store, log }: Ports, jobStore: JobStore, following: Following): Jobs['recover'] => {
  /** A job that cannot run again says so; it cost nothing. */
  const lose = async (job: Job, cause: unknown): Promise<void> => {
    if (following.stopping) return
    const { problem } = endingOf(cause)
    const reason = `The node was restarted, and the job could not run again: ${problem?.detail ?? ''}`
    await jobStore.save(job, { state: 'lost', reason, problem, ended_tick: store.now().tick })
  }

  const again = async (job: Job, ready: Ready): Promise<void> => {
    if (following.stopping || isOver(job.row.state)) return ready.release()
    try {
      const begun = ready.start()
      if ('recalled' in begun) return await jobStore.keep(job, begun.recalled)
      if ('tokenId' in begun) return await jobStore.save(job, { state: 'done', reason: null, token_id: begun.tokenId })
      job.row = { ...job.row, reason: null }
      following.attach(job, begun)
      following.follow(job, begun)
      await begun.done.catch(() => undefined)
    } catch (cause) {
      await lose(job, cause)
    }
  }

  return async (relaunch, atOnce) => {
    const ready: (readonly [Job, Ready])[] = []
    for (const job of jobStore.all.filter(({ row }) => !isOver(row.state))) {
      try {
        ready.push([job, await relaunch(job.row)])
      } catch (cause) {
        await lose(job, cause)
      }
    }
    const line = async (): Promise<void> => {
      for (let next = ready.shift(); next !== undefined; next = ready.shift()) await again(...next)
    }
    const lines = Promise.all(Array.from({ length: Math.max(1, atOnce) }, line))
    return {
      over: lines.then(
        () => undefined,
        (cause) => log.error({ cause: String(cause) }, 'jobs_not_recovered'),
      ),
    }
  }
}

/** The jobs of one node; `load` comes first. */
export const createJobs = (ports: Ports): Jobs => {
  const { store } = ports
  const jobStore = createJobStore(ports)
  const following = createFollowing(ports, jobStore)
  return {
    load: jobStore.load,
    recover: createRecovery(ports, jobStore, following),
    counts: () => {
      const found = new Map<JobState, number>()
      for (const { row } of jobStore.all) found.set(row.state, (found.get(row.state) ?? 0) + 1)
      return found
    },
    stop: following.stop,
    adopt: async (run, asking) => {
      const job = jobOfRow(freshRow(run, asking, store.now().tick))
      const write = jobStore.place(job)
      // Before the row is written: the seal may come first, and there must be no moment at which a crash could leave a
      // sealed job that would run again.
      following.attach(job, run)
      await write()
      following.follow(job, run)
      return showJob(job)
    },
    list: (caller) => {
      // An address or the shared key stands for many people, whose jobs are each other's secret.
      if (caller.kind !== 'anonymous' && !caller.shared) return jobStore.of(caller).map(showJob)
      throw new Fault('SCOPE_REQUIRED', 'Listing jobs needs a key of your own.', { scope: 'account' })
    },
    view: (id, caller) => showJob(jobStore.own(id, caller)),
    result: async (id, caller) => {
      const job = jobStore.own(id, caller)
      return job.row.token_id === null ? jobStore.kept(job) : { tokenId: job.row.token_id }
    },
    async *frames(id, caller, of) {
      const { feed, row } = jobStore.own(id, caller)
      const last = feed.last?.seq ?? 0
      // Numbers begin anew with each start of the node: one that is ahead of the feed belongs to an earlier start. So
      // may the last one: how a job ended is told again rather than never.
      const resumed = of.after > last ? 0 : of.after
      const after = isOver(row.state) ? Math.min(resumed, last - 1) : resumed
      for await (const { seq, event, data } of feed.tail(after, of.signal)) {
        yield { id: String(seq), event: event as JobFrame['event'], data }
      }
    },
    cancel: async (id, caller) => {
      const job = jobStore.own(id, caller)
      if (isOver(job.row.state)) throw new Fault('JOB_FINISHED', undefined, { state: job.row.state })
      const cancelled = new Fault('JOB_CANCELLED')
      job.run?.cancel(cancelled)
      if (job.run === undefined) await jobStore.save(job, { ...endingOf(cancelled), ended_tick: store.now().tick })
      await job.concluded
      // The seal may have been quicker than the cancel.
      if (job.row.state === 'done') throw new Fault('JOB_FINISHED', undefined, { state: 'done' })
      return showJob(job)
    },
  }
}
