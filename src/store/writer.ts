import { assert } from '#core/assert.ts'
import { fromHex, utf8 } from '#core/bytes.ts'
import { parseCanonical } from '#core/canonical.ts'
import { signCheckpointWith } from '#core/checkpoint.ts'
import { purposes } from '#core/digest.ts'
import { tickLeaf } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import type { Signer } from '#core/keys.ts'
import type { Change, Database } from './database.ts'
import { keyOf, type LogName, logNames, type Row, seqKey, type TableName, type WriterRow } from './layout.ts'
import type { Ledger } from './ledger.ts'
import { checkpointKey, type Extension, type GrowingLog, leafKey } from './merkle-log.ts'
import { type CommitMoment, type Ground, type Overlay, type PendingLeaf, runPlan } from './overlay.ts'
import { databaseKey } from './rows.ts'
import type { Put, Transaction, Transfer } from './store.ts'

/** Transactions that may wait; one more is NODE_BUSY. */
export const QUEUE_MAX = 8_192
/** Transactions that share one write and one fsync. */
export const BATCH_MAX = 256
/** Bytes of a leaf: a canonical document and its purpose line. */
export const LEAF_BYTES_MAX = 1_048_576 + 128

export interface WriterOptions {
  readonly database: Database
  readonly ledger: Ledger
  readonly logs: Readonly<Record<LogName, GrowingLog>>
  readonly state: WriterRow
  readonly signer: Signer
  /** The present, with `behind` measured against a node tick. */
  readonly moment: (lastTick: number) => CommitMoment
}

/** The single writer: plans go in, durable batches come out. */
export interface Writer extends AsyncDisposable {
  readonly lastTick: number
  /** Why nothing can be written any more; undefined while all is well. */
  readonly failure: Error | undefined
  commit<T>(plan: (tx: Transaction) => T): Promise<T>
  closeTick(): Promise<boolean>
}

