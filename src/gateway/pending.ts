import type { ServerResponse } from 'node:http'
import { Fault } from '#core/fault.ts'

/** Bytes of answers that one address may leave unread, and all together. */
export const UNREAD_BYTES_PER_BUCKET_MAX = 67_108_864
export const UNREAD_BYTES_MAX = 268_435_456
/** Smaller answers are not counted: connections bound them. */
const COUNTED_BYTES_MIN = 65_536

/**
 * Answers that are written but not taken. An answer waits in memory for its reader, so one that reads slowly costs as
 * much as it asks for: what an address has waiting is bounded before it may ask for more.
 */
export interface Pending {
  /** @throws Fault RATE_LIMITED, NODE_BUSY while too much is waiting to be read. */
  admit(bucket: string): void
  /** Counts an answer until it is taken or given up. */
  hold(response: ServerResponse, bucket: string, bytes: number): void
}

/** Nothing waits yet. */
export const createPending = (perBucket = UNREAD_BYTES_PER_BUCKET_MAX, all = UNREAD_BYTES_MAX): Pending => {
  const byBucket = new Map<string, number>()
  let total = 0
  const add = (bucket: string, bytes: number): void => {
    const sum = (byBucket.get(bucket) ?? 0) + bytes
    total += bytes
    if (sum === 0) byBucket.delete(bucket)
    else byBucket.set(bucket, sum)
  }
  return {
    admit: (bucket) => {
      if ((byBucket.get(bucket) ?? 0) > perBucket) {
        throw new Fault('RATE_LIMITED', 'Too many large answers to this address wait to be read.')
      }
      if (total > all) throw new Fault('NODE_BUSY', 'Too many large answers wait to be read.')
    },
    hold: (response, bucket, bytes) => {
      if (bytes < COUNTED_BYTES_MIN || response.closed) return
      add(bucket, bytes)
      response.once('close', () => add(bucket, -bytes))
    },
  }
}
