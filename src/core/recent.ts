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
