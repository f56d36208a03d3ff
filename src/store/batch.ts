import { assert } from '#core/assert.ts'
import { utf8 } from '#core/bytes.ts'
import type { Change } from './database.ts'
import type { Durable } from './durable.ts'
import { keyOf } from './key-parts.ts'
import type { Row, TableName } from './layout.ts'
import { type CommitMoment, type Overlay, type PendingLeaf, type PlanContext, runPlan } from './overlay.ts'
import type { LogName } from './rows/log.ts'
import type { Transfer } from './rows/transfer.ts'
import { databaseKey } from './rows.ts'
import type { Put, Transaction } from './transaction.ts'

/** Bytes of a leaf: a canonical document and its purpose line. */
export const LEAF_BYTES_MAX = 1_048_576 + 128

export interface BatchJob {
  /** Undefined: only end the ticks that are over. */
  readonly plan: ((tx: Transaction) => unknown) | undefined
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

export interface Accepted {
  readonly job: BatchJob
  readonly result: unknown
  readonly overlay: Overlay
}

/** What the next plan of a batch stands on: everything durable, and the plans accepted so far. */
interface Group {
  readonly context: PlanContext
  readonly rows: Map<string, Change>
  readonly balances: Map<string, number>
  readonly transfers: Transfer[]
  readonly leaves: PendingLeaf[]
  accept(overlay: Overlay): void
}

const createGroup = ({ database, ledger, logs }: Durable): Group => {
  const rows = new Map<string, Change>()
  const balances = new Map<string, number>()
  const transfers: Transfer[] = []
  const leaves: PendingLeaf[] = []
  const added: Record<LogName, number> = { seal: 0, events: 0 }
  const context: PlanContext = {
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
  return { context, rows, balances, transfers, leaves, accept }
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

/** Makes the leaves of all accepted plans at once, then their late rows; a plan one of whose makers fails is named. */
const makeAll = async (accepted: readonly Accepted[]) => {
  const leaves = new Map<PendingLeaf, Uint8Array>()
  const late = new Map<string, Change>()
  const failed = new Map<BatchJob, unknown>()
  const put: Put = (table, key, row) => void late.set(databaseKey(table, key), { table, key, row })
  const each = async (work: (overlay: Overlay) => Promise<unknown>): Promise<void> => {
    const attempts = accepted.map(({ job, overlay }) => work(overlay).catch((cause) => void failed.set(job, cause)))
    await Promise.all(attempts)
  }
  await each(({ leaves: own }) => Promise.all(own.map(async (leaf) => leaves.set(leaf, await makeLeaf(leaf)))))
  if (failed.size === 0) await each(({ lates }) => Promise.all(lates.map(async (make) => make(put))))
  return { leaves, late, failed }
}

const runPlans = (durable: Durable, jobs: readonly BatchJob[], now: CommitMoment) => {
  const group = createGroup(durable)
  const accepted: Accepted[] = []
  for (const job of jobs) {
    if (job.plan === undefined) continue
    try {
      const { result, overlay } = runPlan(job.plan, group.context, now)
      group.accept(overlay)
      accepted.push({ job, result, overlay })
    } catch (cause) {
      job.reject(cause)
    }
  }
  return { group, accepted }
}

/** A batch that can be written. */
export interface Settled {
  readonly group: Group
  readonly accepted: readonly Accepted[]
  readonly leaves: ReadonlyMap<PendingLeaf, Uint8Array>
  readonly late: ReadonlyMap<string, Change>
  /** Whether something is left to be appended when the tick ends. */
  readonly due: boolean
}

/** Runs plans until all that remain can be written: one whose leaf cannot be made would leave a gap. */
export const settle = async (durable: Durable, jobs: readonly BatchJob[], now: CommitMoment): Promise<Settled> => {
  let left = jobs
  for (;;) {
    const { group, accepted } = runPlans(durable, left, now)
    const { leaves, late, failed } = await makeAll(accepted)
    if (failed.size === 0) return { group, accepted, leaves, late, due: accepted.some((it) => it.overlay.due) }
    for (const [job, cause] of failed) job.reject(cause)
    left = accepted.map(({ job }) => job).filter((job) => !failed.has(job))
  }
}