interface Job {
  /** Undefined: only end the ticks that are over. */
  readonly plan: ((tx: Transaction) => unknown) | undefined
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

interface Accepted {
  readonly job: Job
  readonly result: unknown
  readonly overlay: Overlay
}

/** The ground under the next plan of a batch: everything durable, and the plans accepted so far. */
interface Group {
  readonly ground: Ground
  readonly rows: Map<string, Change>
  readonly balances: Map<string, number>
  readonly transfers: Transfer[]
  readonly leaves: PendingLeaf[]
  accept(overlay: Overlay): void
}

const createGroup = ({ database, ledger, logs }: WriterOptions): Group => {
  const rows = new Map<string, Change>()
  const balances = new Map<string, number>()
  const transfers: Transfer[] = []
  const leaves: PendingLeaf[] = []
  const added: Record<LogName, number> = { seal: 0, events: 0 }
  const ground: Ground = {
    read: <N extends TableName>(table: N, key: string): Row<N> | undefined => {
      const change = rows.get(databaseKey(table, key))
      return change === undefined ? database.peek(table, key) : (change.row as Row<N> | undefined)
    },
    balance: (asset, account) => balances.get(keyOf(asset, account)) ?? ledger.balance(asset, account),
    sizeOf: (log) => logs[log].size + added[log],
  }
  const accept = (overlay: Overlay): void => {
    for (const [key, change] of overlay.rows) rows.set(key, change)
    for (const [key, balance] of overlay.balances) balances.set(key, balance)
    transfers.push(...overlay.transfers)
    leaves.push(...overlay.leaves)
    for (const leaf of overlay.leaves) added[leaf.log] += 1
  }
  return { ground, rows, balances, transfers, leaves, accept }
}

const makeLeaf = async ({ kind, index, make }: PendingLeaf): Promise<Uint8Array> => {
  const data = await make(index)
  assert(data.length <= LEAF_BYTES_MAX, 'a leaf is within its bound')
  const begin = utf8(`${kind}\n`)
  assert(
    begin.every((byte, i) => data[i] === byte),
    'a leaf begins with its kind',
  )
  return data
}

/** The tick that a tick leaf states. */
export const tickOf = (leaf: Uint8Array): number => {
  const { tick } = parseCanonical(leaf.subarray(purposes.tick.length + 1)) as { tick: number }
  assert(Number.isSafeInteger(tick), 'a tick leaf states its tick')
  return tick
}

/** Makes the leaves of all accepted plans at once, then their late rows; a plan one of whose makers fails is named. */
const makeAll = async (accepted: readonly Accepted[]) => {
  const leaves = new Map<PendingLeaf, Uint8Array>()
  const late = new Map<string, Change>()
  const failed = new Map<Job, unknown>()
  const put: Put = (table, key, row) => void late.set(databaseKey(table, key), { table, key, row })
  const each = async (work: (overlay: Overlay) => Promise<unknown>): Promise<void> => {
    const attempts = accepted.map(({ job, overlay }) => work(overlay).catch((cause) => void failed.set(job, cause)))
    await Promise.all(attempts)
  }
  await each(({ leaves: own }) => Promise.all(own.map(async (leaf) => leaves.set(leaf, await makeLeaf(leaf)))))
  if (failed.size === 0) await each(({ lates }) => Promise.all(lates.map(async (make) => make(put))))
  return { leaves, late, failed }
}

export const createWriter = (options: WriterOptions): Writer => {
  const { database, ledger, logs, signer, moment } = options
  let { lastTick, transfers } = options.state
  let queue: Job[] = []
  let running: Promise<void> | undefined
  let stopping = false
  let failure: Error | undefined

  const writerRow = (next: Partial<WriterRow>, extended: Partial<Record<LogName, Extension>> = {}): Change => {
    const row: WriterRow = {
      lastTick,
      transfers,
      ...next,
      logs: {
        seal: extended.seal?.state ?? logs.seal.state,
        events: extended.events?.state ?? logs.events.state,
      },
    }
    return { table: 'writer', key: 'state', row }
  }

  const advance = (extended: Partial<Record<LogName, Extension>>): void => {
    for (const name of logNames) {
      const extension = extended[name]
      if (extension !== undefined) logs[name].advance(extension)
    }
  }

  const appendTickLeaves = async (now: CommitMoment): Promise<void> => {
    const extended: Partial<Record<LogName, Extension>> = {}
    for (const name of logNames) {
      const { openTick } = logs[name].state
      if (openTick !== null && now.tick > openTick) extended[name] = logs[name].extend([tickLeaf(openTick)], null)
    }
    const changes = Object.values(extended).flatMap((it) => it.changes)
    if (changes.length === 0) return
    await database.write([...changes, writerRow({}, extended)])
    advance(extended)
  }

  /** Signs the durable size of a log whose last leaf is a tick leaf, and stores the note before it is shown. */
  const signSize = async (log: GrowingLog): Promise<boolean> => {
    const { size, root, openTick } = log.state
    if (openTick !== null || size === (log.checkpoint?.size ?? 0)) return false
    const last = await database.get('leaf', leafKey(log.name, size - 1))
    assert(last !== undefined, 'the last leaf is stored')
    const tick = tickOf(last)
    const note = await signCheckpointWith({ origin: log.origin, size, root: fromHex(root) }, signer)
    const madeTick = moment(lastTick).tick
    const row = { size, root, note, tick, madeTick, late: madeTick !== tick + 1 }
    const newest = Math.max(lastTick, madeTick)
    await database.write([
      { table: 'checkpoint', key: checkpointKey(log.name, size), row },
      writerRow({ lastTick: newest }),
    ])
    lastTick = newest
    log.advanceCheckpoint(row)
    return true
  }

  const endTicks = async (now: CommitMoment): Promise<boolean> => {
    await appendTickLeaves(now)
    let made = false
    for (const name of logNames) made = (await signSize(logs[name])) || made
    return made
  }

  const runPlans = (jobs: readonly Job[], now: CommitMoment): { group: Group; accepted: Accepted[] } => {
    const group = createGroup(options)
    const accepted: Accepted[] = []
    for (const job of jobs) {
      if (job.plan === undefined) continue
      try {
        const { result, overlay } = runPlan(job.plan, group.ground, now)
        group.accept(overlay)
        accepted.push({ job, result, overlay })
      } catch (cause) {
        job.reject(cause)
      }
    }
    return { group, accepted }
  }

  /** Runs plans until all that remain can be written: one whose leaf cannot be made would leave a gap. */
  const settle = async (jobs: readonly Job[], now: CommitMoment) => {
    let left = jobs
    for (;;) {
      const { group, accepted } = runPlans(left, now)
      const made = await makeAll(accepted)
      if (made.failed.size === 0) return { group, accepted, ...made }
      for (const [job, cause] of made.failed) job.reject(cause)
      left = accepted.map(({ job }) => job).filter((job) => !made.failed.has(job))
    }
  }

  const writeBatch = async (jobs: readonly Job[], now: CommitMoment): Promise<void> => {
    const { group, accepted, leaves, late } = await settle(jobs, now)
    const extended: Partial<Record<LogName, Extension>> = {}
    for (const name of logNames) {
      const own = group.leaves.filter((leaf) => leaf.log === name).map((leaf) => leaves.get(leaf) as Uint8Array)
      if (own.length > 0) extended[name] = logs[name].extend(own, now.tick)
    }
    const appended = group.leaves.length > 0
    const changes: Change[] = [
      ...group.rows.values(),
      ...late.values(),
      ...Object.values(extended).flatMap((it) => it.changes),
      ...[...group.balances].map(([key, row]): Change => ({ table: 'balance', key, row })),
      ...group.transfers.map((it, i): Change => {
        return { table: 'transfer', key: seqKey(transfers + i), row: { ...it, tick: now.tick } }
      }),
    ]
    const next = {
      lastTick: appended ? Math.max(lastTick, now.tick) : lastTick,
      transfers: transfers + group.transfers.length,
    }
    if (changes.length > 0) await database.write([...changes, writerRow(next, extended)])
    lastTick = next.lastTick
    transfers = next.transfers
    ledger.apply(group.balances)
    advance(extended)
    for (const { overlay } of accepted) for (const hook of overlay.hooks) hook()
    for (const { job, result } of accepted) job.resolve(result)
  }

  const runBatch = async (jobs: readonly Job[]): Promise<void> => {
    try {
      if (failure !== undefined) throw failure
      const now = moment(lastTick)
      const made = await endTicks(now)
      for (const job of jobs) if (job.plan === undefined) job.resolve(made)
      if (jobs.some((job) => job.plan !== undefined)) await writeBatch(jobs, now)
    } catch (cause) {
      // Whether a failed write reached the disk is unknown, so nothing more may be built on it in this process.
      failure ??= new Error('the store cannot write any more', { cause })
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

  const enqueue = (plan: Job['plan']): Promise<unknown> => {
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
      return lastTick
    },
    get failure() {
      return failure
    },
    commit: <T>(plan: (tx: Transaction) => T) => enqueue(plan) as Promise<T>,
    closeTick: () => enqueue(undefined) as Promise<boolean>,
    [Symbol.asyncDispose]: async () => {
      stopping = true
      await running
    },
  }
}
