/** Answers that are kept, and their bytes all together: a page of 500 rows has 200 KB. */
const ANSWERS_MAX = 1_024
const BYTES_MAX = 16_777_216

/** Bytes of answers that stay as they are while the node runs, by what was asked. */
export interface Lasting {
  get(asked: string): Buffer | undefined
  keep(asked: string, bytes: Buffer): void
}

/** Keeps none yet. What was kept first makes room. */
export const createLasting = (answersMax = ANSWERS_MAX, bytesMax = BYTES_MAX): Lasting => {
  const kept = new Map<string, Buffer>()
  let total = 0
  return {
    get: (asked) => kept.get(asked),
    keep: (asked, bytes) => {
      if (bytes.length > bytesMax || kept.has(asked)) return
      kept.set(asked, bytes)
      total += bytes.length
      for (const [oldest, { length }] of kept) {
        if (total <= bytesMax && kept.size <= answersMax) break
        kept.delete(oldest)
        total -= length
      }
    },
  }
}
