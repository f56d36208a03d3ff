import { Fault } from '#core/fault.ts'
import type { Durable, WriterOptions } from './durable.ts'
import { createFlight } from './flight.ts'
import { runGroup } from './pipeline.ts'
import type { Queued } from './queued.ts'
import type { Transaction } from './transaction.ts'

/** Transactions that may wait; one more is NODE_BUSY. */
export const QUEUE_MAX = 8_192

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

/**
 * The one writer of a store: it commits what is queued in groups, one fsync for each. While one group is on its way to
 * the disk the next is planned on top of it; nobody is told anything that rests on rows that are not durable.
 */
export const createWriter = ({ state, ...options }: WriterOptions): Writer => {
  const durable: Durable = { ...options, lastTick: state.lastTick, transfers: state.transfers }
  const flight = createFlight(durable)
  const queue: Queued[] = []
  let running: Promise<void> | undefined
  let stopping = false

  const pump = async (): Promise<void> => {
    await undefined // Calls made in one turn of the event loop share a group.
    while (queue.length > 0 || flight.isOn) {
      if (queue.length > 0) await runGroup(durable, flight, queue)
      else await flight.rung()
    }
    running = undefined
  }

  const enqueue = (plan: Queued['plan']): Promise<unknown> => {
    if (stopping) return Promise.reject(new Fault('NODE_STOPPING'))
    if (flight.failure !== undefined) return Promise.reject(flight.failure)
    if (queue.length >= QUEUE_MAX) return Promise.reject(new Fault('NODE_BUSY', 'Too many writes wait for the disk.'))
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    queue.push({ plan, resolve, reject } as Queued)
    flight.ring()
    running ??= pump()
    return promise
  }

  return {
    get lastTick() {
      return durable.lastTick
    },
    get failure() {
      return flight.failure
    },
    commit: <T>(plan: (tx: Transaction) => T) => enqueue(plan) as Promise<T>,
    closeTick: () => enqueue(undefined) as Promise<boolean>,
    end: async (work) => {
      stopping = true
      await running
      if (flight.failure !== undefined) throw flight.failure
      return work(durable)
    },
    [Symbol.asyncDispose]: async () => {
      stopping = true
      await running
    },
  }
}
