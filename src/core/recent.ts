/** A map with a bound: what was put in first makes room. */
export interface RecentMap<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
}

/** An empty one. @param countMax entries that it keeps. */
export const recent = <K, V>(countMax: number): RecentMap<K, V> => {
  const kept = new Map<K, V>()
  return {
    get: (key) => kept.get(key),
    set: (key, value) => {
      // Insertion order is age.
      const oldest = kept.size >= countMax && !kept.has(key) ? kept.keys().next() : undefined
      if (oldest?.done === false) kept.delete(oldest.value)
      kept.set(key, value)
    },
    delete: (key) => void kept.delete(key),
  }
}

/** An empty one whose entries weigh differently. @param weightMax of all together; the newest always stays */
export const recentByWeight = <K, V>(
  weightMax: number,
  weightOf: (value: V) => number,
): Omit<RecentMap<K, V>, 'delete'> => {
  const kept = new Map<K, { readonly value: V; readonly weight: number }>()
  let total = 0
  return {
    get: (key) => kept.get(key)?.value,
    set: (key, value) => {
      const weight = weightOf(value)
      total += weight - (kept.get(key)?.weight ?? 0)
      kept.delete(key)
      for (const [oldest, it] of kept) {
        if (total <= weightMax) break
        kept.delete(oldest)
        total -= it.weight
      }
      kept.set(key, { value, weight })
    },
  }
}
