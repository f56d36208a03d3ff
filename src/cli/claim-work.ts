import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { LaneReply, StartLane } from '#core/work-crew.ts'

const THREAD = new URL('./claim-thread.ts', import.meta.url)

/** Threads of one search at most. */
const THREADS_MAX = 64

/** Begins a thread of this process on its lane. */
export const startThread: StartLane = (order, { reply, failed }) => {
  const worker = new Worker(THREAD, { workerData: order })
  worker.on('message', (it: LaneReply) => reply(it))
  worker.on('error', failed)
  return { end: () => worker.terminate() }
}

/** Threads of a search: one processor stays for whatever else the machine does. */
export const claimThreads = (): number => Math.min(THREADS_MAX, Math.max(1, availableParallelism() - 1))
