import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { redisServer } from '../../test/kit/redis.ts'

/** Jobs that one worker has under way. */
const AT_ONCE = 256
/** How far ahead the jobs are due: all of them stand in the queue by then. Milliseconds a job, and at least. */
const AHEAD_MS = 0.5
const AHEAD_MS_MIN = 2_000

/**
 * Delayed jobs of BullMQ that are due at one instant, on a Redis that syncs its file with every write.
 *
 * @returns milliseconds from that instant until the last of them is done and durable.
 */
export const jobsDue = async (count: number): Promise<number> => {
  await using server = await redisServer(['--appendonly', 'yes', '--appendfsync', 'always'])
  const connection = new Redis({ path: server.socket, maxRetriesPerRequest: null })
  const queue = new Queue('due', { connection })
  const at = Date.now() + Math.max(AHEAD_MS_MIN, count * AHEAD_MS)
  const jobs = Array.from({ length: count }, (_, i) => ({
    name: 'set',
    data: { n: i },
    opts: { delay: Math.max(0, at - Date.now()) },
  }))
  await queue.addBulk(jobs)
  const { promise, resolve } = Promise.withResolvers<void>()
  let done = 0
  const own = connection.duplicate()
  const worker = new Worker('due', async ({ data }) => ({ n: (data as { n: number }).n + 1 }), {
    connection: own,
    concurrency: AT_ONCE,
  })
  worker.on('completed', () => {
    done += 1
    if (done === count) resolve()
  })
  await promise
  const ms = Date.now() - at
  await worker.close()
  await queue.close()
  own.disconnect()
  connection.disconnect()
  return ms
}
