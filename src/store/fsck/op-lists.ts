import { readList } from '#store/op-lists.ts'

/** Bytes of lists that are at hand: the tokens of an op stand one behind the other, or few ops moved most of them. */
const KEPT_BYTES_MAX = 67_108_864

/** Reads lists of ops of one table; the last ones stay at hand, and the very last in any case. */
export const listReader = (
  database: Parameters<typeof readList>[0],
  table: Parameters<typeof readList>[1],
): ((digest: string) => Promise<Uint8Array>) => {
  const kept = new Map<string, Uint8Array>()
  let bytes = 0
  return async (digest) => {
    const known = kept.get(digest)
    if (known !== undefined) return known
    const list = await readList(database, table, digest)
    kept.set(digest, list)
    bytes += list.length
    for (const [oldest, gone] of kept) {
      if (bytes <= KEPT_BYTES_MAX || oldest === digest) break
      kept.delete(oldest)
      bytes -= gone.length
    }
    return list
  }
}
