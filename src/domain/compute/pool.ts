import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { Fault, type FaultCode } from '#core/fault.ts'
import type { DrawOrder } from './drawing.ts'
import type { Computable, DrawReply, FailedReply, Reply, Report, Task } from './task.ts'

export interface PoolOptions {
  /** Worker threads; the number of cores, and at least 1. */
  readonly threads: number
  /** Tasks that may wait for a thread; one more is NODE_BUSY. */
  readonly queueMax: number
  /** Megabytes of JavaScript heap one worker may use before it is ended. */
  readonly heapMegabytesMax?: number
  /** The worker's module, which exports `job`; this layer's own unless a test judges another. */
  readonly file?: URL
}

export interface RunOptions {
  /** Ends the worker when it aborts: a synchronous solve sees no signal. */
  readonly signal: AbortSignal
  readonly onReport?: (report: Report) => void
}

/** Threads that solve and check, so that a long run holds up nothing else. */
export interface Pool extends AsyncDisposable {
  /** Tasks that wait for a thread. */
  readonly waiting: number
  /**
   * Runs one task to its end in a thread.
   *
   * @throws Fault the worker's own refusals; NODE_BUSY when the queue is full; WORKER_LOST when the thread died.
   * @throws the signal's reason when it aborted, within some milliseconds.
   */
  run(task: Task, options: RunOptions): Promise<Computable>
  /** Draws a picture of a result in a thread. @throws as {@link run}; Fault NOT_FOUND for a plot that is not there. */
  draw(order: DrawOrder, signal: AbortSignal): Promise<Uint8Array>
}

/** How long an idle thread is kept warm, in milliseconds. */
const IDLE_MS = 300_000
const HEAP_MEGABYTES_MAX = 1_024

const listen = (port: MessagePort, onReport: RunOptions['onReport']): void => {
  port.on('message', (report: Report) => onReport?.(report))
  port.unref()
}

const PAINTER = new URL('./draw-worker.ts', import.meta.url).href

const rethrown = ({ fault, bug }: FailedReply): never => {
  if (fault !== null) throw new Fault(fault.code as FaultCode, fault.detail, fault.details)
  throw new Error(`broken solver: ${bug}`)
}

/** The pool of solver threads. Nothing starts before the first task. */
export const createPool = (options: PoolOptions): Pool => {
  const threads = Math.max(1, options.threads)
  const workers = new Piscina({
    filename: (options.file ?? new URL('./job-worker.ts', import.meta.url)).href,
    name: 'job',
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    // The bound is kept here, where it can be named; piscina's own must not be the first to refuse.
    maxQueue: options.queueMax + threads,
    concurrentTasksPerWorker: 1,
    resourceLimits: { maxOldGenerationSizeMb: options.heapMegabytesMax ?? HEAP_MEGABYTES_MAX },
  })
  // A thread that dies rejects its own task; the event only repeats it and would otherwise be thrown.
  workers.on('error', () => undefined)
  let inFlight = 0

  /** Has a thread do something; the queue's bound is one for all work. */
  const inThread = async <T>(work: () => Promise<unknown>, signal: AbortSignal): Promise<T> => {
    signal.throwIfAborted()
    if (inFlight >= threads + options.queueMax) {
      throw new Fault('NODE_BUSY', `${options.queueMax} computations already wait.`, { waiting: workers.queueSize })
    }
    inFlight += 1
    try {
      return (await work()) as T
    } catch (cause) {
      if (signal.aborted) throw signal.reason
      if (cause instanceof Error && cause.message === 'Task queue is at limit') throw new Fault('NODE_BUSY')
      throw new Fault('WORKER_LOST', undefined, { cause: cause instanceof Error ? cause.message : 'unknown' })
    } finally {
      inFlight -= 1
    }
  }

  const run = async (task: Task, { signal, onReport }: RunOptions): Promise<Computable> => {
    const { port1, port2 } = new MessageChannel()
    listen(port1, onReport)
    try {
      const sent = { ...task, port: port2 }
      const reply = await inThread<Reply>(() => workers.run(sent, { transferList: [port2], signal }), signal)
      return reply.ok ? reply.checked : rethrown(reply)
    } finally {
      port1.close()
      port2.close()
    }
  }

  const draw = async (order: DrawOrder, signal: AbortSignal): Promise<Uint8Array> => {
    const reply = await inThread<DrawReply>(
      () => workers.run(order, { filename: PAINTER, name: 'draw', signal }),
      signal,
    )
    return reply.ok ? reply.bytes : rethrown(reply)
  }

  return {
    get waiting() {
      return Math.max(0, inFlight - threads)
    },
    run,
    draw,
    [Symbol.asyncDispose]: () => workers.destroy(),
  }
}
