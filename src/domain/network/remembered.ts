/**
 * A bounded memory of keys that forgets by age: what was added `ticks` ago or longer is gone, and beyond `entriesMax`
 * the oldest goes first.
 */
export interface Remembered {
  has(key: string): boolean
  /** @param meshTick now; must not fall from one call to the next. */
  add(key: string, meshTick: number): void
  /** Drops what is too old at `meshTick`. */
  forget(meshTick: number): void
  readonly size: number
}

/** Remembers keys for so many ticks, and never more than `entriesMax` of them: the oldest goes first. */
export const remembered = (ticks: number, entriesMax: number): Remembered => {
  /** Key → mesh tick of its addition; a Map keeps that order, so the oldest stands first. */
  const added = new Map<string, number>()
  const forget = (meshTick: number): void => {
    for (const [key, since] of added) {
      if (meshTick - since < ticks && added.size <= entriesMax) return
      added.delete(key)
    }
  }
  return {
    has: (key) => added.has(key),
    add: (key, meshTick) => {
      added.set(key, meshTick)
      forget(meshTick)
    },
    forget,
    get size() {
      return added.size
    },
  }
}
