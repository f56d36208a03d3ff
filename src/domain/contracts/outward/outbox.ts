import type { Log } from '#core/telemetry.ts'
import { meshTickAt } from '#core/tick.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import type { Signer } from '#ports/crypto.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import { type ContractOutboxRow, numberedKey } from '#store/rows/contract.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import type { OutwardCaller } from './call.ts'
import type { Gate } from './gate.ts'
import type { GivenUp } from './gave-up.ts'
import { nextAttempt } from './pacing.ts'
import { OutwardProblem } from './problem.ts'
import type { SecretOf } from './secrets.ts'
import { webhookCall } from './webhook.ts'

/** Rows that one look at the outbox goes over. */
const SCAN_MAX = 4_096
/** Notifications of one owner, and of all, that wait for a place in memory; the others wait in their rows. */
const QUEUED_PER_OWNER_MAX = 32
const QUEUED_MAX = 1_024
const NS_PER_SECOND = 1_000_000_000n

export interface OutboxOptions {
  readonly store: Store
  readonly call: OutwardCaller
  readonly gate: Gate
  readonly signer: Signer
  readonly secretOf: SecretOf
  readonly gaveUp: (tx: Transaction, of: GivenUp) => void
  readonly log: Log
  /** Ends what is under way; it is sent again after the next start. */
  readonly signal: AbortSignal
}

/** Key of a notification in the outbox: the mesh tick from which it is tried, its fire, its index. */
export const outboxKey = (meshTick: number, { fire, index }: Pick<ContractOutboxRow, 'fire' | 'index'>): string =>
  keyOf(seqKey(meshTick), fire, String(index))

/** The definition that a fire went by; undefined while its row is not to be found. */
const definitionOf = (store: Store, { id, fire }: ContractOutboxRow): Definition | undefined => {
  const no = store.peek('contractFireNo', keyOf(id, fire))
  const row = no === undefined ? undefined : store.peek('contractFire', numberedKey(id, no))
  if (row === undefined || !('version_no' in row)) return undefined
  return store.peek('contractVersion', numberedKey(id, row.version_no))?.definition as unknown as Definition | undefined
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? ''

interface Found {
  readonly key: string
  readonly row: ContractOutboxRow
  readonly owner: string
}

/** Sends what one row says, once. @throws OutwardProblem */
const createSend =
  ({ store, call, signer, secretOf }: OutboxOptions) =>
  async (row: ContractOutboxRow, signal: AbortSignal): Promise<void> => {
    const parts = { row, definition: definitionOf(store, row), secretOf: (name: string) => secretOf(row.id, name) }
    const time = Number(store.now().instant / NS_PER_SECOND)
    const { status } = await call(await webhookCall({ ...parts, signer, time }), signal)
    if (status < 200 || status >= 300) {
      throw new OutwardProblem('status', `The receiver answered with the status ${status}.`, status)
    }
  }

/** Marks what came of an attempt: the row goes, or waits for the next one. */
const createMark =
  ({ store, gaveUp, log }: OutboxOptions) =>
  (key: string, row: ContractOutboxRow, problem: OutwardProblem | undefined): Promise<void> =>
    store.commit((tx) => {
      if (tx.get('contractOutbox', key) === undefined) return
      tx.del('contractOutbox', key)
      if (problem === undefined) return
      const attempts = row.attempts + 1
      const { id: contract, fire, index } = row
      const { reason, status = null } = problem
      const next = nextAttempt({ attempts, first: row.first_tick, tick: tx.meshTick })
      if (next === undefined) gaveUp(tx, { row, attempts, reason })
      else tx.put('contractOutbox', outboxKey(next, row), { ...row, attempts })
      const fields = {
        contract,
        fire,
        index,
        host: hostOf(row.url),
        attempts,
        reason,
        status,
        last: next === undefined,
      }
      tx.onDurable(() => log.warn(fields, 'notify_failed'))
    })

/**
 * Delivers what stands in the outbox, at least once: a row goes after the receiver has answered 2xx, and what is not
 * marked when the node ends is sent again, under the same id.
 */
export const createOutbox = (options: OutboxOptions) => {
  const { store, gate, log, signal } = options
  const send = createSend(options)
  const mark = createMark(options)
  /** Keys of rows that are being sent or wait for a place, with the work on them. */
  const taken = new Map<string, Promise<void>>()
  const queued = new Map<string, number>()
  /** Where the next look begins, when the last one did not come to the end. */
  let from = ''
  let looking: Promise<void> | undefined

  const ownerOf = ({ id }: ContractOutboxRow): string => {
    const slug = store.peek('contract', id)?.slug
    return (slug === undefined ? undefined : store.peek('machine', slug)?.owner_zid) ?? ''
  }
  const count = (owner: string, by: 1 | -1): void => {
    const now = (queued.get(owner) ?? 0) + by
    if (now === 0) queued.delete(owner)
    else queued.set(owner, now)
  }
  const deliver = async ({ key, row, owner }: Found): Promise<void> => {
    using _ = await gate.enter({ owner, host: hostOf(row.url) }, signal)
    const problem = await send(row, signal).then(
      () => undefined,
      (cause: unknown) => {
        if (cause instanceof OutwardProblem) return cause
        throw cause
      },
    )
    // Nobody knows how far it came: it is sent again.
    if (problem?.reason === 'stopped') return
    await mark(key, row, problem)
  }
  const take = (found: Found): void => {
    const { key, owner } = found
    count(owner, 1)
    const work = deliver(found)
      .catch((cause: unknown) => {
        // The row stands, and is found again by the next look.
        if (!signal.aborted) log.warn({ key, problem: (cause as Error).name }, 'notify_not_marked')
      })
      .finally(() => {
        taken.delete(key)
        count(owner, -1)
      })
    taken.set(key, work)
  }
  const look = async (meshTick: number): Promise<void> => {
    const lt = seqKey(meshTick + 1)
    let [seen, last, full] = [0, from, false]
    for await (const [key, row] of store.range('contractOutbox', { gt: from, lt, limit: SCAN_MAX })) {
      full = taken.size >= QUEUED_MAX
      if (full || signal.aborted) break
      seen += 1
      last = key
      const owner = ownerOf(row)
      if (!taken.has(key) && (queued.get(owner) ?? 0) < QUEUED_PER_OWNER_MAX) take({ key, row, owner })
    }
    // However much some owners have waiting, the next look goes on behind it.
    from = full || seen === SCAN_MAX ? last : ''
  }

  return {
    /** Looks once for what is due, and begins to send it; the sending goes on by itself. */
    run: async (meshTick: number = meshTickAt(store.now().instant)): Promise<void> => {
      looking ??= look(meshTick).finally(() => {
        looking = undefined
      })
      await looking
    },
    /** Resolves when nothing of what was begun is under way any more. */
    settled: async (): Promise<void> => {
      await looking
      while (taken.size > 0) await Promise.all(taken.values())
    },
  }
}
