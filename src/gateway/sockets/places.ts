import { Fault } from '#core/fault.ts'

/** Of all places for sockets, the part that one address may take. */
const BUCKET_PART = 0.25

/** Counts the sockets that are open. */
export interface SocketPlaces {
  readonly count: number
  /** Takes a place. @returns what gives it back, once. @throws Fault CAPACITY_EXCEEDED, RATE_LIMITED */
  take(bucket: string): () => void
}

/** Places for so many sockets at once, of which one address has a quarter at most. */
export const createSocketPlaces = (most: number): SocketPlaces => {
  const perBucketMax = Math.ceil(most * BUCKET_PART)
  const byBucket = new Map<string, number>()
  let count = 0
  return {
    get count() {
      return count
    },
    take: (bucket) => {
      const own = byBucket.get(bucket) ?? 0
      if (count >= most) {
        throw new Fault('CAPACITY_EXCEEDED', 'Too many sockets are open.', { open: count, limit: most })
      }
      if (own >= perBucketMax) {
        throw new Fault('RATE_LIMITED', `One address may have ${perBucketMax} sockets open.`, { limit: perBucketMax })
      }
      count += 1
      byBucket.set(bucket, own + 1)
      let taken = true
      return () => {
        if (!taken) return
        taken = false
        count -= 1
        const rest = (byBucket.get(bucket) ?? 1) - 1
        if (rest > 0) byBucket.set(bucket, rest)
        else byBucket.delete(bucket)
      }
    },
  }
}
