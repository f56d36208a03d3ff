import { toHex } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { digest, purposes, signedBytes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { leafHash, rootOf } from '#core/merkle.ts'
import { randomBytes } from '#crypto'
import type { Answers } from '#domain/compute/answers.ts'
import type { Pool } from '#domain/compute/pool.ts'
import type { Runner } from '#domain/compute/runner.ts'
import { asked } from '#domain/compute/tally.ts'
import type { ComputePorts } from '#domain/compute/types.ts'
import type { Hold, Idempotency } from '#domain/economy/economy.ts'
import { createBatchStore } from './batch-store.ts'
import { cancelBatch } from './cancel.ts'
import { outcomeOf } from './ends.ts'
import { type LiveBatch, liveBatch, openCalls } from './live.ts'
import { type BatchOrders, prepareAgain, prepareAll } from './prepare.ts'
import { createReading } from './reading.ts'
import { type CallsToRun, createRunning, type HeldCall } from './running.ts'
import { openIn } from './statements.ts'
import { type AskedCall, askedCalls } from './sweep.ts'
import type { Batches, BatchOrder, OpenedBatch, PreparedCall } from './types.ts'

const ID_BYTES = 16

interface Collaborators {
  readonly orders: BatchOrders
  readonly runner: Pick<Runner, 'start'>
  readonly answers: Pick<Answers, 'recall'>
  readonly pool: Pick<Pool, 'waiting'>
  readonly threads: number
}

/** The batches of a node, with what the compute domain does with them when it begins and ends. */
export interface BatchRoom extends Batches {
  /** Nothing more is begun or said of runs; what is open goes on at the next start. */
  stop(): void
  /** Ends when no run says anything any more. */
  over(): Promise<void>
}

/** What must be equal for a second batch under one key to be the first one again: its calls as they were sent. */
const requestDigest = (calls: readonly AskedCall[]): string => {
  const leaves = calls.map(({ route, input }) =>
    leafHash(signedBytes(purposes.request, { route, input: input as Json })),
  )
  return digest(purposes.request, { calls: calls.length, root: toHex(rootOf(leaves)) })
}

const insufficient = (cause: Fault, calls: readonly PreparedCall[], paidFor: number): Fault => {
  const price = calls.reduce((sum, { prepared }) => sum + prepared.price, 0)
  const detail =
    `The ${calls.length} calls cost ${price} credits; the balance pays for the first ${paidFor} of them. ` +
    'None was run.'
  const { price: _, ...details } = cause.details
  return new Fault(cause.code, detail, { ...details, price, calls: calls.length, paid_for: paidFor })
}

/** Keeps the price of each call back, or of none. @throws Fault INSUFFICIENT_BALANCE, DAILY_LIMIT_EXCEEDED */
const holdAll = (
  { economy }: Pick<ComputePorts, 'economy'>,
  calls: readonly PreparedCall[],
  caller: Caller,
): readonly Hold[] => {
  const holds: Hold[] = []
  try {
    for (const { prepared } of calls) holds.push(economy.hold(caller, prepared.price))
    return holds
  } catch (cause) {
    for (const hold of holds) hold.release()
    throw cause instanceof Fault && cause.code === 'INSUFFICIENT_BALANCE'
      ? insufficient(cause, calls, holds.length)
      : cause
  }
}

const heldCalls = (
  calls: readonly PreparedCall[],
  holds: readonly Hold[],
  indexes: readonly number[],
): readonly HeldCall[] => calls.map((it, i) => ({ ...it, index: indexes[i] as number, hold: holds[i] as Hold }))

type Ports = Pick<ComputePorts, 'store' | 'economy' | 'signer' | 'node' | 'sleep' | 'options' | 'log' | 'tally'>

/** Takes up batches of an earlier start: what is left of each is made again, held all or none, and run. */
const createResuming = (
  ports: Ports,
  { orders }: Pick<Collaborators, 'orders'>,
  running: ReturnType<typeof createRunning>,
) => {
  const { log } = ports
  return async (batch: LiveBatch, calls: Awaited<ReturnType<ReturnType<typeof createBatchStore>['calls']>>) => {
    const ready: PreparedCall[] = []
    const indexes: number[] = []
    for (const index of openCalls(batch)) {
      const record = calls[index]
      if (record === undefined) continue
      try {
        ready.push(await prepareAgain(orders, batch.row, record))
        indexes.push(index)
      } catch (cause) {
        await running.settle(batch, index, outcomeOf(cause))
      }
    }
    try {
      return heldCalls(ready, holdAll(ports, ready, batch.row.caller), indexes)
    } catch (cause) {
      log.warn({ batch: batch.row.id, calls: ready.length, cause: String(cause) }, 'batch_not_held')
      for (const index of indexes) await running.settle(batch, index, outcomeOf(cause))
      return []
    }
  }
}

/** The batches of one node. What an earlier start left open is taken up; its end is not waited for. */
export const openBatches = async (ports: Ports, parts: Collaborators): Promise<BatchRoom> => {
  const { store, economy } = ports
  const batchStore = createBatchStore(ports)
  const running = createRunning(ports, parts)
  const read = createReading(ports, parts)
  const resume = createResuming(ports, parts, running)
  const begun = asked(ports.tally)
  const under = new Set<Promise<void>>()

  const begin = (batch: LiveBatch, calls: CallsToRun, leave: () => void): void => {
    batchStore.begin(batch)
    const over = running.run(batch, calls).finally(() => {
      batchStore.end(batch)
      leave()
      under.delete(over)
    })
    under.add(over)
  }

  const opened = async (batch: LiveBatch, replayed: boolean): Promise<OpenedBatch> => {
    const { id } = batch.row
    const calls = await batchStore.calls(id)
    return { id, replayed, lines: (after, signal) => read(batch, calls, { after, signal }) }
  }

  const fresh = async (
    order: Pick<BatchOrder, 'routed'> & { readonly calls: readonly AskedCall[] },
    caller: Caller,
    once: Extract<Idempotency, { kind: 'fresh' }> | undefined,
  ): Promise<LiveBatch> => {
    if (store.held !== undefined) throw store.held
    if (store.clockBehind) throw new Fault('CLOCK_BEHIND')
    const leave = batchStore.enter(caller)
    let holds: readonly Hold[] = []
    try {
      const calls = await begun(() => prepareAll(parts.orders, order, caller))
      await batchStore.clear()
      holds = holdAll(ports, calls, caller)
      const price = calls.reduce((sum, { prepared }) => sum + prepared.price, 0)
      const zid = (holds[0] as Hold).zid
      const id = toHex(randomBytes(ID_BYTES))
      const row = await store.commit((tx) => {
        once?.keep(tx, () => ({ batch: id }))
        return openIn(tx, ports, { id, caller, zid, price, calls })
      })
      const batch = liveBatch(row, Array.from({ length: row.count }))
      const all = heldCalls(calls, holds, [...calls.keys()])
      begin(batch, () => all, leave)
      return batch
    } catch (refusal) {
      for (const hold of holds) hold.release()
      leave()
      throw refusal
    }
  }

  for (const batch of await batchStore.load()) {
    const leave = batchStore.enter(batch.row.caller)
    begin(batch, async () => resume(batch, await batchStore.calls(batch.row.id)), leave)
  }

  return {
    open: async ({ asked: it, routed, cancel }, { caller }, { scope, key }) => {
      const calls = askedCalls(it)
      if (cancel && key === undefined) throw new Fault('INVALID_INPUT', 'cancel takes the Idempotency-Key of a batch.')
      const once = key === undefined ? undefined : await economy.idempotent(caller, scope, key, requestDigest(calls))
      if (once?.kind === 'replay') {
        const batch = await batchStore.find((once.answer as { readonly batch: string }).batch)
        if (cancel && batch.row.closed === null) await cancelBatch(ports, batch)
        return opened(batch, true)
      }
      try {
        if (cancel) throw new Fault('NOT_FOUND', 'No batch stands under this Idempotency-Key, so none is cancelled.')
        return await opened(await fresh({ calls, routed }, caller, once), false)
      } finally {
        once?.release()
      }
    },
    stop: running.stop,
    over: async () => void (await Promise.allSettled(under)),
  }
}
