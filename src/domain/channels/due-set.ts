/** Names by the mesh tick at which each is looked at. */
export interface DueSet {
  readonly size: number
  /** Looks at a name at a tick, and at no other; without a tick, not any more. */
  place(id: string, meshTick: number | undefined): void
  /** Takes out all that are to be looked at by a tick, those of earlier ticks first. */
  take(meshTick: number): readonly string[]
}

/** An empty set: a tick in which nothing is due costs one look, however many names there are. */
export const createDueSet = (): DueSet => {
  const byTick = new Map<number, Set<string>>()
  const placed = new Map<string, number>()
  /** No name is due before it. */
  let first = Number.POSITIVE_INFINITY

  const remove = (id: string): void => {
    const at = placed.get(id)
    if (at === undefined) return
    placed.delete(id)
    const names = byTick.get(at)
    names?.delete(id)
    if (names?.size === 0) byTick.delete(at)
  }

  return {
    get size() {
      return placed.size
    },
    place: (id, meshTick) => {
      remove(id)
      if (meshTick === undefined) return
      placed.set(id, meshTick)
      const names = byTick.get(meshTick) ?? new Set()
      names.add(id)
      byTick.set(meshTick, names)
      first = Math.min(first, meshTick)
    },
    take: (meshTick) => {
      if (meshTick < first) return []
      const ticks = [...byTick.keys()].filter((at) => at <= meshTick).sort((a, b) => a - b)
      const ids = ticks.flatMap((at) => [...(byTick.get(at) ?? [])])
      for (const at of ticks) byTick.delete(at)
      for (const id of ids) placed.delete(id)
      first = Number.POSITIVE_INFINITY
      for (const at of byTick.keys()) first = Math.min(first, at)
      return ids
    },
  }
}
