/** In the order given, but each owner's next only after everyone else had a turn. */
export const inTurns = <T>(items: readonly T[], ownerOf: (item: T) => string): readonly T[] => {
  const queues = new Map<string, T[]>()
  for (const item of items) {
    const owner = ownerOf(item)
    const queue = queues.get(owner)
    if (queue === undefined) queues.set(owner, [item])
    else queue.push(item)
  }
  const all = [...queues.values()]
  if (all.length === 1) return items
  const ordered: T[] = []
  for (let i = 0; ordered.length < items.length; i++) {
    for (const queue of all) {
      const item = queue[i]
      if (item !== undefined) ordered.push(item)
    }
  }
  return ordered
}
