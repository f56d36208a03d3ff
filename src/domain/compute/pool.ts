import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { Fault, type FaultCode } from '#core/fault.ts'
import type { Routed, RoutingQuery } from '#routing/route.ts'
import type { DrawOrder } from './drawing.ts'
import type {
  Computable,
  DrawReply,
  FailedReply,
  Parted,
  PartReply,
  PartTask,
  ReadReply,
  Report,
  Task,
  WorkerReply,
} from './task.ts'
import type { ThreadOrder } from './thread-order.ts'
import { createThreads, type Doing, Preempted, type ThreadsOptions } from './threads.ts'

export interface PoolOptions {
  /** Worker threads; the number of cores, and at least 1. */
  readonly threads: number
  /** Tasks that may wait for a thread, and as many questions to be read; one more is NODE_BUSY. */
  readonly queueMax: number
  /** Megabytes of JavaScript heap one worker may use before it is ended. */
  readonly heapMegabytesMax?: number
  /** How long an idle thread is kept warm, in milliseconds. */
  readonly idleMs?: number
  readonly sleep: ThreadsOptions['sleep']
  /** The worker's module, which exports `job` and `part`; this layer's own unless a test checks another. */
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
  /** Threads that are there, at work or idle. */
  readonly alive: number
  /**
   * Runs one task to its end in a thread.
   *
   * @throws Fault the worker's own refusals; NODE_BUSY when the queue is full; WORKER_LOST when the thread died.
   * @throws the signal's reason when it aborted, within some milliseconds.
   */
  run(task: Task, options: RunOptions): Promise<Computable>
  /**
   * Does a part of a run in a thread that nothing of the node's own waits for, and gives it up, within
   * {@link PREEMPTED_MS_MAX} milliseconds, as soon as something does. The same part gives the same bits again.
   *
   * @throws as {@link run}; its line is one of its own.
   */
  part(task: PartTask, options: RunOptions): Promise<Parted>
  /** Draws a picture of a result in a thread. @throws as {@link run}; Fault NOT_FOUND for a plot that is not there. */
  draw(order: DrawOrder, signal: AbortSignal): Promise<Uint8Array>
  /** Reads a question in a thread, before all tasks that wait. @throws as {@link run}, and as `routeQuestion`. */
  read(question: RoutingQuery, signal: AbortSignal): Promise<Routed>
}

const IDLE_MS = 60_000
const HEAP_MEGABYTES_MAX = 1_024

const listen = (port: MessagePort, onReport: RunOptions['onReport']): void => {
  port.on('message', (report: Report) => onReport?.(report))
  port.unref()
}

const ADDRESSES = {
  job: new URL('./job-worker.ts', import.meta.url),
  draw: new URL('./draw-worker.ts', import.meta.url),
  read: new URL('./read-worker.ts', import.meta.url),
}

const rethrown = ({ fault, bug }: FailedReply): never => {
  if (fault !== null) throw new Fault(fault.code as FaultCode, fault.detail, fault.details)
  throw new Error(`broken solver: ${bug}`)
}

/** Counts what is under way, and refuses what would have to wait in a line that is full. */
const createAdmission = (underWayMax: number, waitingMax: number) => {
  let underWay = 0
  return {
    get waiting() {
      return Math.max(0, underWay - underWayMax)
    },
    async through<T>(work: () => Promise<T>): Promise<T> {
      if (underWay >= underWayMax + waitingMax) {
        throw new Fault('NODE_BUSY', `${waitingMax} computations already wait.`, { waiting: underWay - underWayMax })
      }
      underWay += 1
      try {
        return await work()
      } finally {
        underWay -= 1
      }
    },
  }
}

/** The pool of solver threads. Nothing starts before the first task. */
export const createPool = (options: PoolOptions): Pool => {
  const threads = Math.max(1, options.threads)
  const { queueMax, heapMegabytesMax = HEAP_MEGABYTES_MAX, idleMs = IDLE_MS, file = ADDRESSES.job } = options
  const workers = createThreads({ threads, heapMegabytesMax, idleMs, sleep: options.sleep })
  const gates = {
    tasks: createAdmission(threads, queueMax),
    parts: createAdmission(threads, queueMax),
    questions: createAdmission(1, queueMax),
  }
  const gateOf = ({ quick = false, yields }: Doing) => {
    if (quick) return gates.questions
    return yields === undefined ? gates.tasks : gates.parts
  }

  /** Has a thread do something; tasks and pictures have one bound of their line, parts and questions one each. */
  const inThread = async <T>(order: ThreadOrder, doing: Doing): Promise<T> => {
    const { signal } = doing
    signal.throwIfAborted()
    return gateOf(doing).through(async () => {
      try {
        return (await workers.run(order, doing)) as T
      } catch (cause) {
        if (signal.aborted) throw signal.reason
        if (cause instanceof Preempted) throw cause
        throw new Fault('WORKER_LOST', undefined, { cause: cause instanceof Error ? cause.message : 'unknown' })
      }
    })
  }

  /** Has a thread do something that tells how far it is. */
  const reported = async <T>(
    { name, value }: { readonly name: string; readonly value: object },
    { onReport, ...doing }: RunOptions & Doing,
  ): Promise<T> => {
    const { port1, port2 } = new MessageChannel()
    listen(port1, onReport)
    try {
      const order = { file: file.href, name, value: { ...value, port: port2 } }
      return await inThread<T>(order, { ...doing, transfer: [port2] })
    } finally {
      port1.close()
      port2.close()
    }
  }

  const run = async (task: Task, options: RunOptions): Promise<Computable> => {
    const reply = await reported<WorkerReply>({ name: 'job', value: task }, options)
    return reply.ok ? reply.checked : rethrown(reply)
  }

  const part = async (task: PartTask, options: RunOptions): Promise<Parted> => {
    const yields = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    try {
      const reply = await reported<PartReply>({ name: 'part', value: { ...task, yields } }, { ...options, yields })
      return reply.ok ? reply.parted : rethrown(reply)
    } catch (cause) {
      if (cause instanceof Preempted) return { kind: 'preempted' }
      throw cause
    }
  }

  const draw = async (value: DrawOrder, signal: AbortSignal): Promise<Uint8Array> => {
    const reply = await inThread<DrawReply>({ file: ADDRESSES.draw.href, name: 'draw', value }, { signal })
    return reply.ok ? reply.bytes : rethrown(reply)
  }

  const read = async (value: RoutingQuery, signal: AbortSignal): Promise<Routed> => {
    const reply = await inThread<ReadReply>({ file: ADDRESSES.read.href, name: 'read', value }, { signal, quick: true })
    return reply.ok ? reply.routed : rethrown(reply)
  }

  return {
    get waiting() {
      return gates.tasks.waiting
    },
    get alive() {
      return workers.alive
    },
    run,
    part,
    draw,
    read,
    [Symbol.asyncDispose]: () => workers[Symbol.asyncDispose](),
  }
}
