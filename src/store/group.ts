import { assert } from '#core/assert.ts'
import { utf8 } from '#core/bytes.ts'
import type { Change } from './database.ts'
import type { Ground } from './ground.ts'
import { keyOf } from './key-parts.ts'
import type { Row, TableName } from './layout.ts'
import { type CommitMoment, type Overlay, type PendingLeaf, type PlanContext, runPlan } from './overlay.ts'
import type { QueuedPlan } from './queued.ts'
import type { LogName } from './rows/log.ts'
import type { Transfer } from './rows/transfer.ts'
import { databaseKey } from './rows.ts'
import type { Put } from './transaction.ts'

/** Bytes of a leaf: a canonical document and its purpose line. */
export const LEAF_BYTES_MAX = 1_048_576 + 128

/** What a plan did, with the bytes that were made for it. */
interface Accepted {
  readonly result: unknown
  readonly overlay: Overlay
  readonly leaves: Map<PendingLeaf, Uint8Array>
  late: readonly Change[]
}

/** A plan in its group, and what became of it; its caller is told once the group is durable. */
export interface Planned {
  readonly job: QueuedPlan
  readonly now: CommitMoment
  readonly outcome: { readonly accepted: Accepted } | { readonly refused: unknown }
}

/** A group that can be written. */
export interface Settled {
  readonly tick: number
  readonly attempts: readonly Planned[]
  /** By database key. */
  readonly rows: ReadonlyMap<string, Change>
  /** By `asset/account`. */
  readonly balances: ReadonlyMap<string, number>
  readonly transfers: readonly Transfer[]
  readonly leaves: Readonly<Record<LogName, readonly Uint8Array[]>>
  /** Whether something is left to be appended when the tick ends. */
  readonly due: boolean
}

/** What the plans of a group did so far, on top of its ground. */
const createStack = (ground: Ground) => {
  const rows = new Map<string, Change>()
  const balances = new Map<string, number>()
  const transfers: Transfer[] = []
  const dues = new Map<string, () => Uint8Array>()
  const added: Record<LogName, number> = { seal: 0, events: 0 }
  const context: PlanContext = {
    read: <N extends TableName>(table: N, key: string, full: string): Row<N> | undefined => {
      const change = rows.get(full)
      return change === undefined ? ground.read(table, key, full) : (change.row as Row<N> | undefined)
    },
    balance: (asset, account) => balances.get(keyOf(asset, account)) ?? ground.balance(asset, account),
    sizeOf: (log) => ground.states[log].size + added[log],
  }
  const accept = (overlay: Overlay): void => {
    for (const [key, change] of overlay.rows) rows.set(key, change)
    for (const [key, balance] of overlay.balances) balances.set(key, balance)
    for (const [name, make] of overlay.dues) dues.set(name, make)
    transfers.push(...overlay.transfers)
    for (const leaf of overlay.leaves) added[leaf.log] += 1
  }
  return { context, rows, balances, transfers, dues, accept }
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

/** Makes the leaves of a plan, then its late rows. */
const makeOf = async (accepted: Accepted): Promise<void> => {
  const { overlay, leaves } = accepted
  await Promise.all(overlay.leaves.map(async (leaf) => leaves.set(leaf, await makeLeaf(leaf))))
  const late: Change[] = []
  const put: Put = (table, key, row) => void late.push({ table, key, row })
  await Promise.all(overlay.lates.map(async (make) => make(put)))
  accepted.late = late
}

/** A group that still takes plans. */
export interface OpenGroup {
  /** The tick of all its plans. */
  readonly tick: number
  readonly ground: Ground
  readonly attempts: readonly Planned[]
  /** Plans on top of those before, and begins to make their leaves. */
  plan(jobs: readonly QueuedPlan[], now: CommitMoment): void
  /** Waits for all that is made; plans whose leaves or late rows cannot be made, each with why. */
  made(): Promise<ReadonlyMap<QueuedPlan, unknown>>
  /** The group as it is written, once all is made; it takes no more plans. */
  settled(): Settled
}

/** @param lost plans that are refused without another try, each with why. */
export const openGroup = (
  ground: Ground,
  tick: number,
  lost: ReadonlyMap<QueuedPlan, unknown> = new Map(),
): OpenGroup => {
  const stack = createStack(ground)
  const attempts: Planned[] = []
  const making: Promise<void>[] = []
  const failed = new Map<QueuedPlan, unknown>()

  const outcomeOf = ({ job, now }: Pick<Planned, 'job' | 'now'>): Planned['outcome'] => {
    if (lost.has(job)) return { refused: lost.get(job) }
    try {
      const { result, overlay } = runPlan(job.plan, stack.context, now)
      stack.accept(overlay)
      return { accepted: { result, overlay, leaves: new Map(), late: [] } }
    } catch (cause) {
      return { refused: cause }
    }
  }

  const settled = (): Settled => {
    const accepted = attempts.flatMap(({ outcome }) => ('accepted' in outcome ? [outcome.accepted] : []))
    const leaves: Record<LogName, Uint8Array[]> = { seal: [], events: [] }
    for (const { overlay, leaves: own } of accepted) {
      for (const leaf of overlay.leaves) leaves[leaf.log].push(own.get(leaf) as Uint8Array)
    }
    const { rows, balances, transfers, dues } = stack
    for (const change of accepted.flatMap((it) => it.late)) rows.set(databaseKey(change.table, change.key), change)
    for (const [name, make] of dues) rows.set(databaseKey('due', name), { table: 'due', key: name, row: make() })
    return { tick, attempts, rows, balances, transfers, leaves, due: dues.size > 0 }
  }

  return {
    tick,
    ground,
    attempts,
    plan: (jobs, now) => {
      const begun = jobs.map((job): Planned => ({ job, now, outcome: outcomeOf({ job, now }) }))
      attempts.push(...begun)
      for (const { job, outcome } of begun) {
        if ('accepted' in outcome) making.push(makeOf(outcome.accepted).catch((cause) => void failed.set(job, cause)))
      }
    },
    made: async () => {
      await Promise.all(making)
      return failed
    },
    settled,
  }
}

/** Runs plans until all that remain can be written: one whose leaf cannot be made would leave a gap. */
export const settle = async (group: OpenGroup): Promise<Settled> => {
  const lost = new Map<QueuedPlan, unknown>()
  for (let it = group; ; ) {
    const failed = await it.made()
    if (failed.size === 0) return it.settled()
    for (const [job, cause] of failed) lost.set(job, cause)
    const { ground, tick, attempts } = it
    it = openGroup(ground, tick, lost)
    // A plan that was refused is tried again: what it was refused for may be gone.
    for (const { job, now } of attempts) it.plan([job], now)
  }
}
