import { parentPort, workerData } from 'node:worker_threads'
import { type LaneOrder, searchLane } from '#core/work-crew.ts'

/** A thread of `credits claim`: it searches until it has a nonce, or is ended. */
searchLane(
  workerData as LaneOrder,
  () => performance.now(),
  (it) => parentPort?.postMessage(it),
)
