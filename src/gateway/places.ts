import type { Fault } from '#core/fault.ts'

/** Of all places, the part that one address may take. */
const BUCKET_PART = 0.25

/** Places for what stays open. */
export interface Places {
  /** Those that are taken. */
  readonly count: number
  /** Takes one, at once. @returns what gives it back, once. @throws Fault */
  take(bucket: string): () => void
}

/** What is refused where there is no place more. */
interface PlaceRefusals {
  readonly full: (most: number) => Fault
  /** To an address that has its part. */
  readonly share: (most: number) => Fault
}

/** So many places at once, of which one address has a quarter at most. */
export const createPlaces = (most: number, refused: PlaceRefusals): Places => {
  const perBucketMax = Math.ceil(most * BUCKET_PART)
  const byBucket = new Map<string, number>()
  let count = 0
  return {
    get count() {
      return count
    },
    take: (bucket) => {
      const own = byBucket.get(bucket) ?? 0
      if (count >= most) throw refused.full(most)
      if (own >= perBucketMax) throw refused.share(perBucketMax)
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
